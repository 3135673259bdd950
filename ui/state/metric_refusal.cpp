#include "ui/state/metric_refusal.h"

#include <algorithm>

#include "core/metric/regularized_mahalanobis.h"
#include "core/metric/word_metric.h"

namespace epsilens::ui {

namespace {

std::optional<MetricRefusal> refusalOf(MetricRefusal::Cause cause, std::int64_t rows) {
    return rows > 0 ? std::optional(MetricRefusal{cause, rows}) : std::nullopt;
}

}  // namespace

std::optional<MetricRefusal> metricRefusal(const embedding::EmbeddingHandle& embedding,
                                           metric::Metric metric) {
    const auto norms = embedding->squaredNorms.array();
    if (metric == metric::Metric::angular) {
        return refusalOf(MetricRefusal::Cause::zeroRows, (norms == 0.0).count());
    }
    if (metric == metric::Metric::poincare) {
        return refusalOf(MetricRefusal::Cause::rowsOutsideBall, (!(norms < 1.0)).count());
    }
    const double lambda =
        std::min(mechanism::kDefaultLambda, metric::largestUsableLambda(embedding->basis));
    const auto usable = metric::WordMetric::create(embedding, metric, lambda);
    return usable ? std::nullopt
                  : std::optional(
                        MetricRefusal{MetricRefusal::Cause::other, 0, usable.error().message});
}

mechanism::Mechanism runnableOn(const embedding::EmbeddingHandle& embedding,
                                const mechanism::Mechanism& wanted) {
    for (const mechanism::Mechanism& possible :
         {wanted, wanted.with({.metric = metric::Metric::euclidean}),
          mechanism::Mechanism(mechanism::Mahalanobis())}) {
        if (!embedding || !metricRefusal(embedding, possible.metric())) {
            return possible;
        }
    }
    return mechanism::Laplace();
}

}  // namespace epsilens::ui
