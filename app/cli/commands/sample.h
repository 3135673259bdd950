#pragma once

#include <optional>
#include <string>

#include "app/cli/commands/command.h"
#include "app/cli/grid_to_fill.h"

namespace epsilens::cli {

/// Options of `sample`.
struct SampleOptions {
    static constexpr int kMostSentences = 10'000;
    static constexpr int kMostTop = 1'000'000;
    mechanism::Grid grid = gridToFill();  ///< one value of each parameter but epsilon
    std::optional<std::string> text{};    ///< nothing: standard input
    int sentences = 5;                    ///< sampled texts to show
    int top = 5;                          ///< outputs to list for each word
    int nearNeighbours = 100;
};

void addSample(TypedOptions& options, GeneralOptions& general, SampleOptions& sample);

/// Shows seeded substitutions of a text and the output distribution of each word.
///
/// One set of R draws serves all words; sentence k gives word i of the text draw (k + i) mod R. R
/// is at least 100, the sentences asked for and the words of the text, so that the words of one
/// sentence are independent.
[[nodiscard]] Result<CommandResult> runSample(const SampleOptions& options,
                                              const CommandContext& context);

}  // namespace epsilens::cli
