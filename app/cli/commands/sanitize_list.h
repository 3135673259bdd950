#pragma once

#include "app/cli/commands/sanitize.h"

namespace epsilens::cli {

/// `sanitize --list`: texts one after the other. The manifest tells which are done; a run with the
/// manifest of a broken one goes on. A text that cannot be read is noted there and fails the run at
/// its end; a file that cannot be written ends it at once.
[[nodiscard]] Result<CommandResult> sanitizeList(const SanitizeOptions& options,
                                                 const CommandContext& context);

}  // namespace epsilens::cli
