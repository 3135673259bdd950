#include "core/calibration/summary.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <iterator>
#include <vector>

#include <Eigen/Core>

#include "core/numeric/quantile.h"

namespace epsilens::calibration {
namespace {

struct Percentile {
    int percent;
    double Summary::*value;
};

constexpr std::array<Percentile, 7> kPercentiles{{{1, &Summary::p1},
                                                  {5, &Summary::p5},
                                                  {25, &Summary::p25},
                                                  {50, &Summary::p50},
                                                  {75, &Summary::p75},
                                                  {95, &Summary::p95},
                                                  {99, &Summary::p99}}};

template <typename T>
Summary summarizeValues(std::span<const T> values) {
    assert(!values.empty());
    std::vector<T> sorted(values.begin(), values.end());
    std::ranges::sort(sorted);
    const double n = static_cast<double>(sorted.size());
    double sum = 0.0;
    for (const T value : sorted) {
        sum += static_cast<double>(value);
    }
    Summary summary;
    summary.mean = sum / n;
    double squares = 0.0;
    for (const T value : sorted) {
        const double deviation = static_cast<double>(value) - summary.mean;
        squares += deviation * deviation;
    }
    summary.sd = std::sqrt(squares / n);
    summary.min = sorted.front();
    for (const auto& [percent, value] : kPercentiles) {
        summary.*value = numeric::quantileOfSorted(std::span<const T>(sorted), percent / 100.0);
    }
    summary.max = sorted.back();
    return summary;
}

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

double Summary::percentile(int percent) const {
    const auto found = std::ranges::find(kPercentiles, percent, &Percentile::percent);
    assert(found != kPercentiles.end() && "percentile is not stored");
    return this->*found->value;
}

Summary summarize(std::span<const float> values) {
    return summarizeValues(values);
}

Summary summarize(std::span<const double> values) {
    return summarizeValues(values);
}

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
