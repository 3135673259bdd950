#pragma once

#include <string>

#include "app/cli/commands/command.h"

namespace epsilens::cli {

/// Options of `verify` as typed.
struct VerifyArguments {
    std::string from{};
};

/// Does again what a calibration, report or session holds and lists every value that differs; then
/// the result has failed.
///
/// typed  its embedding may be empty: where the file says, then beside the file
[[nodiscard]] Result<CommandResult> runVerify(const VerifyArguments& arguments,
                                              const GeneralArguments& typed,
                                              const CommandContext& context);

}  // namespace epsilens::cli
