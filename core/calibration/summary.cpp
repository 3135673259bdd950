#include "core/calibration/summary.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <vector>

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

}  // namespace epsilens::calibration
