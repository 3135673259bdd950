#pragma once

#include <string>

#include "app/cli/commands/command.h"

namespace epsilens::cli {

/// Options of `verify` as typed.
struct VerifyArguments {
    std::string from{};
};

/// Repeats the run of a calibration, report or session and lists every value that differs. If any
/// does, the result has a problem.
///
/// typed  if its embedding is empty, the path in the file is used, then the folder of the file
[[nodiscard]] Result<CommandResult> runVerify(const VerifyArguments& arguments,
                                              const GeneralArguments& typed,
                                              const CommandContext& context);

}  // namespace epsilens::cli
