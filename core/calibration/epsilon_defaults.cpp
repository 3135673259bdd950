#include "core/calibration/epsilon_defaults.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/numbers.h"
#include "core/base/pass_on.h"
#include "core/calibration/epsilon_search.h"
#include "core/calibration/tem_run.h"
#include "core/engine/create_series.h"

namespace epsilens::calibration {
namespace {

constexpr int kDefaultEpsilons = 5;
constexpr double kSuggestedAboveBound = 10.0;
constexpr double kGridAboveBound[] = {1.0, 5.0, 10.0, 20.0, 40.0};

double rounded(double epsilon, int digits) {
    return parseNumber(formatSignificant(epsilon, digits), "epsilon").value_or(epsilon);
}

Result<engine::EpsilonRange> noiseRange(const engine::SearchSpace& space,
                                        const CalibrationOptions& options, double lambda,
                                        const JobContext& job) {
    ASSIGN_OR_RETURN(const auto series,
                     engine::createSeries(space, options.grid.mechanism, {lambda}));
    return engine::estimateEpsilonRange(*series, options.seed, options.threads, job);
}

double boundOf(const CalibrationOptions& options, const engine::SearchSpace& space) {
    return options.grid.mechanism.epsilonBound(space.embedding().dimensions());
}

/// One lambda for a whole grid: what controls start with, or the nearest to it, of two the less.
double centralLambda(const std::vector<double>& lambdas) {
    return *std::ranges::min_element(lambdas, [](double a, double b) {
        return std::pair(std::abs(a - mechanism::kDefaultLambda), a) <
               std::pair(std::abs(b - mechanism::kDefaultLambda), b);
    });
}

}  // namespace

Result<engine::EpsilonRange> estimateRange(const engine::SearchSpace& space,
                                           const CalibrationOptions& options,
                                           const JobContext& job) {
    if (options.grid.mechanism.isExact()) {
        return estimateTemRange(space, options, job);
    }
    auto range = noiseRange(space, options, centralLambda(options.grid.usedLambdas()), job);
    if (range && options.grid.mechanism.hasEpsilonBound()) {
        range->suggested = boundOf(options, space) + kSuggestedAboveBound;
    }
    return range;
}

std::vector<double> defaultEpsilonGrid(double low, double high) {
    std::vector<double> grid = spread({0.5 * low, 2.0 * high}, 0.0, kDefaultEpsilons);
    for (double& epsilon : grid) {
        epsilon = rounded(epsilon, 2);
    }
    return grid;
}

std::vector<double> defaultEpsilons(const engine::SearchSpace& space,
                                    const CalibrationOptions& options,
                                    const engine::EpsilonRange& range) {
    if (!options.grid.mechanism.hasEpsilonBound()) {
        return defaultEpsilonGrid(range.low, range.high);
    }
    std::vector<double> grid;
    for (const double above : kGridAboveBound) {
        grid.push_back(boundOf(options, space) + above);
    }
    return grid;
}

std::vector<double> axisEpsilons(const engine::SearchSpace& space,
                                 const CalibrationOptions& options,
                                 const engine::EpsilonRange& range, int points) {
    constexpr int kDigits = 6;
    // A sum of numbers of few digits as it is in decimals.
    constexpr int kWithoutTrace = 15;
    const double origin = boundOf(options, space);
    const std::vector<double> grid = defaultEpsilons(space, options, range);
    std::vector<double> axis =
        spread({0.5 * (grid.front() - origin), 2.0 * (grid.back() - origin)}, 0.0, points);
    for (double& epsilon : axis) {
        epsilon = rounded(origin + rounded(epsilon, kDigits), kWithoutTrace);
    }
    return axis;
}

}  // namespace epsilens::calibration
