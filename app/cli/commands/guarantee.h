#pragma once

#include <string>
#include <vector>

#include "app/cli/commands/command.h"
#include "app/cli/commands/mechanism_options.h"

namespace epsilens::cli {

/// Options of `guarantee` as typed; empty where not given.
struct GuaranteeArguments {
    MechanismArguments mechanism{};
    std::vector<std::string> pairs{};      ///< "paris,london"
    std::vector<std::string> sentences{};  ///< two files
    std::string odds{};
};

/// The real guarantee of every setting: constant, metric, scope, odds for word pairs and for two
/// texts, and what it does not cover.
[[nodiscard]] Result<CommandResult> runGuarantee(const GuaranteeArguments& arguments,
                                                 const CommandContext& context);

}  // namespace epsilens::cli
