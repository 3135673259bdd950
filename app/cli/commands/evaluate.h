#pragma once

#include <string>
#include <vector>

#include "app/cli/commands/command.h"
#include "app/cli/grid_to_fill.h"
#include "core/experiment/data_set.h"
#include "core/experiment/evaluation.h"

namespace epsilens::cli {

/// Options of `evaluate`.
struct EvaluateOptions {
    experiment::DataSetOptions data{};
    experiment::EvaluationOptions run{.grid = gridToFill()};  ///< without the stop words
    std::vector<std::string> tasks{"classify"};
    std::string stopWordsPath{};  ///< empty: none
    std::string onlyWordsPath{};  ///< empty: all words are replaced
};

/// Measures what perturbed texts are still good for: classifiers learn from them and are tested. An
/// interrupted run returns the repeats that were finished, marked partial.
[[nodiscard]] Result<CommandResult> runEvaluate(const EvaluateOptions& options,
                                                const CommandContext& context);

}  // namespace epsilens::cli
