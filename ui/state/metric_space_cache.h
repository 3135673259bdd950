#pragma once

#include <memory>
#include <mutex>

#include "core/base/error.h"
#include "core/engine/metric_space.h"

namespace epsilens::ui {

using MetricSpaceHandle = std::shared_ptr<const engine::MetricSpace>;

/// The metric of a TEM on an embedding, prepared once for all who ask. May be asked from several
/// threads; the second waits for what the first prepares.
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
