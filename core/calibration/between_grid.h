#pragma once

#include <vector>

#include "core/calibration/run_curves.h"

namespace epsilens::calibration {

/// Epsilons between those of a grid, at equal steps of log(epsilon - bound), so that curves which
/// are sampled point by point look as they are.
///
/// grid   finite, > bound, in any order
/// bound  the mechanism exists above it only; 0 for most
[[nodiscard]] std::vector<double> epsilonsBetween(std::vector<double> grid, double bound);

/// Whether measuring between the grid is worth its time, judged by what the run took. Of a run that
/// a session kept only where its settings are those of its cells; what it costs here is found out
/// by measureBetween.
[[nodiscard]] bool deservesPointsBetween(const RunCurves& run);

/// The run with lines that also go through points between the grid: the same words and draws,
/// measured there. Markers, table and summary stay. Fails as calibrate does; with cancelled when it
/// was stopped before every word was measured, and with resourceLimit when a run that a session
/// kept would take too long here.
[[nodiscard]] Result<RunCurvesHandle> measureBetween(const engine::SearchSpace& space,
                                                     const RunCurvesHandle& run,
                                                     const JobContext& job = {});

}  // namespace epsilens::calibration
