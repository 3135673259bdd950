#pragma once

#include <string>
#include <vector>

#include "app/cli/commands/command.h"
#include "app/cli/commands/run_options.h"

namespace epsilens::cli {

/// Options of `recommend` as typed; empty if not given.
struct RecommendArguments {
    RunArguments run{};
    std::vector<std::string> limits{};  ///< "nw.p95<=50%", in the order given
    std::string objective{};
};

/// Finds the largest epsilon within limits for each lambda, gamma or beta, and the best of these
/// settings. If none meets the limits, the result has the problem limitsNotMet. An interrupted
/// search returns the settings that were finished, marked partial.
[[nodiscard]] Result<CommandResult> runRecommend(const RecommendArguments& arguments,
                                                 const CommandContext& context);

}  // namespace epsilens::cli
