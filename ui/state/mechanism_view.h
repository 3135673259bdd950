#pragma once

#include <optional>

#include <QString>

#include "core/calibration/calibrate.h"
#include "core/embedding/prepared_embedding.h"
#include "core/mechanism/mechanism.h"
#include "core/metric/metric.h"

namespace epsilens::ui {

/// Whether it adds noise that is spherical or has the shape lambda, and takes the word that is
/// nearest in Euclidean distance.
[[nodiscard]] bool isElliptical(const mechanism::Mechanism& mechanism);

/// The radius of a TEM at a setting; nothing for other mechanisms, or where there is none.
[[nodiscard]] std::optional<double> gammaAt(const embedding::EmbeddingHandle& embedding,
                                            const mechanism::Setting& setting);

/// Why a metric, and what has its guarantee in it, cannot be used on an embedding: "12,041 rows
/// have norm ≥ 1"; empty if it can, and where the embedding is null.
[[nodiscard]] QString metricRefusal(const embedding::EmbeddingHandle& embedding,
                                    metric::Metric metric);

/// The mechanism, or one that can run on the embedding in its place.
///
/// embedding  may be null, on which nothing is refused
[[nodiscard]] mechanism::Mechanism runnableOn(const embedding::EmbeddingHandle& embedding,
                                              const mechanism::Mechanism& wanted);

/// "Multivariate Laplace", "Truncated exponential (TEM)", …; translated.
[[nodiscard]] QString mechanismTitle(const mechanism::Mechanism& mechanism);
/// "Euclidean", "Mahalanobis (λ)", "angular", "Poincaré"; translated.
[[nodiscard]] QString metricTitle(metric::Metric metric);
/// The mechanism with its parameters in a few words: "Mahalanobis λ 0.50", "TEM Euclidean β 0.001",
/// "hyperbolic eq7".
[[nodiscard]] QString shortTitle(const mechanism::Mechanism& mechanism);
/// The same with epsilon: "Mahalanobis λ 0.50, ε 10".
[[nodiscard]] QString pinTitle(const mechanism::Setting& pin);

}  // namespace epsilens::ui
