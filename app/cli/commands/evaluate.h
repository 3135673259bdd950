#pragma once

#include <optional>
#include <string>

#include "app/cli/commands/command.h"
#include "app/cli/grid_to_fill.h"
#include "core/document/evaluation_document.h"
#include "core/engine/search_space.h"
#include "core/experiment/data_set.h"
#include "core/experiment/evaluation.h"
#include "core/experiment/figure_limit.h"

namespace epsilens::cli {

/// Options of `evaluate`.
struct EvaluateOptions {
    experiment::DataSetOptions data{};
    experiment::EvaluationOptions run{.grid = gridToFill()};  ///< without the stop words
    std::string stopWordsPath{};                              ///< empty: none
    std::string onlyWordsPath{};                              ///< empty: all words are replaced
    /// File of PriorKind::file.
    std::string priorPath{};
    std::string studyPath{};         ///< of --save-perturbed; empty: none
    std::string studySidecarPath{};  ///< beside it
};

void addEvaluate(TypedOptions& options, GeneralOptions& general, EvaluateOptions& evaluate);

/// Measures what perturbed texts are still good for, and what attackers learn from them. An
/// interrupted run returns the repeats and settings that were finished, marked partial, and writes
/// no study text.
[[nodiscard]] Result<CommandResult> runEvaluate(const EvaluateOptions& options,
                                                const CommandContext& context);

/// The same on an embedding that is open already; nothing is written.
[[nodiscard]] Result<document::EvaluationRecord> evaluated(const EvaluateOptions& options,
                                                           const engine::SearchSpace& space,
                                                           const CommandContext& context);

/// --data, the options of its format and columns, and those of addLabels.
void addTexts(TypedOptions& options, experiment::DataSetOptions& data);
/// Options that recommend has too: --test, --label-column and --split-column.
void addLabels(TypedOptions& options, experiment::DataSetOptions& data);
/// --prior
void addPrior(TypedOptions& options, EvaluateOptions& evaluate);
/// --repeats
void addRepeats(TypedOptions& options, experiment::EvaluationOptions& run);

}  // namespace epsilens::cli
