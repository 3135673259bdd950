#pragma once

#include <string>
#include <vector>

#include "app/cli/commands/command.h"
#include "app/cli/commands/run_options.h"

namespace epsilens::cli {

/// Options of `calibrate` as typed; empty if not given.
struct CalibrateArguments {
    RunArguments run{};
    std::string deniability{};  ///< g
    bool rerunWorst = false;
    std::string perWordPath{};
};

/// Measures N_w, S_w and more on a grid of epsilon and lambda. An interrupted run returns the words
/// that were finished, marked partial.
[[nodiscard]] Result<CommandResult> runCalibrate(const CalibrateArguments& arguments,
                                                 const CommandContext& context);

}  // namespace epsilens::cli
