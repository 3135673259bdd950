#pragma once

#include <string>
#include <vector>

#include "app/cli/commands/command.h"
#include "app/cli/commands/data_option.h"
#include "app/cli/commands/mechanism_options.h"

namespace epsilens::cli {

/// Options of `calibrate` as typed; empty where not given.
struct CalibrateArguments {
    MechanismArguments mechanism{};
    std::vector<embedding::Row> rows{};  ///< of a session, when no words are typed
    std::string words{};                 ///< "all", a number, "@file", "sparsest:N", "densest:N"
    DataArguments data{};
    bool independentDraws = false;
    std::string deniability{};  ///< g
    std::string draws{};
    std::string nearNeighbours{};
    std::string perWordPath{};
};

/// N_w, S_w and the rest on a grid of epsilon and lambda. An interrupted run hands back the words
/// that were finished, marked partial.
[[nodiscard]] Result<CommandResult> runCalibrate(const CalibrateArguments& arguments,
                                                 const CommandContext& context);

}  // namespace epsilens::cli
