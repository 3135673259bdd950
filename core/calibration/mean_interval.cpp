#include "core/calibration/mean_interval.h"

#include <algorithm>
#include <cmath>

namespace epsilens::calibration {
namespace {

double mean(std::span<const double> values) {
    double sum = 0.0;
    for (const double value : values) {
        sum += value;
    }
    return sum / static_cast<double>(values.size());
}

double squaredDeviations(std::span<const double> values) {
    const double centre = mean(values);
    double sum = 0.0;
    for (const double value : values) {
        sum += (value - centre) * (value - centre);
    }
    return sum;
}

// Sample variance (divisor n - 1) of values times a factor.
double sampleVariance(std::span<const float> values, double factor) {
    double sum = 0.0;
    for (const float value : values) {
        sum += static_cast<double>(value);
    }
    const double n = static_cast<double>(values.size());
    const double centre = sum / n;
    double squares = 0.0;
    for (const float value : values) {
        const double deviation = static_cast<double>(value) - centre;
        squares += deviation * deviation;
    }
    return factor * factor * squares / (n - 1.0);
}

}  // namespace

double contributionVariance(std::span<const double> sums) {
    const double draws = static_cast<double>(sums.size());
    return squaredDeviations(sums) / (draws * (draws - 1.0));
}

double jackknifeVariance(std::span<const double> sums) {
    const double draws = static_cast<double>(sums.size());
    return squaredDeviations(sums) * (draws - 1.0) / draws;
}

MeanError shareError(std::span<const float> counts, int draws, double sharedVariance,
                     double sampledShare) {
    const double n = static_cast<double>(counts.size());
    const double r = draws;
    double withinSum = 0.0;
    for (const float count : counts) {
        const double share = static_cast<double>(count) / r;
        withinSum += share * (1.0 - share);
    }
    const double within = withinSum / n / (r - 1.0);
    const double covariance = (n * sharedVariance - within) / (n - 1.0);
    const double spread = std::max(0.0, sampleVariance(counts, 1.0 / r) - within + covariance);
    return {std::sqrt((1.0 - sampledShare) * spread / n + sharedVariance), std::sqrt(spread)};
}

double jackknifeError(std::span<const float> values, double sharedVariance, double sampledShare) {
    const double n = static_cast<double>(values.size());
    return std::sqrt((1.0 - sampledShare) * sampleVariance(values, 1.0) / n + sharedVariance);
}

double largestShareOfNone(int draws) {
    return -std::expm1(std::log(0.05) / draws);
}

}  // namespace epsilens::calibration
