#include "core/experiment/attack/distance_visits.h"

#include <algorithm>

#include "core/experiment/attack/in_parallel.h"

namespace epsilens::experiment {

Result<void> visitDistances(const engine::MetricSpace& space, std::span<const Row> words,
                            int workers, std::string_view stage, const JobContext& job,
                            const DistanceVisitor& visit) {
    // The same words share a product whatever the number of workers: results do not depend on it.
    constexpr std::size_t kFewest = 64;
    constexpr std::size_t kMost = 512;
    constexpr std::size_t kTasks = 64;
    const std::size_t atOnce =
        std::min(std::clamp(words.size() / kTasks, kFewest, kMost),
                 static_cast<std::size_t>(engine::MetricRows::wordsAtOnce(space)));
    const std::size_t tasks = (words.size() + atOnce - 1) / atOnce;
    struct Worker {
        int number;
        engine::MetricRows rows{false};
    };
    return inParallel(
        tasks, workers, stage, job, [](int number) { return Worker{number}; },
        [&](Worker& worker, std::size_t task) {
            const std::size_t first = task * atOnce;
            const auto some = words.subspan(first, std::min(atOnce, words.size() - first));
            worker.rows.load(space, some);
            for (std::size_t i = 0; i < some.size() && !job.stopRequested(); ++i) {
                visit(first + i, worker.number,
                      worker.rows.finish(static_cast<std::int64_t>(i), 0));
            }
        });
}

}  // namespace epsilens::experiment
