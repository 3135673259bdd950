#include "app/cli/parser/mechanism_options.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "app/cli/grid_to_fill.h"
#include "core/base/numbers.h"
#include "core/base/pass_on.h"
#include "core/calibration/options.h"

namespace epsilens::cli {
namespace {

using mechanism::Grid;
using mechanism::Mechanism;
using mechanism::Parameters;

constexpr double kLargest = std::numeric_limits<double>::max();
constexpr double kLeastPositive = std::numeric_limits<double>::denorm_min();

/// Whether a mechanism has a parameter.
using IsOf = std::function<bool(const Mechanism&)>;

template <typename Value>
IsOf has(std::optional<Value> Parameters::*parameter) {
    return [parameter](const Mechanism& mechanism) {
        return (mechanism.parameters().*parameter).has_value();
    };
}

/// Names of the mechanisms, with their default metric, that have it.
std::vector<std::string_view> namesOf(const IsOf& isOf) {
    std::vector<std::string_view> names;
    for (const Mechanism& mechanism : Mechanism::all()) {
        if (isOf(mechanism)) {
            names.push_back(mechanism.name());
        }
    }
    return names;
}

std::string ownersOf(const IsOf& isOf) {
    return fmt::format("{}", fmt::join(namesOf(isOf), ", "));
}

/// "for tem: "
std::string forOwners(const IsOf& isOf) {
    return fmt::format("for {}: ", ownersOf(isOf));
}

Result<void> checkOwn(const Mechanism& mechanism, std::string_view option, const IsOf& isOf) {
    if (isOf(mechanism)) {
        return {};
    }
    return fail(ErrorCode::invalidArgument,
                fmt::format("{}: the {} mechanism does not take it; it is for {}", option,
                            mechanism.name(), ownersOf(isOf)));
}

/// All values of an option that takes lists.
Result<std::vector<double>> parseLists(const std::vector<std::string>& typed,
                                       std::string_view option, Spacing spacing,
                                       const NumberRange& range) {
    std::vector<double> values;
    for (const std::string& text : typed) {
        ASSIGN_OR_RETURN(const auto list, parseList(text, option, spacing));
        values.insert(values.end(), list.begin(), list.end());
    }
    const std::string hint = decimalCommaHint(fmt::format("{}", fmt::join(typed, " ")));
    for (const double value : values) {
        RETURN_IF_ERROR(checkWithin(range, value, option, hint));
    }
    return values;
}

TypedOptions::Take takeLists(std::vector<double>& target, Spacing spacing, NumberRange range) {
    return [&target, spacing, range](const auto& typed, std::string_view option) -> Result<void> {
        ASSIGN_OR_RETURN(target, parseLists(typed, option, spacing, range));
        return {};
    };
}

/// wholeAxis  set, and no epsilon, by the word "all"; null where it is not taken
TypedOptions::Take takeEpsilons(Grid& grid, bool* wholeAxis) {
    auto take = takeLists(grid.epsilons, Spacing::logarithmic,
                          {kLeastPositive, kLargest, "is not above 0"});
    return [&grid, wholeAxis, take](const auto& typed, std::string_view option) -> Result<void> {
        if (wholeAxis == nullptr) {
            return take(typed, option);
        }
        *wholeAxis = typed.size() == 1 && typed.front() == "all";
        if (*wholeAxis) {
            grid.epsilons.clear();
            return {};
        }
        return take(typed, option);
    };
}

/// Radii, and beta from which they follow: values of one replace those of the other.
TypedOptions::Take takeRadii(Grid& grid, std::vector<double>& target, std::vector<double>& other,
                             NumberRange range) {
    return [&grid, &target, &other, range](const auto& typed,
                                           std::string_view option) -> Result<void> {
        RETURN_IF_ERROR(checkOwn(grid.mechanism, option, &Mechanism::hasRadius));
        ASSIGN_OR_RETURN(target, parseLists(typed, option, Spacing::logarithmic, range));
        other.clear();
        return {};
    };
}

/// A parameter that is no list.
template <typename Value>
TypedOptions::Take takeParameter(Grid& grid, Result<Value> (*parse)(std::string_view),
                                 std::optional<Value> Parameters::*parameter) {
    return [=, &grid](const auto& typed, std::string_view option) -> Result<void> {
        Parameters parameters;
        ASSIGN_OR_RETURN(parameters.*parameter, choice(parse)(typed.front(), option));
        RETURN_IF_ERROR(checkOwn(grid.mechanism, option, has(parameter)));
        grid.mechanism = grid.mechanism.with(parameters);
        return {};
    };
}

Result<void> takeMechanism(const std::vector<std::string>& typed, std::string_view option,
                           Grid& grid) {
    const auto mechanism = Mechanism::named(typed.front());
    if (!mechanism) {
        return tl::unexpected(named(option, mechanism.error()));
    }
    if (!mechanism->isKindOf(grid.mechanism)) {
        grid = gridToFill(*mechanism);
    }
    return {};
}

/// Refuses lambdas of a mechanism that has none; 0 is what laplace has.
Result<void> checkLambdas(const Grid& grid) {
    const Mechanism& mechanism = grid.mechanism;
    if (mechanism.hasLambda()) {
        return {};
    }
    if (!mechanism.as<mechanism::Laplace>()) {
        const bool isOfMetric = mechanism.parameters().metric.has_value();
        return fail(
            ErrorCode::invalidArgument,
            fmt::format("--lambda: the {} {} has no lambda; it is for {}",
                        isOfMetric ? metric::metricKey(mechanism.metric()) : mechanism.name(),
                        isOfMetric ? "metric" : "mechanism", ownersOf(&Mechanism::hasLambda)));
    }
    if (std::any_of(grid.lambdas.begin(), grid.lambdas.end(),
                    [](double value) { return value > 0.0; })) {
        return fail(ErrorCode::invalidArgument,
                    "--lambda: the laplace mechanism has no lambda (it is mahalanobis with lambda "
                    "0); use --mechanism mahalanobis");
    }
    return {};
}

/// Checks what depends on several options, and fills in values that need no embedding.
Result<void> complete(const TypedOptions& options, Grid& grid, const std::vector<double>& lambdas) {
    if (options.isGiven("--gamma") && options.isGiven("--beta")) {
        return fail(ErrorCode::invalidArgument,
                    "--beta: cannot be combined with --gamma, because gamma follows from beta; "
                    "give one of them");
    }
    if (options.isGiven("--lambda")) {
        RETURN_IF_ERROR(checkLambdas(grid));
    }
    if (!grid.mechanism.hasLambda()) {
        grid.lambdas = {0.0};
    } else if (grid.lambdas.empty()) {
        grid.lambdas = lambdas;
    }
    if (grid.gammas.empty() && grid.betas.empty()) {
        grid.betas = calibration::defaultBetaGrid();
    }
    return {};
}

}  // namespace

void addMechanism(TypedOptions& options, Grid& grid, std::vector<double> lambdas, bool* wholeAxis) {
    const std::string names = alternatives(namesOf([](const Mechanism&) { return true; }));
    options.add("--mechanism", "NAME", withDefault(names, grid.mechanism.name()),
                [&grid](const auto& typed, std::string_view option) {
                    return takeMechanism(typed, option, grid);
                });
    options.addList("--epsilon", "LIST",
                    fmt::format("{}; default: derived from the embedding", kEpsilonLists),
                    takeEpsilons(grid, wholeAxis));
    options.addList(
        "--lambda", "LIST",
        "shape of the noise, from 0 (equal in all directions) to 1 (shape of the vocabulary): list "
        "such as 0,0.5,1 or range such as 0..1x5",
        takeLists(grid.lambdas, Spacing::linear, {0.0, 1.0, "is outside 0 to 1"}));
    options.add("--metric", "NAME",
                forOwners(has(&Parameters::metric)) +
                    withDefault("euclidean, mahalanobis, angular or poincare",
                                metric::metricKey(mechanism::Tem{}.distance)),
                takeParameter(grid, metric::parseMetric, &Parameters::metric));
    options.addList("--gamma", "LIST",
                    forOwners(&Mechanism::hasRadius) +
                        "radius beyond which all words are equally likely; list or range",
                    takeRadii(grid, grid.gammas, grid.betas, {0.0, kLargest, "is not 0 or more"}));
    options.addList(
        "--beta", "LIST",
        forOwners(&Mechanism::hasRadius) +
            fmt::format("sets the radius so that the output leaves it with at most this "
                        "probability (default {}); list or range",
                        mechanism::Tem{}.beta),
        takeRadii(grid, grid.betas, grid.gammas,
                  {kLeastPositive, std::nextafter(1.0, 0.0), "is not above 0 and below 1"}));
    options.add("--noise", "NAME",
                forOwners(has(&Parameters::law)) + "law of the radius, " +
                    withDefault("riemannian (; needs epsilon > m - 1) or eq7",
                                mechanism::radialLawName(mechanism::Hyperbolic{}.law)),
                takeParameter(grid, mechanism::parseRadialLaw, &Parameters::law));
    options.check([&options, &grid, lambdas = std::move(lambdas)] {
        return complete(options, grid, lambdas);
    });
}

void takeOneValue(TypedOptions& options, const char* command, const Grid& grid) {
    options.check([command, &grid]() -> Result<void> {
        for (const auto& [option, values] :
             {std::pair("--lambda", &grid.lambdas), std::pair("--gamma", &grid.gammas),
              std::pair("--beta", &grid.betas)}) {
            if (values->size() > 1) {
                return fail(ErrorCode::invalidArgument,
                            fmt::format("{}: {} takes one value, not a list", option, command));
            }
        }
        return {};
    });
}

}  // namespace epsilens::cli
