#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "core/base/job_context.h"
#include "core/base/parallel.h"
#include "core/base/pass_on.h"

namespace epsilens {

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
    const auto workers =
        std::min<std::int64_t>(workersOf(threads), static_cast<std::int64_t>(items));
    parallelFor(workers, threads, [&](std::int64_t worker) {
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

/// Calls work(item) for every item in parallel, whatever becomes of the others. Fails as the first
/// of the items that fail.
///
/// work  returns a Result<void>
template <typename Work>
[[nodiscard]] Result<void> eachInParallel(std::size_t items, int threads, const Work& work) {
    std::vector<Result<void>> results(items);
    parallelFor(static_cast<std::int64_t>(items), threads, [&](std::int64_t item) {
        results[static_cast<std::size_t>(item)] = work(static_cast<std::size_t>(item));
    });
    for (Result<void>& result : results) {
        RETURN_IF_ERROR(std::move(result));
    }
    return {};
}

}  // namespace epsilens
