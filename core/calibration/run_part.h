#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/crew.h"
#include "core/base/error.h"
#include "core/base/job_context.h"
#include "core/calibration/block_run.h"
#include "core/calibration/calibrate.h"
#include "core/statistics/exact_statistics.h"

namespace epsilens::calibration {

/// A run shared by several processes. Blocks of words do not depend on each other, so that each
/// process runs some of them, and one of the processes adds all results in the order of the blocks:
/// the summary is that of calibrate(), bit by bit, but for its seconds and threads.

/// What the run takes from one block of words: counts and sums, no vectors.
struct BlockOutcome {
    std::vector<BlockResults> sampled{};  ///< one per variant; none where results are exact
    std::vector<statistics::ExactStatistics> exact{};  ///< words x cells where results are exact
    std::vector<double> critical{};                    ///< of exact results, when asked for
};

/// The blocks of a run that one process has finished, by their numbers.
struct RunPart {
    std::int64_t blocks = 0;  ///< of the whole run
    std::map<std::int64_t, BlockOutcome> finished{};
    double seconds = 0.0;
};

/// Chooses the block that this process runs next, of so many; nothing when there are no more for
/// it. Numbers rise. Called by one thread at a time.
using NextBlock = std::function<std::optional<std::int64_t>(std::int64_t blocks)>;

/// Every `parts`-th block, beginning with the block `index`, from 0.
[[nodiscard]] NextBlock everyBlock(std::int64_t index = 0, std::int64_t parts = 1);

/// Runs blocks of a run until there are no more. A stopped run returns the blocks that it has.
/// Fails as calibrate(), but for cancelled.
[[nodiscard]] Result<RunPart> calibratePart(const engine::SearchSpace& space,
                                            const CalibrationOptions& options,
                                            const NextBlock& next, const JobContext& job = {});

/// The summary of a run whose blocks were run before, with the same options on the same embedding.
/// It is partial where a block is missing. The worst words are counted again here. Fails as
/// calibrate().
[[nodiscard]] Result<CalibrationSummary> calibrateFromParts(const engine::SearchSpace& space,
                                                            const CalibrationOptions& options,
                                                            RunPart all,
                                                            const JobContext& job = {});

/// The blocks that a process has finished, for another process; see Packer.
[[nodiscard]] std::string packBlocks(const std::map<std::int64_t, BlockOutcome>& finished);
/// Adds blocks that another process has finished.
void unpackBlocks(std::string_view packed, std::map<std::int64_t, BlockOutcome>& finished);

/// calibrate(), whose blocks the processes of a crew share: all of them have its results.
///
/// crew  null: this process alone
[[nodiscard]] Result<CalibrationSummary> calibrateShared(const engine::SearchSpace& space,
                                                         const CalibrationOptions& options,
                                                         Crew* crew, const JobContext& job);

}  // namespace epsilens::calibration
