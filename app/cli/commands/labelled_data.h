#pragma once

#include "app/cli/commands/command.h"
#include "app/cli/commands/evaluate.h"

namespace epsilens::cli {

/// Reads the labelled texts, and says on the console how many there are, which columns they come
/// from and which rows were left out.
[[nodiscard]] Result<experiment::DataSet> readLabelled(experiment::DataSetOptions options,
                                                       const CommandContext& context);

/// The options of the run with its seed, threads and the words that policies name; without what
/// needs a vocabulary.
[[nodiscard]] Result<experiment::EvaluationOptions> readPolicies(const EvaluateOptions& options,
                                                                 const CommandContext& context);

/// What the attackers know of the vocabulary: the reference text.
[[nodiscard]] Result<void> readAttackers(const EvaluateOptions& options,
                                         const embedding::Vocabulary& vocabulary,
                                         experiment::EvaluationOptions& asked,
                                         const CommandContext& context);

}  // namespace epsilens::cli
