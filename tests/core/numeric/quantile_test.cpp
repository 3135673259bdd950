#include "core/numeric/quantile.h"

#include <limits>
#include <vector>

#include <catch2/catch.hpp>

using epsilens::numeric::quantileOfSorted;

TEST_CASE("Quantiles follow Hyndman and Fan's definition 7") {
    // R: quantile(c(1, 2, 4, 8), c(0, .25, .5, .9, 1), type = 7)
    const std::vector<double> sorted{1, 2, 4, 8};
    CHECK(quantileOfSorted(sorted, 0.0) == 1.0);
    CHECK(quantileOfSorted(sorted, 0.25) == 1.75);
    CHECK(quantileOfSorted(sorted, 0.5) == 3.0);
    CHECK(quantileOfSorted(sorted, 0.9) == Approx(6.8).epsilon(1e-14));
    CHECK(quantileOfSorted(sorted, 1.0) == 8.0);
    CHECK(quantileOfSorted(std::vector<double>{5}, 0.3) == 5.0);
}

TEST_CASE("Infinite order statistics do not make a quantile undefined") {
    const double infinity = std::numeric_limits<double>::infinity();
    const std::vector<double> sorted{1, infinity, infinity};
    CHECK(quantileOfSorted(sorted, 0.0) == 1.0);
    CHECK(quantileOfSorted(sorted, 0.25) == infinity);
    CHECK(quantileOfSorted(sorted, 0.75) == infinity);
}
