#include "core/base/parallel.h"

#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/info.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/partitioner.h>
#include <oneapi/tbb/task_arena.h>

namespace epsilens {

namespace {

std::atomic<int>& threadLimit() {
    static std::atomic<int> limit{0};
    return limit;
}

}  // namespace

void setThreadLimit(int threads) {
    threadLimit().store(std::max(0, threads), std::memory_order_relaxed);
}

int defaultThreadCount() {
    const int limit = threadLimit().load(std::memory_order_relaxed);
    return limit > 0 ? limit : std::max(1, oneapi::tbb::info::default_concurrency());
}

void parallelFor(std::int64_t count, int threads, const std::function<void(std::int64_t)>& body) {
    if (count <= 0) {
        return;
    }
    const std::int64_t wanted = threads > 0 ? threads : defaultThreadCount();
    const int workers = static_cast<int>(std::min(wanted, count));
    std::atomic<std::int64_t> next{0};
    const auto work = [&](int) {
        for (std::int64_t index = next.fetch_add(1, std::memory_order_acq_rel); index < count;
             index = next.fetch_add(1, std::memory_order_acq_rel)) {
            try {
                body(index);
            } catch (...) {
                next.store(count, std::memory_order_release);
                throw;
            }
        }
    };
    if (workers == 1) {
        work(0);
        return;
    }
    const auto workOnAll = [&] {
        oneapi::tbb::parallel_for(0, workers, 1, work, oneapi::tbb::simple_partitioner{});
    };
    if (workers == oneapi::tbb::info::default_concurrency()) {
        // In the arena that the thread has anyway: ending one waits for the threads in it, which
        // jobs beside each other would do after every short loop.
        oneapi::tbb::this_task_arena::isolate(workOnAll);
    } else {
        // More threads than processors are granted only on request.
        const oneapi::tbb::global_control allowed(
            oneapi::tbb::global_control::max_allowed_parallelism,
            static_cast<std::size_t>(workers));
        oneapi::tbb::task_arena arena(workers);
        arena.execute(workOnAll);
    }
    next.fetch_add(0, std::memory_order_acq_rel);
}

}  // namespace epsilens
