#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/cli/commands/evaluate.h"
#include "app/cli/commands/guarantee.h"
#include "core/calibration/mechanism_comparison.h"

namespace epsilens::cli {

/// Options of `compare`.
struct CompareOptions {
    std::vector<mechanism::Mechanism> mechanisms{};  ///< kinds; empty: all
    std::vector<double> kept{0.5};                   ///< shares
    std::optional<WordNames> pair{};                 ///< nothing: the first well-known one
    int words = 500;
    calibration::MeasurementOptions run{};  ///< words and draws
    EvaluateOptions evaluation{};           ///< its texts; the path is empty if none are named
};

void addCompare(TypedOptions& options, GeneralOptions& general, CompareOptions& compare);

/// The mechanisms beside each other, each at the epsilon at which it keeps the same share of the
/// words: what it promises for a pair, and what becomes of the other words. With labelled texts
/// also what they are still good for, and what an attacker guesses.
[[nodiscard]] Result<CommandResult> runCompare(const CompareOptions& options,
                                               const CommandContext& context);

}  // namespace epsilens::cli
