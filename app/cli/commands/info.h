#pragma once

#include "app/cli/commands/command.h"
#include "app/cli/commands/data_option.h"

namespace epsilens::cli {

/// Options of `info` as typed.
struct InfoArguments {
    bool density = false;
    DataArguments data{};
};

/// What an embedding file is: rows, dimensions, rows left out, duplicate vectors, norms, spectrum,
/// where the interesting epsilons lie; and when asked for the profile of nearest-neighbour
/// distances.
[[nodiscard]] Result<CommandResult> runInfo(const InfoArguments& arguments,
                                            const CommandContext& context);

}  // namespace epsilens::cli
