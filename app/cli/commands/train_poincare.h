#pragma once

#include <string>

#include "app/cli/commands/command.h"
#include "core/training/poincare_training.h"

namespace epsilens::cli {

/// Options of `train-poincare`.
struct TrainPoincareOptions {
    std::string pairsPath{};
    training::PoincareOptions training{};
};

void addTrainPoincare(TypedOptions& options, GeneralOptions& general, TrainPoincareOptions& train);

/// Trains Poincaré vectors from is-a pairs and returns them as word2vec text. An interrupted run
/// returns the vectors of the last finished epoch.
[[nodiscard]] Result<CommandResult> runTrainPoincare(const TrainPoincareOptions& options,
                                                     const CommandContext& context);

}  // namespace epsilens::cli
