#pragma once

#include <string>
#include <vector>

#include "app/cli/commands/command.h"

namespace epsilens::cli {

/// Options of `merge`.
struct MergeOptions {
    std::vector<std::string> paths{};  ///< of parts of a calibration, or of sidecars
};

/// Puts the parts of a calibration together, or adds the totals of sidecars. A calibration needs
/// its embedding: the one that was named, else that of the parts.
[[nodiscard]] Result<CommandResult> runMerge(const MergeOptions& options,
                                             const CommandContext& context);

}  // namespace epsilens::cli
