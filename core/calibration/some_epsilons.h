#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/calibration/run.h"

namespace epsilens::calibration {

/// Whether a run was asked for the whole axis of epsilon and its cells are those of a grid.
[[nodiscard]] bool isOfAxis(const Run& run);

/// The results at some epsilons of a run, as if only they had been asked for, but for the critical
/// epsilons, which are of no epsilon of the grid.
///
/// epsilons  of the grid of the summary, in any order
[[nodiscard]] CalibrationSummary summaryAt(const CalibrationSummary& summary,
                                           std::span<const double> epsilons);

/// A run whose tables show some of its epsilons: without the values of single words and the
/// critical epsilons.
[[nodiscard]] Run runAt(const Run& run, std::span<const double> epsilons);

/// About so many epsilons of a run, spread evenly over its grid, the first and the last among them.
///
/// besides  an epsilon of the grid that must not be missing, or 0
/// Returns them in the order of the grid.
[[nodiscard]] std::vector<double> spreadEpsilons(const CalibrationSummary& summary,
                                                 std::size_t count, double besides = 0.0);

}  // namespace epsilens::calibration
