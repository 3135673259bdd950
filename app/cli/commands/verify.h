#pragma once

#include <string>

#include "app/cli/commands/command.h"

namespace epsilens::cli {

/// Options of `verify`.
struct VerifyOptions {
    std::string from{};
};

void addVerify(TypedOptions& options, GeneralOptions& general, VerifyOptions& verify);

/// Repeats the run of a calibration, report or session and lists every value that differs. If any
/// does, the result has a problem. If no embedding is named, the path in the file is used, then the
/// folder of the file.
[[nodiscard]] Result<CommandResult> runVerify(const VerifyOptions& options,
                                              const CommandContext& context);

}  // namespace epsilens::cli
