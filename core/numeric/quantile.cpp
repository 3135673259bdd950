#include "core/numeric/quantile.h"

#include <algorithm>
#include <cassert>
#include <cstddef>

#include <boost/math/distributions/students_t.hpp>

namespace epsilens::numeric {
namespace {

template <typename T>
double quantile(std::span<const T> sorted, double probability) {
    assert(!sorted.empty() && probability >= 0.0 && probability <= 1.0);
    const double position = static_cast<double>(sorted.size() - 1) * probability;
    const auto below = static_cast<std::size_t>(position);
    const std::size_t above = std::min(below + 1, sorted.size() - 1);
    const double low = sorted[below];
    const double high = sorted[above];
    const double share = position - static_cast<double>(below);
    if (share == 0.0 || low == high) {
        return low;
    }
    return low + share * (high - low);
}

}  // namespace

double quantileOfSorted(std::span<const double> sorted, double probability) {
    return quantile(sorted, probability);
}

double quantileOfSorted(std::span<const float> sorted, double probability) {
    return quantile(sorted, probability);
}

double studentQuantile(double degrees, double probability) {
    return boost::math::quantile(boost::math::students_t(degrees), probability);
}

double studentProbability(double degrees, double t) {
    return boost::math::cdf(boost::math::students_t(degrees), t);
}

}  // namespace epsilens::numeric
