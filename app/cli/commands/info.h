#pragma once

#include "app/cli/commands/command.h"
#include "app/cli/commands/measured_words.h"

namespace epsilens::cli {

/// Options of `info`.
struct InfoOptions {
    bool density = false;
    DataOption data{};  ///< for the density
};

void addInfo(TypedOptions& options, GeneralOptions& general, InfoOptions& info);

/// Describes an embedding file: rows, dimensions, skipped rows, duplicate vectors, norms, spectrum,
/// the useful range of epsilon and, if requested, the profile of nearest-neighbour distances.
[[nodiscard]] Result<CommandResult> runInfo(const InfoOptions& options,
                                            const CommandContext& context);

}  // namespace epsilens::cli
