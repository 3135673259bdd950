#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "core/calibration/options.h"
#include "core/calibration/word_comparison.h"
#include "core/calibration/word_outputs.h"
#include "core/engine/noise_series.h"

namespace epsilens::calibration {

/// The indices below count in an order drawn from the seed. What is done first of a run must not
/// follow the order of the file, often that of frequency.
[[nodiscard]] std::vector<std::size_t> shuffledIndices(std::size_t count, std::uint64_t seed);

/// What one block of words yields under one variant (lambda).
struct BlockResults {
    /// Per epsilon, the words of the block in order.
    std::vector<std::vector<WordStatistics>> statistics{};
    std::vector<DrawSums> sums{};  ///< per epsilon
    /// Per epsilon, the outputs of the words; empty unless the draws are independent.
    std::vector<std::vector<CountedOutputs>> outputs{};
    std::vector<double> critical{};  ///< words x R when asked for
    std::int64_t rechecked = 0;
};

/// For processes that share a run; see Packer.
template <typename Archive>
void transfer(Archive& archive, BlockResults& results) {
    archive(results.statistics, results.sums, results.outputs, results.critical, results.rechecked);
}

/// The plan of a run that all its blocks share.
struct BlockPlan {
    const engine::NoiseSeries& series;
    const CalibrationOptions& options;
    engine::SearchBatch& batch;     ///< of the series, for the epsilons of the options
    std::int64_t blocksAtOnce = 1;  ///< that share the scratch memory
};

/// Number of words that share their draws: clamp(n / 20 rounded up, 64, 1024) unless the options
/// set it, at most n, and 1 for independent draws. Part of the result, so it depends on the words
/// of the run alone. Draws of a block are projected on the whole vocabulary, which larger blocks do
/// less often; at least 20 blocks keep the intervals narrow.
[[nodiscard]] std::int64_t blockSize(std::int64_t words, const CalibrationOptions& options = {});

/// Runs a block: R draws of its own, shared by its words, for every variant and epsilon.
///
/// advanced  called with the share of the block that is done, in (0, 1]
/// Returns one result per variant, or nothing of use when the job was stopped.
[[nodiscard]] std::vector<BlockResults> runBlock(const BlockPlan& plan, std::uint32_t block,
                                                 std::span<const Row> words, const JobContext& job,
                                                 const std::function<void(double)>& advanced);

}  // namespace epsilens::calibration
