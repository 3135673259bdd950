#include "core/statistics/summary.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <vector>

#include "core/numeric/quantile.h"

namespace epsilens::statistics {
namespace {

template <typename T>
Summary summarizeValues(std::span<const T> values) {
    assert(!values.empty());
    std::vector<T> sorted(values.begin(), values.end());
    std::sort(sorted.begin(), sorted.end());
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
    const auto percentile = [&](double p) {
        return numeric::quantileOfSorted(std::span<const T>(sorted), p);
    };
    summary.min = sorted.front();
    summary.p1 = percentile(0.01);
    summary.p5 = percentile(0.05);
    summary.p25 = percentile(0.25);
    summary.p50 = percentile(0.50);
    summary.p75 = percentile(0.75);
    summary.p95 = percentile(0.95);
    summary.p99 = percentile(0.99);
    summary.max = sorted.back();
    return summary;
}

}  // namespace

double Summary::percentile(int percent) const {
    switch (percent) {
        case 1:
            return p1;
        case 5:
            return p5;
        case 25:
            return p25;
        case 50:
            return p50;
        case 75:
            return p75;
        case 95:
            return p95;
        case 99:
            return p99;
        default:
            assert(false && "percentile is not stored");
            return p50;
    }
}

Summary summarize(std::span<const float> values) {
    return summarizeValues(values);
}

Summary summarize(std::span<const double> values) {
    return summarizeValues(values);
}

}  // namespace epsilens::statistics
