#include "core/numeric/radial_laws.h"

#include <cmath>
#include <limits>
#include <vector>

#include <catch2/catch.hpp>

#include "core/numeric/quantile.h"

using namespace epsilens;
using namespace epsilens::numeric;

TEST_CASE("The gamma quantile of shape 1 is the exponential's") {
    for (const double q : {1e-12, 0.1, 0.5, 0.999}) {
        CHECK(gammaQuantile(1.0, q) == Approx(-std::log1p(-q)).epsilon(1e-12));
    }
}

TEST_CASE("The gamma quantile inverts the closed form of shape 2") {
    // F(x) = 1 - (1 + x) e^-x
    for (const double x : {0.01, 1.0, 4.744, 20.0}) {
        const double q = -std::expm1(-x) - x * std::exp(-x);
        CHECK(gammaQuantile(2.0, q) == Approx(x).epsilon(1e-9));
    }
}

TEST_CASE("Planar radii agree with independently computed values") {
    // Computed in 30-digit arithmetic from the defining integral; four digits are given.
    struct Row {
        long dimensions;
        double half;
        double most;
    };
    for (const Row& row : {Row{2, 1.678, 4.744}, Row{3, 2.027, 5.368}, Row{10, 3.686, 8.457},
                           Row{300, 20.38, 42.54}}) {
        CAPTURE(row.dimensions);
        CHECK(planarRadiusQuantile(0.5, row.dimensions) == Approx(row.half).epsilon(5e-4));
        CHECK(planarRadiusQuantile(0.95, row.dimensions) == Approx(row.most).epsilon(5e-4));
    }
}

TEST_CASE("The planar radius of m = 3 solves its closed form") {
    // For m = 3 the projection of Y X on a plane has P(radius > rho) =
    // int_rho^inf sqrt(1 - rho^2/y^2) y^2/2 e^-y dy = rho^2/2 K_2(rho) ... checked by quadrature
    // with a plain midpoint rule in the variable y = rho cosh s.
    const double rho = planarRadiusQuantile(0.8, 3);
    double tail = 0.0;
    const double step = 1e-4;
    for (int i = 0; i < 120'000; ++i) {
        const double s = (i + 0.5) * step;
        const double y = rho * std::cosh(s);
        tail += std::tanh(s) * 0.5 * y * y * std::exp(-y) * rho * std::sinh(s) * step;
    }
    CHECK(tail == Approx(0.2).epsilon(1e-7));
}

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
