#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "core/calibration/run_curves.h"

namespace epsilens::calibration {

/// A statistic of one curve at every epsilon of a summary, rising.
[[nodiscard]] std::vector<CurvePoint> pointsOf(const CalibrationSummary& summary, std::size_t curve,
                                               statistics::Summary Cell::*statistic);

/// How many epsilons a run can take beside those of its grid: up to kAxisPoints, fewer in a run of
/// many words or draws, so that their results take at most 512 MiB, and 0 where these would be too
/// few.
[[nodiscard]] int pointsAlongAxis(const engine::SearchSpace& space,
                                  const CalibrationOptions& options);

/// The same run with so many epsilons more, between the least and the largest of its grid, in equal
/// steps of log(epsilon - bound).
///
/// bound  the mechanism exists above it only; 0 for most
[[nodiscard]] CalibrationOptions alongAxis(CalibrationOptions options, double bound, int points);

/// Whether runCurves measures every step of N_w and S_w, so that they are known at every epsilon:
/// of mechanisms with paths, where the steps fit into memory and where results of a single epsilon
/// do not cost much time, as those of compared words and of words counted again.
[[nodiscard]] bool measuresExactly(const engine::SearchSpace& space,
                                   const CalibrationOptions& options);

/// What runCurves calibrates for some options: the grid alone where it measures steps, where a
/// mechanism has no paths, and where results of a single epsilon cost much time; else along the
/// axis.
[[nodiscard]] CalibrationOptions measuredOptions(const engine::SearchSpace& space,
                                                 const CalibrationOptions& options);

/// Replaces sampled lines by those through every epsilon of a summary, of the same words and draws.
void setLines(RunCurves& run, const CalibrationSummary& dense);

/// Whether a run whose lines go through its grid alone should get those of measureLines, judged by
/// the time it took. Of a run that a session kept only where its settings are those of its cells.
[[nodiscard]] bool deservesLines(const RunCurves& run);

/// One family of a run at many more epsilons, of the same words and draws: what its drawings go
/// through. A mechanism without paths gets fewer of them. Null where that cannot be had, or not
/// within seconds, judged by the time that the run took: of a partial run, of one whose words have
/// draws of their own. Fails as calibrate does.
///
/// from  the epsilons begin there instead of at the least of the run, if it is less and the
///       mechanism exists there
[[nodiscard]] Result<std::shared_ptr<const CalibrationSummary>> familyAlongAxis(
    const Run& run, const mechanism::Mechanism& family, const engine::SearchSpace& space,
    double from, const JobContext& job = {});

/// The run with all steps of N_w and S_w, or, where these do not fit into memory, with lines along
/// the axis: the same words and draws, measured there. Markers, table and summary stay. Fails as
/// calibrate does, and with cancelled when it was stopped before every word was measured.
[[nodiscard]] Result<RunCurvesHandle> measureLines(const engine::SearchSpace& space,
                                                   const RunCurvesHandle& run,
                                                   const JobContext& job = {});

}  // namespace epsilens::calibration
