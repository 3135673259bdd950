#include "core/calibration/mean_interval.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include <Eigen/Core>

namespace epsilens::calibration {
namespace {

using Values = Eigen::ArrayXd;

Values valuesOf(std::span<const float> values) {
    return Eigen::Map<const Eigen::ArrayXf>(values.data(), std::ssize(values)).cast<double>();
}

double squaredDeviations(const Values& values) {
    return (values - values.mean()).square().sum();
}

double deviationsOf(std::span<const double> sums) {
    return squaredDeviations(Eigen::Map<const Values>(sums.data(), std::ssize(sums)));
}

}  // namespace

double contributionVariance(std::span<const double> sums) {
    const double draws = static_cast<double>(sums.size());
    return deviationsOf(sums) / (draws * (draws - 1.0));
}

double jackknifeVariance(std::span<const double> sums) {
    const double draws = static_cast<double>(sums.size());
    return deviationsOf(sums) * (draws - 1.0) / draws;
}

MeanError shareError(std::span<const float> counts, int draws, double sharedVariance,
                     double sampledShare) {
    const double n = static_cast<double>(counts.size());
    const Values shares = valuesOf(counts) / draws;
    const double within = (shares * (1.0 - shares)).mean() / (draws - 1.0);
    const double covariance = (n * sharedVariance - within) / (n - 1.0);
    const double spread =
        std::max(0.0, squaredDeviations(shares) / (n - 1.0) - within + covariance);
    return {std::sqrt((1.0 - sampledShare) * spread / n + sharedVariance), std::sqrt(spread)};
}

double jackknifeError(std::span<const float> values, double sharedVariance, double sampledShare) {
    const double n = static_cast<double>(values.size());
    const double variance = squaredDeviations(valuesOf(values)) / (n - 1.0);
    return std::sqrt((1.0 - sampledShare) * variance / n + sharedVariance);
}

double largestShareOfNone(int draws) {
    return -std::expm1(std::log(0.05) / draws);
}

}  // namespace epsilens::calibration
