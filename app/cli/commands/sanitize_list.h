#pragma once

#include "app/cli/commands/sanitize.h"

namespace epsilens::cli {

/// `sanitize --list`: texts one after the other. A record beside the list tells which are released,
/// so that a broken run can be resumed. A text that cannot be read fails the run at its end; a file
/// that cannot be written ends it at once.
[[nodiscard]] Result<CommandResult> sanitizeList(const SanitizeOptions& options,
                                                 const CommandContext& context);

}  // namespace epsilens::cli
