#include "core/calibration/epsilon_defaults.h"

#include <algorithm>

#include "core/calibration/tem_run.h"
#include "core/engine/create_series.h"
#include "core/numeric/hyperbolic_radius.h"

namespace epsilens::calibration {
namespace {

constexpr double kSuggestedAboveBound = 10.0;
constexpr double kGridAboveBound[] = {1.0, 5.0, 10.0, 20.0, 40.0};

Result<engine::EpsilonRange> noiseRange(const engine::SearchSpace& space,
                                        const CalibrationOptions& options, double lambda,
                                        const JobContext& job) {
    const auto series = engine::createSeries(
        space, {options.mechanism, {lambda}, options.law, mechanism::Placement::mobius});
    if (!series) {
        return tl::unexpected(series.error());
    }
    return engine::estimateEpsilonRange(**series, options.seed, options.threads, job);
}

}  // namespace

double epsilonOrigin(const CalibrationOptions& options, std::int64_t dimensions) {
    return defaultsFollowBound(options) ? numeric::epsilonBound(options.law, dimensions) : 0.0;
}

bool defaultsFollowBound(const CalibrationOptions& options) {
    return options.mechanism == mechanism::Kind::hyperbolic &&
           options.law == mechanism::RadialLaw::riemannian;
}

Result<engine::EpsilonRange> estimateRange(const engine::SearchSpace& space,
                                           const CalibrationOptions& options,
                                           const JobContext& job) {
    if (options.mechanism == mechanism::Kind::tem) {
        return estimateTemRange(space, options, job);
    }
    const std::vector<double> lambdas = lambdasOf(options);
    const auto [least, most] = std::minmax_element(lambdas.begin(), lambdas.end());
    auto range = noiseRange(space, options, *least, job);
    if (range && *most > *least) {
        auto other = noiseRange(space, options, *most, job);
        if (!other) {
            return other;
        }
        range->low = std::min(range->low, other->low);
        range->high = std::max(range->high, other->high);
    }
    if (range && defaultsFollowBound(options)) {
        range->suggested =
            epsilonOrigin(options, space.embedding().dimensions()) + kSuggestedAboveBound;
    }
    return range;
}

std::vector<double> defaultEpsilons(const engine::SearchSpace& space,
                                    const CalibrationOptions& options,
                                    const engine::EpsilonRange& range) {
    if (!defaultsFollowBound(options)) {
        return defaultEpsilonGrid(range.low, range.high);
    }
    std::vector<double> grid;
    for (const double above : kGridAboveBound) {
        grid.push_back(epsilonOrigin(options, space.embedding().dimensions()) + above);
    }
    return grid;
}

}  // namespace epsilens::calibration
