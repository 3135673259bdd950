#include "ui/state/mechanism_neighbours.h"

#include "core/base/parallel.h"
#include "core/engine/poincare_space.h"
#include "ui/state/mechanism_view.h"

namespace epsilens::ui {

metric::Metric neighbourMetric(const mechanism::Mechanism& mechanism) {
    return isElliptical(mechanism) ? metric::Metric::euclidean : mechanism.metric();
}

bool shareNeighbours(const mechanism::Mechanism& a, const mechanism::Mechanism& b) {
    const metric::Metric metric = neighbourMetric(a);
    return metric == neighbourMetric(b) &&
           (metric != metric::Metric::mahalanobis || a.lambda() == b.lambda());
}

Result<std::vector<engine::Neighbourhood>> noiseNeighbours(const engine::SearchSpace& space,
                                                           const mechanism::Mechanism& mechanism,
                                                           std::span<const embedding::Row> words,
                                                           int count, const JobContext& job) {
    if (neighbourMetric(mechanism) != metric::Metric::poincare) {
        return engine::nearestNeighbours(space, words, count, kAllThreads, job);
    }
    const engine::PoincareSpace ball(space);
    std::vector<engine::Neighbourhood> found(words.size());
    parallelFor(static_cast<std::int64_t>(words.size()), kAllThreads, [&](std::int64_t i) {
        if (!job.stopRequested()) {
            const auto index = static_cast<std::size_t>(i);
            found[index] = engine::poincareNeighbours(ball, words[index], count);
        }
    });
    if (job.stopRequested()) {
        return fail(ErrorCode::cancelled, "cancelled");
    }
    return found;
}

}  // namespace epsilens::ui
