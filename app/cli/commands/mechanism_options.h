#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/commands/command.h"
#include "core/calibration/options.h"
#include "core/engine/epsilon_range.h"

namespace epsilens::cli {

/// Options that choose a mechanism and its parameters, as typed.
struct MechanismArguments {
    std::string mechanism{};              ///< empty: mahalanobis
    std::vector<std::string> epsilons{};  ///< lists, in the order given
    std::vector<std::string> lambdas{};
    std::string metric{};
    std::vector<std::string> gammas{};
    std::vector<std::string> betas{};
    std::string noise{};
    std::string placement{};
};

/// Epsilons and lambdas stay empty if not given, because their defaults depend on the embedding.
/// Fails with invalidArgument; the message names option, value and allowed range.
[[nodiscard]] Result<mechanism::Grid> parseMechanism(const MechanismArguments& arguments);

/// Whole number of an option; `fallback` if nothing was typed.
[[nodiscard]] Result<int> parseCount(const std::string& typed, std::string_view option, int lowest,
                                     int highest, int fallback);

/// Calibration options of the same mechanism; words and draws keep their defaults.
[[nodiscard]] calibration::CalibrationOptions calibrationOptions(const mechanism::Grid& grid,
                                                                 const GeneralOptions& general);

/// Useful range of epsilon for a mechanism over all its lambdas and radii; its own epsilons are
/// ignored. Shows progress.
[[nodiscard]] Result<engine::EpsilonRange> epsilonRange(
    const engine::SearchSpace& space, const calibration::CalibrationOptions& options,
    const CommandContext& context);

/// If no epsilon was typed, sets the median critical epsilon of the first lambda and notes it on
/// the console.
[[nodiscard]] Result<void> chooseEpsilon(const engine::SearchSpace& space, mechanism::Grid& grid,
                                         const CommandContext& context);

}  // namespace epsilens::cli
