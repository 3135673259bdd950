#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "app/cli/commands/command.h"
#include "app/cli/commands/measured_words.h"
#include "app/cli/grid_to_fill.h"
#include "core/calibration/epsilon_defaults.h"
#include "core/calibration/options.h"
#include "core/calibration/run.h"

namespace epsilens::cli {

/// The part of a run that a process takes on: every `parts`-th block.
struct CalibratePart {
    std::int64_t index = 1;  ///< from 1
    std::int64_t parts = 1;
};

/// Options of `calibrate`.
struct CalibrateOptions {
    calibration::CalibrationOptions run{.grid = gridToFill()};  ///< without its words
    MeasuredWords measured{};
    int points = calibration::kAxisPoints;  ///< of the axis of epsilon, where it is asked for
    std::string perWordPath{};              ///< empty: the values of the words are not written
    std::string stepsPath{};                ///< empty: steps are not written
    std::string wordStepsPath{};            ///< the same of every word
    std::optional<CalibratePart> part{};
};

/// Measures N_w, S_w and more on a grid of epsilon and lambda. An interrupted run returns the words
/// that were finished, marked partial.
[[nodiscard]] Result<CommandResult> runCalibrate(const CalibrateOptions& options,
                                                 const CommandContext& context);

/// A finished run in the format asked for.
[[nodiscard]] CommandResult renderedRun(OutputFormat format, const calibration::Run& run);

}  // namespace epsilens::cli
