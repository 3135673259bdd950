#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/base/job_context.h"
#include "core/calibration/curve_parameter.h"
#include "core/calibration/exact_counts.h"
#include "core/calibration/exact_kept.h"
#include "core/calibration/run.h"

namespace epsilens::calibration {

/// One statistic at one value of the run's parameter against epsilon.
struct Curve {
    double value = 0.0;                 ///< of the parameter
    bool exact = false;                 ///< `line` holds for every epsilon, not for the grid alone
    std::vector<CurvePoint> line{};     ///< what is drawn as a line, rising epsilon
    std::vector<CurvePoint> markers{};  ///< the epsilons of the grid, rising
};

/// The statistics of a finished (or partial) run as curves against epsilon.
struct RunCurves {
    RunHandle run{};                                                ///< never null
    std::weak_ptr<const embedding::PreparedEmbedding> embedding{};  ///< what it was run on
    bool isRestored = false;  ///< kept by a session instead of measured just now
    CurveParameter parameter = CurveParameter::lambda;
    double epsilonBound = 0.0;              ///< below it the mechanism does not exist
    std::vector<ExactKept> exact{};         ///< one per curve, or none
    std::vector<ExactCurveHandle> steps{};  ///< one per curve, or none; never null
    std::vector<Curve> nw{};  ///< one per value of the parameter, in the order of the run
    std::vector<Curve> sw{};

    [[nodiscard]] const CalibrationSummary& summary() const { return *run->summary; }
    [[nodiscard]] const CalibrationOptions& options() const { return run->request.options; }
    /// A run whose embedding is gone is of none.
    [[nodiscard]] bool isOf(const embedding::EmbeddingHandle& other) const {
        return other && embedding.lock() == other;
    }
};
using RunCurvesHandle = std::shared_ptr<const RunCurves>;

/// Values of one curve at an epsilon that need not be of the grid.
struct Reading {
    double value = 0.0;              ///< of the parameter
    std::optional<CurvePoint> nw{};  ///< none outside the grid, unless N_w is exact
    std::optional<CurvePoint> sw{};  ///< none outside the grid, unless S_w is exact
    bool nwExact =
        false;  ///< from critical values, steps or a point of the grid; else interpolated
    bool swExact = false;  ///< from steps or a point of the grid; else interpolated
};

/// Critical values take words x R x lambdas x 8 bytes; above this many they are not asked for, and
/// N_w is then known at the grid only.
constexpr double kLargestCriticalTable = 256.0 * 1024.0 * 1024.0;
[[nodiscard]] bool exactCurvesFit(std::int64_t words, int draws, std::size_t lambdas);

/// Calibrates and arranges the outcome, with N_w and S_w at every epsilon where measuresExactly
/// says so, unless it is stopped on the way there. Fails as calibrate and describeRun do.
///
/// selection  how the words were chosen, where the options hold only their rows
[[nodiscard]] Result<RunCurvesHandle> runCurves(
    const engine::SearchSpace& space, const CalibrationOptions& options, const JobContext& job = {},
    std::optional<SelectionDescription> selection = std::nullopt);

/// Arranges a run; `embedding` is left to the caller.
///
/// run  never null
[[nodiscard]] RunCurves arrange(RunHandle run);

/// Makes N_w and S_w of a run known at every epsilon.
///
/// steps  of the words and draws of the run, one per curve
void setSteps(RunCurves& run, std::vector<ExactCurveHandle> steps);

/// One reading per curve: exact where all steps are known. Elsewhere values between points of the
/// grid are interpolated linearly in log epsilon.
///
/// epsilon  finite, > 0
[[nodiscard]] std::vector<Reading> readAt(const RunCurves& run, double epsilon);

}  // namespace epsilens::calibration
