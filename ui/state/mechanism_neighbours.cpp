#include "ui/state/mechanism_neighbours.h"

#include "core/base/parallel.h"
#include "core/engine/poincare_space.h"

namespace epsilens::ui {

Result<std::vector<engine::Neighbourhood>> noiseNeighbours(const engine::SearchSpace& space,
                                                           const MechanismChoice& choice,
                                                           std::span<const embedding::Row> words,
                                                           int count, const JobContext& job) {
    if (choice.kind != mechanism::Kind::hyperbolic) {
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
