#pragma once

#include <algorithm>
#include <cstdint>

#include "core/base/crew.h"
#include "core/base/error.h"
#include "core/base/job_context.h"
#include "core/base/parallel.h"
#include "core/base/pass_on.h"
#include "core/calibration/options.h"

namespace epsilens::calibration {

/// Number of words that share their draws: clamp(n / 20 rounded up, 64, 1024) unless the options
/// set it, at most n, and 1 for independent draws. Part of the result, so it depends on the words
/// of the run alone. Draws of a block are projected on the whole vocabulary, which larger blocks do
/// less often; at least 20 blocks keep the intervals narrow.
[[nodiscard]] std::int64_t blockSize(std::int64_t words, const Sampling& options = {});
[[nodiscard]] std::int64_t blockCount(std::int64_t words, const Sampling& options);

/// What a block may use of the machine.
struct BlockShare {
    int threads = 0;            ///< as Sampling::threads
    std::int64_t together = 1;  ///< blocks that run at a time and share the scratch memory
};

/// Works through the blocks of a run: large ones one after the other, as each keeps all threads
/// busy, those of one word several at a time, on one thread each. Processes cut the words alike,
/// whatever their threads.
///
/// run       called with a block and its share
/// finished  Result<void>(end): all blocks that were begun are done, up to this one
/// transfer  (archive, block), as inUnits
/// Fails as inUnits.
template <typename Run, typename Finished, typename Transfer>
[[nodiscard]] Result<void> inBlocks(Crew* crew, std::int64_t words, const Sampling& options,
                                    const JobContext& job, const Run& run, const Finished& finished,
                                    const Transfer& transfer) {
    constexpr std::int64_t kPerThread = 4;
    constexpr std::int64_t kPerProcess = 64;
    const std::int64_t blocks = blockCount(words, options);
    const std::int64_t threads = workersOf(options.threads);
    const std::int64_t atOnce = blockSize(words, options) > 1 ? 1
                                : crew != nullptr             ? kPerProcess
                                                              : kPerThread * threads;
    const auto endOf = [&](std::int64_t unit) { return std::min((unit + 1) * atOnce, blocks); };
    return inUnits(
        crew, (blocks + atOnce - 1) / atOnce,
        [&](std::int64_t unit) -> Result<void> {
            const std::int64_t first = unit * atOnce;
            const std::int64_t count = endOf(unit) - first;
            const BlockShare share =
                count > 1 ? BlockShare{1, threads} : BlockShare{options.threads, 1};
            parallelFor(count, options.threads, [&](std::int64_t i) { run(first + i, share); });
            RETURN_IF_ERROR(job.checkStop());
            return finished(first + count);
        },
        [&](auto& archive, std::int64_t unit) {
            for (std::int64_t block = unit * atOnce; block < endOf(unit); ++block) {
                transfer(archive, block);
            }
        });
}

}  // namespace epsilens::calibration
