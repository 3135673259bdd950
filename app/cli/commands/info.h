#pragma once

#include "app/cli/commands/command.h"

namespace epsilens::cli {

/// What an embedding file is: rows, dimensions, rows left out, duplicate vectors, norms, spectrum,
/// and where the interesting epsilons lie.
[[nodiscard]] Result<CommandResult> runInfo(const CommandContext& context);

}  // namespace epsilens::cli
