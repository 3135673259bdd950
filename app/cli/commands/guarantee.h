#pragma once

#include <string>
#include <utility>
#include <vector>

#include "app/cli/commands/command.h"
#include "app/cli/grid_to_fill.h"

namespace epsilens::cli {

/// Options of `guarantee`.
struct GuaranteeOptions {
    mechanism::Grid grid = gridToFill();
    std::vector<std::pair<std::string, std::string>> pairs{};  ///< of words
    double odds = 2.0;                                         ///< > 1
};

void addGuarantee(TypedOptions& options, GeneralOptions& general, GuaranteeOptions& guarantee);

/// The real guarantee of every setting: constant, metric, scope, odds for word pairs, and what it
/// does not cover.
[[nodiscard]] Result<CommandResult> runGuarantee(const GuaranteeOptions& options,
                                                 const CommandContext& context);

}  // namespace epsilens::cli
