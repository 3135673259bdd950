#include "app/cli/commands/grid_defaults.h"

#include <fmt/format.h>

#include "core/base/numbers.h"
#include "core/base/pass_on.h"
#include "core/calibration/epsilon_defaults.h"
#include "core/mechanism/elliptical_noise.h"

namespace epsilens::cli {
namespace {

/// "0, 0.5, 1"
std::string listText(const std::vector<double>& values) {
    return fmt::format("{}", fmt::join(values, ", "));
}

}  // namespace

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
    return context.withProgress(
        [&](const JobContext& job) { return calibration::estimateRange(space, options, job); });
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

Result<void> chooseEpsilons(const engine::SearchSpace& space,
                            calibration::CalibrationOptions& options,
                            const CommandContext& context) {
    if (!options.grid.epsilons.empty()) {
        return {};
    }
    ASSIGN_OR_RETURN(const auto range, epsilonRange(space, options, context));
    options.grid.epsilons = calibration::defaultEpsilons(space, options, range);
    context.console.note(
        fmt::format("no --epsilon given: using {} ({})", listText(options.grid.epsilons),
                    calibration::defaultsFollowBound(options)
                        ? std::string("derived from m - 1, the bound above which this noise exists")
                        : fmt::format("from the critical epsilons of {} random words",
                                      formatCount(range.words))));
    return {};
}

Result<void> chooseAxis(const engine::SearchSpace& space, calibration::CalibrationOptions& options,
                        int points, const CommandContext& context) {
    ASSIGN_OR_RETURN(const auto range, epsilonRange(space, options, context));
    options.grid.epsilons = calibration::axisEpsilons(space, options, range, points);
    context.console.note(fmt::format(
        "--epsilon all: {} points from {} to {}, whose results are computed together",
        formatCount(static_cast<std::int64_t>(options.grid.epsilons.size())),
        formatNumber(options.grid.epsilons.front()), formatNumber(options.grid.epsilons.back())));
    return {};
}

void chooseLambdas(const engine::SearchSpace& space, mechanism::Grid& grid, Console& console) {
    if (!grid.lambdas.empty()) {
        return;
    }
    const double largest = mechanism::largestUsableLambda(space.embedding().basis);
    std::vector<double> dropped;
    for (const double lambda : calibration::defaultLambdaGrid()) {
        (lambda <= largest ? grid.lambdas : dropped).push_back(lambda);
    }
    console.note(fmt::format("no --lambda given: using {}", listText(grid.lambdas)));
    if (!dropped.empty()) {
        console.note(
            fmt::format("lambda {} left out: the covariance of these vectors is singular, "
                        "the largest usable lambda is {}",
                        listText(dropped), formatNumber(largest)));
    }
}

}  // namespace epsilens::cli
