#pragma once

#include <optional>
#include <string>

#include "app/cli/commands/command.h"
#include "app/cli/commands/mechanism_options.h"

namespace epsilens::cli {

/// Options of `sample` as typed; empty if not given.
struct SampleArguments {
    MechanismArguments mechanism{};
    std::optional<std::string> text{};  ///< if absent, standard input
    std::string draws{};                ///< sentences to show
    std::string top{};                  ///< outputs to list for each word
    std::string nearNeighbours{};
};

/// Shows seeded substitutions of a text and the output distribution of each word.
///
/// One set of R draws serves all words; sentence k gives word i of the text draw (k + i) mod R. R
/// is at least 100, the sentences asked for and the words of the text, so that the words of one
/// sentence are independent.
[[nodiscard]] Result<CommandResult> runSample(const SampleArguments& arguments,
                                              const CommandContext& context);

}  // namespace epsilens::cli
