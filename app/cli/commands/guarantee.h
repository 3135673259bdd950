#pragma once

#include <string>
#include <utility>
#include <vector>

#include "app/cli/commands/command.h"
#include "app/cli/grid_to_fill.h"
#include "core/report/guarantee_report.h"

namespace epsilens::cli {

using WordNames = std::pair<std::string, std::string>;

/// "paris,london"
[[nodiscard]] Result<WordNames> parsePair(std::string_view typed);
/// The rows of --pair. Fails with invalidArgument for a word that the vocabulary lacks.
[[nodiscard]] Result<std::vector<report::RowPair>> findPairs(
    const std::vector<WordNames>& words, const embedding::Vocabulary& vocabulary);

/// Options of `guarantee`.
struct GuaranteeOptions {
    mechanism::Grid grid = gridToFill();
    std::vector<WordNames> pairs{};
    double odds = 2.0;  ///< > 1
};

void addGuarantee(TypedOptions& options, GeneralOptions& general, GuaranteeOptions& guarantee);

/// The real guarantee of every setting: constant, metric, scope, odds for word pairs, and what it
/// does not cover.
[[nodiscard]] Result<CommandResult> runGuarantee(const GuaranteeOptions& options,
                                                 const CommandContext& context);

}  // namespace epsilens::cli
