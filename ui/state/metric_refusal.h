#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/embedding/prepared_embedding.h"
#include "core/mechanism/mechanism.h"
#include "core/metric/metric.h"

namespace epsilens::ui {

/// Why a metric, and what has its guarantee in it, cannot be used on an embedding.
struct MetricRefusal {
    enum class Cause { zeroRows, rowsOutsideBall, other };

    Cause cause = Cause::other;
    std::int64_t rows = 0;  ///< that stand in the way
    std::string message{};  ///< about another cause
};

/// Nothing if the metric can be used.
[[nodiscard]] std::optional<MetricRefusal> metricRefusal(
    const embedding::EmbeddingHandle& embedding, metric::Metric metric);

/// The mechanism, or one that can run on the embedding in its place.
///
/// embedding  may be null, on which nothing is refused
[[nodiscard]] mechanism::Mechanism runnableOn(const embedding::EmbeddingHandle& embedding,
                                              const mechanism::Mechanism& wanted);

}  // namespace epsilens::ui
