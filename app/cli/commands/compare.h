#pragma once

#include <string>

#include "app/cli/commands/command.h"

namespace epsilens::cli {

/// Options of `compare`.
struct CompareOptions {
    std::string first{};   ///< results of evaluate or calibrate as JSON
    std::string second{};  ///< likewise
};

/// Puts two evaluations or two calibrations beside each other, with intervals of their differences.
[[nodiscard]] Result<CommandResult> runCompare(const CompareOptions& options,
                                               const CommandContext& context);

}  // namespace epsilens::cli
