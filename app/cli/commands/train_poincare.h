#pragma once

#include <string>

#include "app/cli/commands/command.h"

namespace epsilens::cli {

/// Options of `train-poincare` as typed; empty if not given.
struct TrainPoincareArguments {
    std::string pairs{};  ///< file
    std::string dimensions{};
    std::string epochs{};
    std::string negatives{};
    std::string rate{};
    std::string burnIn{};
    bool evaluate = false;
};

/// Trains Poincaré vectors from is-a pairs and returns them as word2vec text. An interrupted run
/// returns the vectors of the last finished epoch.
[[nodiscard]] Result<CommandResult> runTrainPoincare(const TrainPoincareArguments& arguments,
                                                     const CommandContext& context);

}  // namespace epsilens::cli
