#include "app/cli/commands/mechanism_options.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "core/base/numbers.h"
#include "core/base/pass_on.h"
#include "core/calibration/epsilon_defaults.h"

namespace epsilens::cli {
namespace {

std::string commaHint(const std::vector<std::string>& typed) {
    return decimalCommaHint(fmt::format("{}", fmt::join(typed, " ")));
}

Result<std::vector<double>> parseLists(const std::vector<std::string>& typed,
                                       std::string_view option, Spacing spacing) {
    std::vector<double> values;
    for (const std::string& text : typed) {
        const Result<std::vector<double>> list = parseList(text, option, spacing);
        if (!list) {
            return tl::unexpected(list.error());
        }
        values.insert(values.end(), list->begin(), list->end());
    }
    return values;
}

Result<std::vector<double>> parseEpsilons(const std::vector<std::string>& typed) {
    auto values = parseLists(typed, "--epsilon", Spacing::logarithmic);
    if (!values) {
        return values;
    }
    for (const double epsilon : *values) {
        if (!(epsilon > 0.0)) {
            return fail(ErrorCode::invalidArgument,
                        fmt::format("--epsilon: {} is not above 0{}", formatNumber(epsilon),
                                    commaHint(typed)));
        }
    }
    return values;
}

Result<std::vector<double>> parseLambdas(const std::vector<std::string>& typed) {
    auto values = parseLists(typed, "--lambda", Spacing::linear);
    if (!values) {
        return values;
    }
    for (const double lambda : *values) {
        if (!(lambda >= 0.0 && lambda <= 1.0)) {
            return fail(ErrorCode::invalidArgument,
                        fmt::format("--lambda: {} is outside 0 to 1{}", formatNumber(lambda),
                                    commaHint(typed)));
        }
    }
    return values;
}

/// A list whose values must lie in [lowest, highest].
Result<std::vector<double>> parseBounded(const std::vector<std::string>& typed,
                                         std::string_view option, double lowest, double highest,
                                         std::string_view allowed) {
    auto values = parseLists(typed, option, Spacing::logarithmic);
    if (!values) {
        return values;
    }
    for (const double value : *values) {
        if (!(value >= lowest && value <= highest)) {
            return fail(ErrorCode::invalidArgument,
                        fmt::format("{}: {} is not {}{}", option, formatNumber(value), allowed,
                                    commaHint(typed)));
        }
    }
    return values;
}

std::optional<Error> refusedOption(std::string message) {
    return Error{ErrorCode::invalidArgument, std::move(message), {}, 0};
}

/// The parameters that were given, other than lists.
Result<mechanism::Parameters> parseParameters(const MechanismArguments& arguments) {
    mechanism::Parameters parameters;
    if (!arguments.metric.empty()) {
        ASSIGN_OR_RETURN(parameters.metric, metric::parseMetric(arguments.metric));
    }
    if (!arguments.noise.empty()) {
        ASSIGN_OR_RETURN(parameters.law, mechanism::parseRadialLaw(arguments.noise));
    }
    if (!arguments.placement.empty()) {
        ASSIGN_OR_RETURN(parameters.placement, mechanism::parsePlacement(arguments.placement));
    }
    return parameters;
}

/// Names of the mechanisms, with any metric, that have a parameter.
template <typename Has>
std::string ownersOf(const Has& has) {
    std::vector<std::string_view> names;
    for (const mechanism::Mechanism& mechanism : mechanism::Mechanism::all()) {
        if (has(mechanism)) {
            names.push_back(mechanism.name());
        }
    }
    return fmt::format("{}", fmt::join(names, ", "));
}

/// What is wrong with options of other mechanisms than the chosen one, or nothing.
std::optional<Error> misplacedOption(const MechanismArguments& arguments,
                                     const mechanism::Mechanism& mechanism) {
    struct OwnOption {
        std::string_view name;
        bool isGiven;
        bool (*isOf)(const mechanism::Mechanism&);
    };
    for (const auto& [name, isGiven, isOf] :
         {OwnOption{"--metric", !arguments.metric.empty(),
                    [](const auto& one) { return one.parameters().metric.has_value(); }},
          OwnOption{"--gamma", !arguments.gammas.empty(),
                    [](const auto& one) { return one.hasRadius(); }},
          OwnOption{"--beta", !arguments.betas.empty(),
                    [](const auto& one) { return one.hasRadius(); }},
          OwnOption{"--noise", !arguments.noise.empty(),
                    [](const auto& one) { return one.parameters().law.has_value(); }},
          OwnOption{"--placement", !arguments.placement.empty(),
                    [](const auto& one) { return one.parameters().placement.has_value(); }}}) {
        if (isGiven && !isOf(mechanism)) {
            return refusedOption(fmt::format("{}: the {} mechanism does not take it; it is for {}",
                                             name, mechanism.name(), ownersOf(isOf)));
        }
    }
    if (!arguments.gammas.empty() && !arguments.betas.empty()) {
        return refusedOption(
            "--beta: cannot be combined with --gamma, because gamma follows from beta; give one of "
            "them");
    }
    return std::nullopt;
}

/// The same of --lambda, once its values are known: 0 is what laplace has.
std::optional<Error> misplacedLambda(const std::vector<double>& lambdas,
                                     const mechanism::Mechanism& mechanism) {
    if (lambdas.empty() || mechanism.hasLambda()) {
        return std::nullopt;
    }
    if (mechanism.parameters().metric) {
        return refusedOption(
            fmt::format("--lambda: the {} metric has no lambda; it is for mahalanobis",
                        metric::metricKey(mechanism.metric())));
    }
    if (!mechanism.as<mechanism::Laplace>()) {
        return refusedOption(fmt::format(
            "--lambda: the {} mechanism has no lambda; it is for mahalanobis", mechanism.name()));
    }
    if (std::any_of(lambdas.begin(), lambdas.end(), [](double value) { return value > 0.0; })) {
        return refusedOption(
            "--lambda: the laplace mechanism has no lambda (it is mahalanobis with lambda 0); use "
            "--mechanism mahalanobis");
    }
    return std::nullopt;
}

/// The radii, with the default where none are given.
Result<void> parseRadii(const MechanismArguments& arguments, mechanism::Grid& grid) {
    constexpr double kLargest = std::numeric_limits<double>::max();
    ASSIGN_OR_RETURN(grid.gammas,
                     parseBounded(arguments.gammas, "--gamma", 0.0, kLargest, "0 or more"));
    constexpr double kLeast = std::numeric_limits<double>::denorm_min();
    const double belowOne = std::nextafter(1.0, 0.0);
    ASSIGN_OR_RETURN(grid.betas, parseBounded(arguments.betas, "--beta", kLeast, belowOne,
                                              "above 0 and below 1"));
    if (grid.gammas.empty() && grid.betas.empty()) {
        grid.betas = calibration::defaultBetaGrid();
    }
    return {};
}

}  // namespace

Result<mechanism::Grid> parseMechanism(const MechanismArguments& arguments) {
    mechanism::Grid grid;
    ASSIGN_OR_RETURN(const auto parameters, parseParameters(arguments));
    ASSIGN_OR_RETURN(grid.mechanism, mechanism::Mechanism::named(arguments.mechanism.empty()
                                                                     ? mechanism::Mahalanobis::kName
                                                                     : arguments.mechanism,
                                                                 parameters));
    if (auto misplaced = misplacedOption(arguments, grid.mechanism)) {
        return tl::unexpected(std::move(*misplaced));
    }
    ASSIGN_OR_RETURN(grid.epsilons, parseEpsilons(arguments.epsilons));
    ASSIGN_OR_RETURN(grid.lambdas, parseLambdas(arguments.lambdas));
    if (auto misplaced = misplacedLambda(grid.lambdas, grid.mechanism)) {
        return tl::unexpected(std::move(*misplaced));
    }
    if (!grid.mechanism.hasLambda()) {
        grid.lambdas = {0.0};
    }
    RETURN_IF_ERROR(parseRadii(arguments, grid));
    return grid;
}

Result<int> parseCount(const std::string& typed, std::string_view option, int lowest, int highest,
                       int fallback) {
    if (typed.empty()) {
        return fallback;
    }
    return parseInteger(typed, option, lowest, highest).map([](std::int64_t value) {
        return static_cast<int>(value);
    });
}

calibration::CalibrationOptions calibrationOptions(const mechanism::Grid& grid,
                                                   const GeneralOptions& general) {
    calibration::CalibrationOptions options;
    options.grid = grid;
    options.seed = general.seed;
    options.threads = general.threads;
    return options;
}

Result<engine::EpsilonRange> epsilonRange(const engine::SearchSpace& space,
                                          const calibration::CalibrationOptions& options,
                                          const CommandContext& context) {
    auto range = calibration::estimateRange(space, options, context.console.job(context.stop));
    context.console.finishProgress();
    return range;
}

Result<void> chooseEpsilon(const engine::SearchSpace& space, mechanism::Grid& grid,
                           const CommandContext& context) {
    if (!grid.epsilons.empty()) {
        return {};
    }
    calibration::CalibrationOptions first = calibrationOptions(grid, context.general);
    first.grid.lambdas = {grid.lambdas.front()};
    ASSIGN_OR_RETURN(const auto range, epsilonRange(space, first, context));
    grid.epsilons = {range.suggested};
    context.console.note(
        fmt::format("no --epsilon given: using {}, the median critical epsilon of {} random words",
                    formatNumber(range.suggested), formatCount(range.words)));
    return {};
}

}  // namespace epsilens::cli
