#pragma once

#include <string>

#include "app/cli/commands/command.h"
#include "app/cli/grid_to_fill.h"
#include "core/experiment/data_set.h"
#include "core/experiment/evaluation.h"

namespace epsilens::cli {

/// Options of `evaluate`.
struct EvaluateOptions {
    experiment::DataSetOptions data{};
    experiment::EvaluationOptions run{.grid = gridToFill()};  ///< without the stop words
    std::string stopWordsPath{};                              ///< empty: none
    std::string onlyWordsPath{};                              ///< empty: all words are replaced
    /// File of PriorKind::file.
    std::string priorPath{};
    std::string sensitivePath{};  ///< words of the list attack; empty: none
};

/// Measures what perturbed texts are still good for, and what attackers learn from them. An
/// interrupted run returns the repeats and settings that were finished, marked partial.
[[nodiscard]] Result<CommandResult> runEvaluate(const EvaluateOptions& options,
                                                const CommandContext& context);

}  // namespace epsilens::cli
