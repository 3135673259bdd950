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

/// An option that belongs to a single mechanism.
struct OwnOption {
    std::string_view name;
    bool isGiven;
    mechanism::Kind owner;
};

/// The first option that was given but belongs to another mechanism.
std::optional<Error> misplacedOption(const MechanismArguments& arguments, mechanism::Kind kind,
                                     metric::Metric metric) {
    using mechanism::Kind;
    for (const auto& [name, isGiven, owner] :
         {OwnOption{"--metric", !arguments.metric.empty(), Kind::tem},
          OwnOption{"--gamma", !arguments.gammas.empty(), Kind::tem},
          OwnOption{"--beta", !arguments.betas.empty(), Kind::tem},
          OwnOption{"--noise", !arguments.noise.empty(), Kind::hyperbolic},
          OwnOption{"--placement", !arguments.placement.empty(), Kind::hyperbolic}}) {
        if (isGiven && kind != owner) {
            return refusedOption(fmt::format("{}: the {} mechanism does not take it; it is for {}",
                                             name, mechanism::kindName(kind),
                                             mechanism::kindName(owner)));
        }
    }
    if (kind == Kind::tem && !arguments.gammas.empty() && !arguments.betas.empty()) {
        return refusedOption(
            "--beta: cannot be combined with --gamma, because gamma follows from beta; give one of "
            "them");
    }
    if (kind == Kind::tem && !arguments.lambdas.empty() && !mechanism::hasLambda(kind, metric)) {
        return refusedOption(
            fmt::format("--lambda: the {} metric has no lambda; it is for mahalanobis",
                        metric::metricKey(metric)));
    }
    if (kind == Kind::hyperbolic && !arguments.lambdas.empty()) {
        return refusedOption(
            "--lambda: the hyperbolic mechanism has no lambda; it is for mahalanobis");
    }
    return std::nullopt;
}

/// Law and placement of hyperbolic noise.
Result<void> parseHyperbolic(const MechanismArguments& arguments, MechanismOptions& options) {
    if (!arguments.noise.empty()) {
        ASSIGN_OR_RETURN(const auto law, mechanism::parseRadialLaw(arguments.noise));
        options.law = law;
    }
    if (!arguments.placement.empty()) {
        ASSIGN_OR_RETURN(const auto placement, mechanism::parsePlacement(arguments.placement));
        options.placement = placement;
    }
    return {};
}

/// Gammas and betas of TEM.
Result<void> parseTem(const MechanismArguments& arguments, MechanismOptions& options) {
    constexpr double kLargest = std::numeric_limits<double>::max();
    ASSIGN_OR_RETURN(auto gammas,
                     parseBounded(arguments.gammas, "--gamma", 0.0, kLargest, "0 or more"));
    constexpr double kLeast = std::numeric_limits<double>::denorm_min();
    const double belowOne = std::nextafter(1.0, 0.0);
    ASSIGN_OR_RETURN(auto betas, parseBounded(arguments.betas, "--beta", kLeast, belowOne,
                                              "above 0 and below 1"));
    options.gammas = std::move(gammas);
    options.betas = std::move(betas);
    if (options.gammas.empty() && options.betas.empty()) {
        options.betas = calibration::defaultBetaGrid();
    }
    return {};
}

}  // namespace

Result<MechanismOptions> parseMechanism(const MechanismArguments& arguments) {
    ASSIGN_OR_RETURN(const auto kind, arguments.mechanism.empty()
                                          ? Result<mechanism::Kind>(mechanism::Kind::mahalanobis)
                                          : mechanism::parseKind(arguments.mechanism));
    ASSIGN_OR_RETURN(const auto metric, arguments.metric.empty()
                                            ? Result<metric::Metric>(metric::Metric::euclidean)
                                            : metric::parseMetric(arguments.metric));
    if (auto misplaced = misplacedOption(arguments, kind, metric)) {
        return tl::unexpected(std::move(*misplaced));
    }
    ASSIGN_OR_RETURN(auto epsilons, parseEpsilons(arguments.epsilons));
    auto lambdas = parseLambdas(arguments.lambdas);
    if (!lambdas) {
        return tl::unexpected(lambdas.error());
    }
    if (kind == mechanism::Kind::laplace &&
        std::any_of(lambdas->begin(), lambdas->end(), [](double value) { return value > 0; })) {
        return fail(ErrorCode::invalidArgument,
                    "--lambda: the laplace mechanism has no lambda (it is mahalanobis with "
                    "lambda 0); use --mechanism mahalanobis");
    }
    if (!mechanism::hasLambda(kind, metric)) {
        lambdas = std::vector<double>{0.0};
    }
    MechanismOptions options;
    options.kind = kind;
    options.epsilons = std::move(epsilons);
    options.lambdas = std::move(*lambdas);
    options.metric = metric;
    RETURN_IF_ERROR(parseTem(arguments, options));
    RETURN_IF_ERROR(parseHyperbolic(arguments, options));
    return options;
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

engine::NoiseChoice noiseChoice(const MechanismOptions& options) {
    return {options.kind, options.lambdas, options.law, options.placement};
}

calibration::CalibrationOptions calibrationOptions(const MechanismOptions& mechanism,
                                                   const GeneralOptions& general) {
    calibration::CalibrationOptions options;
    options.mechanism = mechanism.kind;
    options.metric = mechanism.metric;
    options.epsilons = mechanism.epsilons;
    options.lambdas = mechanism.lambdas;
    options.gammas = mechanism.gammas;
    options.betas = mechanism.betas;
    options.law = mechanism.law;
    options.placement = mechanism.placement;
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

Result<void> chooseEpsilon(const engine::SearchSpace& space, MechanismOptions& options,
                           const CommandContext& context) {
    if (!options.epsilons.empty()) {
        return {};
    }
    calibration::CalibrationOptions first = calibrationOptions(options, context.general);
    first.lambdas = {options.lambdas.front()};
    ASSIGN_OR_RETURN(const auto range, epsilonRange(space, first, context));
    options.epsilons = {range.suggested};
    context.console.note(
        fmt::format("no --epsilon given: using {}, the median critical epsilon of {} random words",
                    formatNumber(range.suggested), formatCount(range.words)));
    return {};
}

}  // namespace epsilens::cli
