#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/calibration/run.h"

namespace epsilens::calibration {

/// Whether a run was asked for the whole axis of epsilon and its cells are those of a grid.
[[nodiscard]] bool isOfAxis(const Run& run);

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
