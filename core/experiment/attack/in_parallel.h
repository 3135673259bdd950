#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string_view>

#include "core/base/error.h"
#include "core/base/job_context.h"
#include "core/base/parallel.h"

namespace epsilens::experiment {

/// Threads that a caller's number of them stands for.
[[nodiscard]] inline int workersOf(int threads) {
    return threads > 0 ? threads : defaultThreadCount();
}

/// Calls solve(state, item) for every item. Each worker makes a state for all of its items, such as
/// scratch memory; results must not depend on which items share one. Reports progress after each
/// item.
///
/// makeState  called with the number of the worker, below workersOf(threads)
/// Fails with cancelled.
template <typename MakeState, typename Solve>
[[nodiscard]] Result<void> inParallel(std::size_t items, int threads, std::string_view stage,
                                      const JobContext& job, MakeState makeState, Solve solve) {
    std::atomic<std::size_t> next{0};
    std::mutex mutex;
    std::size_t finished = 0;
    parallelFor(workersOf(threads), threads, [&](std::int64_t worker) {
        auto state = makeState(static_cast<int>(worker));
        for (std::size_t item = next++; item < items && !job.stopRequested(); item = next++) {
            solve(state, item);
            const std::scoped_lock lock(mutex);
            ++finished;
            job.progress(static_cast<double>(finished) / static_cast<double>(items), stage);
        }
    });
    if (job.stopRequested()) {
        return fail(ErrorCode::cancelled, "cancelled");
    }
    return {};
}

}  // namespace epsilens::experiment
