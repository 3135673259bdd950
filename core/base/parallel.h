#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/job_context.h"

namespace epsilens {

/// Threads used when a caller passes 0: the processors this process may run on.
[[nodiscard]] int defaultThreadCount();

/// Threads that defaultThreadCount() gives from now on, for the whole process: what an analyst
/// allows. Results do not depend on it.
///
/// threads  >= 1; 0, as at the start, for the processors this process may run on
void setThreadLimit(int threads);

/// What a caller passes for all of them.
inline constexpr int kAllThreads = 0;

/// Calls body(index) once for every index in [0, count), on up to `threads` threads (0: all).
///
/// Indices are handed out in rising order; which thread gets which is not determined, so results
/// must not depend on it. The first exception thrown by the body ends the loop and is rethrown
/// here. The only parallel loop of the project: its counter orders memory before the fork and after
/// the join, which lets ThreadSanitizer follow it through the uninstrumented scheduler.
void parallelFor(std::int64_t count, int threads, const std::function<void(std::int64_t)>& body);

/// Values from `first` on, at most so many.
template <typename Values>
[[nodiscard]] auto partFrom(const Values& values, std::size_t first, std::size_t most) {
    return std::span(values).subspan(first, std::min(most, values.size() - first));
}

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
            job.progress(finished, items, stage);
        }
    });
    return job.checkStop();
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
