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

/// The same, checked. Epsilons and lambdas that were not given stay empty: their default depends on
/// the embedding.
struct MechanismOptions {
    mechanism::Kind kind = mechanism::Kind::mahalanobis;
    std::vector<double> epsilons{};
    std::vector<double> lambdas{};
    metric::Metric metric = metric::Metric::euclidean;  ///< of tem
    std::vector<double> gammas{};                       ///< of tem; without them the betas count
    std::vector<double> betas{};                        ///< of tem, one or more
    mechanism::RadialLaw law = mechanism::RadialLaw::riemannian;    ///< of hyperbolic
    mechanism::Placement placement = mechanism::Placement::mobius;  ///< of hyperbolic
};

/// Fails with invalidArgument: option, value, what is allowed.
[[nodiscard]] Result<MechanismOptions> parseMechanism(const MechanismArguments& arguments);

/// Whole number of an option; `fallback` when nothing was typed.
[[nodiscard]] Result<int> parseCount(const std::string& typed, std::string_view option, int lowest,
                                     int highest, int fallback);

/// The noise mechanism that was chosen.
[[nodiscard]] engine::NoiseChoice noiseChoice(const MechanismOptions& options);

/// What a calibration of the same mechanism is given; words and draws stay at their defaults.
[[nodiscard]] calibration::CalibrationOptions calibrationOptions(const MechanismOptions& mechanism,
                                                                 const GeneralOptions& general);

/// Where the interesting epsilons of a mechanism lie, over all its lambdas and radii; its epsilons
/// do not matter. Shows progress.
[[nodiscard]] Result<engine::EpsilonRange> epsilonRange(
    const engine::SearchSpace& space, const calibration::CalibrationOptions& options,
    const CommandContext& context);

/// Where no epsilon was typed: the median critical epsilon of the first lambda, which is said on
/// the console.
[[nodiscard]] Result<void> chooseEpsilon(const engine::SearchSpace& space,
                                         MechanismOptions& options, const CommandContext& context);

}  // namespace epsilens::cli
