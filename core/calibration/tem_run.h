#pragma once

#include <vector>

#include "core/calibration/calibrate.h"
#include "core/calibration/run_part.h"
#include "core/engine/epsilon_range.h"

namespace epsilens::calibration {

/// Runs the grid of a TEM or an exponential mechanism on validated options: every value is exact,
/// nothing is sampled but the words. Results do not depend on threads. A cancelled run with some
/// words done returns a partial summary; with none it fails with cancelled.
///
/// words  rows to measure, rising
[[nodiscard]] Result<CalibrationSummary> calibrateTem(const engine::SearchSpace& space,
                                                      const CalibrationOptions& options,
                                                      std::vector<Row> words,
                                                      const JobContext& job);

/// The same for a part of the run, and from all its parts; see run_part.h.
[[nodiscard]] Result<RunPart> calibrateTemPart(const engine::SearchSpace& space,
                                               const CalibrationOptions& options,
                                               std::vector<Row> words, const NextBlock& next,
                                               const JobContext& job);
[[nodiscard]] Result<CalibrationSummary> calibrateTemFromParts(const engine::SearchSpace& space,
                                                               const CalibrationOptions& options,
                                                               std::vector<Row> words,
                                                               const RunPart& all,
                                                               const JobContext& job);

/// Where the interesting epsilons of such a mechanism lie: those at which 200 random words are kept
/// with probability 1/2, over all lambdas and radii of the options, whose epsilons do not matter.
/// Fails as calibrateTem.
[[nodiscard]] Result<engine::EpsilonRange> estimateTemRange(const engine::SearchSpace& space,
                                                            const CalibrationOptions& options,
                                                            const JobContext& job = {});

}  // namespace epsilens::calibration
