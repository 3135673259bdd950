#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "core/base/error.h"
#include "core/base/job_context.h"
#include "core/calibration/measurement.h"
#include "core/calibration/run.h"

namespace epsilens::calibration {

/// What tells the curves of a run apart: lambda, the error probability or the radius of a TEM, or
/// nothing, where a mechanism has one curve.
enum class CurveParameter { none, lambda, beta, gamma };

/// The parameter that a grid runs over; Laplace counts as lambda 0, beside Mahalanobis.
[[nodiscard]] CurveParameter parameterOf(const mechanism::Mechanism& mechanism);
[[nodiscard]] double parameterValue(const Cell& cell, CurveParameter parameter);
/// Its value as set; 0 where there is none.
[[nodiscard]] double parameterValue(const mechanism::Mechanism& mechanism,
                                    CurveParameter parameter);

/// What is known of one value of the run's parameter against epsilon, which rises.
struct Curve {
    double value = 0.0;           ///< of the parameter
    std::vector<Cell> line{};     ///< what is drawn as a line
    std::vector<Cell> markers{};  ///< the epsilons of the grid
};

/// The statistics of a finished (or partial) run as curves against epsilon.
struct RunCurves {
    RunHandle run{};                                                ///< never null
    std::weak_ptr<const embedding::PreparedEmbedding> embedding{};  ///< what it was run on
    bool isRestored = false;  ///< kept by a session instead of measured just now
    CurveParameter parameter = CurveParameter::lambda;
    double epsilonBound = 0.0;  ///< below it the mechanism does not exist
    /// The words and draws of the run at every epsilon, one per curve; none where they are not
    /// measured: lines go through the grid alone then.
    std::vector<MeasurementHandle> responses{};
    std::vector<Curve> curves{};  ///< one per value of the parameter, in the order of the run

    [[nodiscard]] const CalibrationSummary& summary() const { return *run->summary; }
    [[nodiscard]] const CalibrationOptions& options() const { return run->request.options; }
    /// A run whose embedding is gone is of none.
    [[nodiscard]] bool isOf(const embedding::EmbeddingHandle& other) const {
        return other && embedding.lock() == other;
    }
    /// Whether curves are known at every epsilon exactly, not up to kProfileError.
    [[nodiscard]] bool isExact() const {
        return !responses.empty() && responses.front()->isInSteps();
    }
};
using RunCurvesHandle = std::shared_ptr<const RunCurves>;

/// Values of one curve at an epsilon that need not be of the grid.
struct Reading {
    double value = 0.0;  ///< of the parameter
    /// N_w and S_w; none outside the grid, unless there are responses.
    std::optional<Cell> cell{};
    bool isExact = false;  ///< from steps or a point of the grid
};

/// Calibrates and arranges the outcome, without responses. Fails as calibrate and describeRun do.
///
/// selection  how the words were chosen, where the options hold only their rows
[[nodiscard]] Result<RunCurvesHandle> runCurves(
    const engine::SearchSpace& space, const CalibrationOptions& options, const JobContext& job = {},
    std::optional<SelectionDescription> selection = std::nullopt);

/// Arranges a run; `embedding` is left to the caller.
///
/// run  never null
[[nodiscard]] RunCurves arrange(RunHandle run);

/// Whether withResponses measures something: a whole run without responses whose cells are those of
/// its options, and of which they take at most 512 MiB, as far as is known before.
[[nodiscard]] bool lacksResponses(const RunCurves& run);

/// The same run with its words and draws measured at every epsilon, and lines through many of
/// them. Markers and summary stay. Fails as measure().
[[nodiscard]] Result<RunCurvesHandle> withResponses(const engine::SearchSpace& space,
                                                    const RunCurvesHandle& run,
                                                    const JobContext& job = {});

/// One family of a run at many epsilons, rising, of the same words and draws: what its drawings go
/// through. Empty where that takes too much memory, and of a partial run. Fails as measure().
///
/// from  the epsilons begin there instead of at the least of the run, if it is less and the
///       mechanism exists there
[[nodiscard]] Result<std::vector<Cell>> familyAlongAxis(const Run& run,
                                                        const mechanism::Mechanism& family,
                                                        const engine::SearchSpace& space,
                                                        double from, const JobContext& job = {});

/// Reads one curve; takes milliseconds. Without responses, values between points of the grid are
/// interpolated linearly in log epsilon.
///
/// epsilon  finite, > 0
[[nodiscard]] Reading readCurve(const RunCurves& run, std::size_t curve, double epsilon);

}  // namespace epsilens::calibration
