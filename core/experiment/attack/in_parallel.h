#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string_view>

#include "core/base/error.h"
#include "core/base/job_context.h"
#include "core/base/parallel.h"
#include "core/experiment/attack/stage_clock.h"

namespace epsilens::experiment {

/// Threads that a caller's number of them stands for.
[[nodiscard]] inline int workersOf(int threads) {
    return threads > 0 ? threads : defaultThreadCount();
}

/// Items that take equally long.
struct EqualItems {
    [[nodiscard]] double operator()(std::size_t /*item*/) const { return 1.0; }
};

/// Solves a part of the items for a clock, and tells it what the others would take.
template <typename MakeState, typename Solve, typename WeightOf>
void sampleInParallel(StageClock& clock, std::size_t items, int threads, const JobContext& job,
                      MakeState& makeState, Solve& solve, const WeightOf& weightOf) {
    std::atomic<std::size_t> next{0};
    std::mutex mutex;
    double seconds = 0.0;  // of all workers together
    double solved = 0.0;   // weight
    parallelFor(workersOf(threads), threads, [&](std::int64_t worker) {
        auto state = makeState(static_cast<int>(worker));
        const auto start = std::chrono::steady_clock::now();
        double weight = 0.0;
        for (std::size_t i = next++; i < items && !job.stopRequested(); i = next++) {
            const std::size_t item = spreadItem(i, items);
            solve(state, item);
            weight += weightOf(item);
            if (StageClock::since(start) > StageClock::kSecondsOfWorker) {
                break;
            }
        }
        const std::scoped_lock lock(mutex);
        seconds += StageClock::since(start);
        solved += weight;
    });
    double all = 0.0;
    for (std::size_t item = 0; item < items; ++item) {
        all += weightOf(item);
    }
    if (solved > 0.0) {
        clock.addLeftOut(seconds / workersOf(threads) * (all - solved) / solved);
    }
}

/// Calls solve(state, item) for every item. Each worker makes a state for all of its items, such as
/// scratch memory; results must not depend on which items share one. Reports progress after each
/// item. Under a StageClock only some items are solved.
///
/// makeState  called with the number of the worker, below workersOf(threads)
/// weightOf   of an item: how long it takes beside the others
/// Fails with cancelled.
template <typename MakeState, typename Solve, typename WeightOf = EqualItems>
[[nodiscard]] Result<void> inParallel(std::size_t items, int threads, std::string_view stage,
                                      const JobContext& job, MakeState makeState, Solve solve,
                                      const WeightOf& weightOf = {}) {
    if (StageClock* clock = StageClock::current()) {
        sampleInParallel(*clock, items, threads, job, makeState, solve, weightOf);
        return job.stopRequested() ? fail(ErrorCode::cancelled, "cancelled") : Result<void>();
    }
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
