#pragma once

#include <vector>

#include "core/calibration/calibrate.h"
#include "core/engine/epsilon_range.h"
#include "core/mechanism/truncated_exponential.h"
#include "core/metric/word_metric.h"

namespace epsilens::calibration {

/// How the radius is chosen, one entry per gamma, or per beta where no gamma is given. Fails as
/// Truncation does.
[[nodiscard]] Result<std::vector<mechanism::Truncation>> truncationsOf(
    const CalibrationOptions& options, std::int64_t vocabularySize);

/// Runs the grid of a TEM on validated options: every value is exact, nothing is sampled but the
/// words. Results do not depend on threads. A cancelled run with some words done returns a partial
/// summary; with none it fails with cancelled.
///
/// words  rows to measure, rising
[[nodiscard]] Result<CalibrationSummary> calibrateTem(const engine::SearchSpace& space,
                                                      const CalibrationOptions& options,
                                                      std::vector<Row> words,
                                                      const JobContext& job);

/// Where the interesting epsilons of a TEM lie: those at which 200 random words are kept with
/// probability 1/2, over all lambdas and radii of the options, whose epsilons do not matter. Fails
/// as calibrateTem.
[[nodiscard]] Result<engine::EpsilonRange> estimateTemRange(const engine::SearchSpace& space,
                                                            const CalibrationOptions& options,
                                                            const JobContext& job = {});

}  // namespace epsilens::calibration
