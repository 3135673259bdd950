#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/commands/command.h"
#include "core/calibration/options.h"
#include "core/engine/create_series.h"
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

/// The same options, checked and converted. Epsilons and lambdas stay empty if not given, because
/// their defaults depend on the embedding.
struct MechanismOptions {
    mechanism::Kind kind = mechanism::Kind::mahalanobis;
    std::vector<double> epsilons{};
    std::vector<double> lambdas{};
    metric::Metric metric = metric::Metric::euclidean;  ///< of tem
    std::vector<double> gammas{};                       ///< of tem; if empty, the betas are used
    std::vector<double> betas{};                        ///< of tem, one or more
    mechanism::RadialLaw law = mechanism::RadialLaw::riemannian;    ///< of hyperbolic
    mechanism::Placement placement = mechanism::Placement::mobius;  ///< of hyperbolic
};

/// Fails with invalidArgument; the message names option, value and allowed range.
[[nodiscard]] Result<MechanismOptions> parseMechanism(const MechanismArguments& arguments);

/// Whole number of an option; `fallback` if nothing was typed.
[[nodiscard]] Result<int> parseCount(const std::string& typed, std::string_view option, int lowest,
                                     int highest, int fallback);

/// The noise mechanism that was chosen.
[[nodiscard]] engine::NoiseChoice noiseChoice(const MechanismOptions& options);

/// Calibration options of the same mechanism; words and draws keep their defaults.
[[nodiscard]] calibration::CalibrationOptions calibrationOptions(const MechanismOptions& mechanism,
                                                                 const GeneralOptions& general);

/// Useful range of epsilon for a mechanism over all its lambdas and radii; its own epsilons are
/// ignored. Shows progress.
[[nodiscard]] Result<engine::EpsilonRange> epsilonRange(
    const engine::SearchSpace& space, const calibration::CalibrationOptions& options,
    const CommandContext& context);

/// If no epsilon was typed, sets the median critical epsilon of the first lambda and notes it on
/// the console.
[[nodiscard]] Result<void> chooseEpsilon(const engine::SearchSpace& space,
                                         MechanismOptions& options, const CommandContext& context);

}  // namespace epsilens::cli
