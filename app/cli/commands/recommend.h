#pragma once

#include <string>
#include <vector>

#include "app/cli/commands/command.h"
#include "app/cli/commands/run_options.h"

namespace epsilens::cli {

/// Options of `recommend` as typed; empty where not given.
struct RecommendArguments {
    RunArguments run{};
    std::vector<std::string> limits{};  ///< "nw.p95<=50%", in the order given
    std::string objective{};
};

/// The largest epsilon within limits for each lambda, gamma or beta, and the best of these
/// settings. The result has a problem, limitsNotMet, when none meets the limits; an interrupted
/// search hands back the settings that were finished, marked partial.
[[nodiscard]] Result<CommandResult> runRecommend(const RecommendArguments& arguments,
                                                 const CommandContext& context);

}  // namespace epsilens::cli
