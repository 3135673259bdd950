#pragma once

#include <optional>

#include <QString>

#include "core/calibration/calibrate.h"
#include "core/embedding/prepared_embedding.h"
#include "core/mechanism/mechanism.h"
#include "core/metric/metric.h"
#include "ui/state/metric_refusal.h"

namespace epsilens::ui {

/// Whether it adds noise that is spherical or has the shape lambda, and takes the word that is
/// nearest in Euclidean distance.
[[nodiscard]] bool isElliptical(const mechanism::Mechanism& mechanism);

/// The radius of a TEM at a setting; nothing for other mechanisms, or where there is none.
[[nodiscard]] std::optional<double> gammaAt(const embedding::EmbeddingHandle& embedding,
                                            const mechanism::Setting& setting);

/// "12,041 rows have norm ≥ 1"
[[nodiscard]] QString refusalText(const MetricRefusal& refusal);

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
