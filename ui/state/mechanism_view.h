#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include <QString>

#include "core/base/error.h"
#include "core/base/job_context.h"
#include "core/calibration/calibrate.h"
#include "core/embedding/prepared_embedding.h"
#include "core/engine/metric_space.h"
#include "core/engine/neighbours.h"
#include "core/mechanism/mechanism.h"
#include "core/metric/metric.h"

namespace epsilens::ui {

[[nodiscard]] bool isElliptical(const mechanism::Mechanism& mechanism);

/// The radius of a TEM at a setting; nothing for other mechanisms, or where there is none.
[[nodiscard]] std::optional<double> gammaAt(const embedding::EmbeddingHandle& embedding,
                                            const mechanism::Setting& setting);

/// Why a metric cannot be used on an embedding; empty if it can, and where the embedding is null.
[[nodiscard]] QString metricRefusal(const embedding::EmbeddingHandle& embedding,
                                    metric::Metric metric);

/// The mechanism, or one that can run on the embedding in its place.
///
/// embedding  may be null, on which nothing is refused
[[nodiscard]] mechanism::Mechanism runnableOn(const embedding::EmbeddingHandle& embedding,
                                              const mechanism::Mechanism& wanted);

/// "Multivariate Laplace", "Truncated exponential (TEM)", …; translated.
[[nodiscard]] QString mechanismTitle(const mechanism::Mechanism& mechanism);
[[nodiscard]] QString metricTitle(metric::Metric metric);
/// "Mahalanobis λ 0.50", "TEM Euclidean β 0.001", "hyperbolic eq7".
[[nodiscard]] QString shortTitle(const mechanism::Mechanism& mechanism);
/// What its short title means.
[[nodiscard]] QString mechanismHelp(const mechanism::Mechanism& mechanism);
[[nodiscard]] QString pinTitle(const mechanism::Setting& pin);

/// The distance in which outputs are near or far: for noise that by which it finds its output.
[[nodiscard]] metric::Metric neighbourMetric(const mechanism::Mechanism& mechanism);
[[nodiscard]] bool shareNeighbours(const mechanism::Mechanism& a, const mechanism::Mechanism& b);

/// The nearest words by the distance of a mechanism that adds noise. Fails with cancelled.
[[nodiscard]] Result<std::vector<engine::Neighbourhood>> noiseNeighbours(
    const engine::SearchSpace& space, const mechanism::Mechanism& mechanism,
    std::span<const embedding::Row> words, int count, const JobContext& job);

using MetricSpaceHandle = std::shared_ptr<const engine::MetricSpace>;

/// The metric of a TEM on an embedding, prepared once for all threads that ask.
class MetricSpaceCache {
public:
    /// Another lambda shares the table of the last answer. Fails as the metric does.
    [[nodiscard]] Result<MetricSpaceHandle> get(const embedding::EmbeddingHandle& embedding,
                                                metric::Metric metric, double lambda);

private:
    std::mutex m_mutex;
    MetricSpaceHandle m_last;
};

}  // namespace epsilens::ui
