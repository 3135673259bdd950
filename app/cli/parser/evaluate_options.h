#pragma once

#include "app/cli/commands/evaluate.h"
#include "app/cli/parser/typed_options.h"

namespace epsilens::cli {

/// Options of evaluate that recommend has too.

/// --test, --label-column and --split-column.
void addLabels(TypedOptions& options, experiment::DataSetOptions& data);
/// --prior.
void addPrior(TypedOptions& options, EvaluateOptions& evaluate);
/// --repeats.
void addRepeats(TypedOptions& options, experiment::EvaluationOptions& run);

}  // namespace epsilens::cli
