#pragma once

#include "app/cli/commands/sanitize.h"

namespace epsilens::cli {

/// `sanitize` of one text by a team. Every process reads the whole text and releases the batches of
/// lines or records that it takes, with randomness of its own; the first one puts them in order.
/// The text appears whole or not at all, so an interrupted run has no result.
[[nodiscard]] Result<CommandResult> sanitizeTogether(const SanitizeOptions& options,
                                                     const CommandContext& context);

}  // namespace epsilens::cli
