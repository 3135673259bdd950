#pragma once

#include <string>

#include "app/cli/commands/command.h"
#include "app/cli/commands/measured_words.h"
#include "app/cli/grid_to_fill.h"
#include "core/calibration/epsilon_defaults.h"
#include "core/calibration/options.h"
#include "core/calibration/run.h"

namespace epsilens::cli {

/// Options of `calibrate`.
struct CalibrateOptions {
    calibration::CalibrationOptions run{.grid = gridToFill()};  ///< without its words
    MeasuredWords measured{};
    int points = calibration::kAxisPoints;  ///< of the axis of epsilon, where it is asked for
    std::string perWordPath{};              ///< empty: the values of the words are not written
};

void addCalibrate(TypedOptions& options, GeneralOptions& general, CalibrateOptions& calibrate);

/// Measures N_w, S_w and more on a grid of epsilon and lambda. An interrupted run returns the words
/// that were finished, marked partial.
[[nodiscard]] Result<CommandResult> runCalibrate(const CalibrateOptions& options,
                                                 const CommandContext& context);

}  // namespace epsilens::cli
