#include "ui/state/metric_space_cache.h"

#include <utility>

#include "core/base/parallel.h"
#include "core/base/pass_on.h"

namespace epsilens::ui {

namespace {

Result<engine::MetricSpace> create(const embedding::EmbeddingHandle& embedding,
                                   metric::Metric metric, double lambda) {
    return metric::WordMetric::create(embedding, metric, lambda)
        .and_then([](metric::WordMetric&& words) {
            return engine::MetricSpace::create(std::move(words), kAllThreads);
        });
}

}  // namespace

Result<MetricSpaceHandle> MetricSpaceCache::get(const embedding::EmbeddingHandle& embedding,
                                                metric::Metric metric, double lambda) {
    const std::scoped_lock lock(m_mutex);
    const bool sharesTable =
        m_last && m_last->metric().handle() == embedding && m_last->metric().metric() == metric;
    if (sharesTable && m_last->metric().lambda() == lambda) {
        return m_last;
    }
    ASSIGN_OR_RETURN(auto space,
                     sharesTable ? m_last->withLambda(lambda) : create(embedding, metric, lambda));
    m_last = std::make_shared<const engine::MetricSpace>(std::move(space));
    return m_last;
}

}  // namespace epsilens::ui
