#include "tests/support/audit.h"

#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include <catch2/catch.hpp>

// The audit's own code against laws with a closed form.

using namespace epsilens;

namespace {

// Pr[low < N <= high] of a normal variable, from the tail that does not cancel.
double normalMass(double low, double high, double sigma) {
    if (low > 0.0) {
        return normalMass(-high, -low, sigma);
    }
    const auto below = [&](double x) { return 0.5 * std::erfc(-x / (sigma * std::sqrt(2.0))); };
    return below(high) - below(low);
}

}  // namespace

TEST_CASE("Cells on a rectangular grid have the products of normal masses") {
    constexpr double kSigma = 0.6;
    const std::vector<double> xs{0.0, 1.0, 3.0};
    const std::vector<double> ys{-1.0, 1.5};
    test::PlaneMechanism mechanism;
    for (const double x : xs) {
        for (const double y : ys) {
            mechanism.sites.push_back({x, y});
        }
    }
    mechanism.scale = kSigma;
    mechanism.density = [&](std::size_t word, double x, double y) {
        const double dx = x - mechanism.sites[word].x;
        const double dy = y - mechanism.sites[word].y;
        return std::exp(-0.5 * (dx * dx + dy * dy) / (kSigma * kSigma)) /
               (2.0 * std::numbers::pi * kSigma * kSigma);
    };
    const RowMatrixD found = test::planeProbabilities(mechanism);
    const auto alongX = test::lineProbabilities(
        xs, [](double low, double high) { return normalMass(low, high, kSigma); });
    const auto alongY = test::lineProbabilities(
        ys, [](double low, double high) { return normalMass(low, high, kSigma); });
    for (Eigen::Index word = 0; word < 6; ++word) {
        for (Eigen::Index output = 0; output < 6; ++output) {
            CAPTURE(word, output);
            CHECK(
                found(word, output) ==
                Approx(alongX(word / 2, output / 2) * alongY(word % 2, output % 2)).epsilon(1e-9));
        }
    }
}

TEST_CASE("In the disc the cells are bounded by circles") {
    // Poincare distance, words at 0 and (a, 0): the bisector is the circle about (1/a, 0) with
    // R^2 = 1/a^2 - 1, orthogonal to the rim. Under the uniform law the cell of (a, 0) has the area
    // of the lens, acos(a) + R^2 acos(a R) - R, over pi.
    constexpr double kA = 0.6;
    const double r = std::sqrt(1.0 / (kA * kA) - 1.0);
    const double lens = std::acos(kA) + r * r * std::acos(kA * r) - r;
    test::PlaneMechanism mechanism;
    mechanism.sites = {{0.0, 0.0, 1.0}, {kA, 0.0, 1.0 / (1.0 - kA * kA)}};
    mechanism.unitDisc = true;
    mechanism.density = [](std::size_t, double, double) { return 1.0 / std::numbers::pi; };
    const RowMatrixD found = test::planeProbabilities(mechanism);
    for (const Eigen::Index word : {0, 1}) {
        CHECK(found(word, 1) == Approx(lens / std::numbers::pi).epsilon(1e-9));
        CHECK(found(word, 0) == Approx(1.0 - lens / std::numbers::pi).epsilon(1e-9));
    }
}

TEST_CASE("A cell seen behind others is not missed") {
    // Normal law, all words on one ray: strips, and a mass of 1e-9 at the end.
    test::PlaneMechanism mechanism;
    mechanism.sites = {{0, 0}, {2, 0}, {5, 0}, {7, 0}};
    mechanism.density = [&](std::size_t word, double x, double y) {
        const double dx = x - mechanism.sites[word].x;
        return std::exp(-0.5 * (dx * dx + y * y)) / (2.0 * std::numbers::pi);
    };
    const RowMatrixD found = test::planeProbabilities(mechanism);
    CHECK(found(0, 3) ==
          Approx(normalMass(6.0, std::numeric_limits<double>::infinity(), 1.0)).epsilon(1e-9));
    CHECK(found(0, 2) == Approx(normalMass(3.5, 6.0, 1.0)).epsilon(1e-9));
}

TEST_CASE("The two-sided exponential law sums to 1 and keeps its tails") {
    const double infinity = std::numeric_limits<double>::infinity();
    CHECK(test::laplaceMass(-infinity, infinity, 2.0) == 1.0);
    CHECK(test::laplaceMass(0.0, infinity, 2.0) == 0.5);
    CHECK(test::laplaceMass(100.0, infinity, 2.0) == Approx(0.5 * std::exp(-200.0)).epsilon(1e-12));
    CHECK(test::laplaceMass(-infinity, -100.0, 2.0) == test::laplaceMass(100.0, infinity, 2.0));
    CHECK(test::laplaceMass(-1.0, 2.0, 0.5) + test::laplaceMass(2.0, 3.0, 0.5) ==
          Approx(test::laplaceMass(-1.0, 3.0, 0.5)).epsilon(1e-15));
}

TEST_CASE("The largest log ratio of a table is found, a zero included") {
    RowMatrixD table(3, 3);
    table << 0.5, 0.25, 0.25,  //
        0.25, 0.5, 0.25,       //
        0.0, 0.5, 0.5;
    const auto losses = test::largestLosses(table);
    REQUIRE(losses.size() == 6);
    CHECK(losses[0].loss == Approx(std::log(2.0)));  // 0 against 1
    CHECK(losses[0].output == 0);
    CHECK(std::isinf(losses[1].loss));  // 0 against 2: output 0 never comes from 2
    const auto result = test::audit(table.topRows(2), [](std::size_t, std::size_t) { return 0.5; });
    CHECK(result.largestShare == Approx(2.0 * std::log(2.0)));
    CHECK(result.largestExcess == Approx(std::log(2.0) - 0.5));
}

TEST_CASE("Chi-square of counts, and its critical value from tables") {
    const std::vector<int> counts{30, 50, 20, 0};
    VectorD probabilities(4);
    probabilities << 0.25, 0.5, 0.24, 0.01;
    // Expected 25, 50, 24 and 1; the last is rare on its own: 25/25 + 0 + 16/24 + 1/1.
    const auto found = test::chiSquare(counts, probabilities);
    CHECK(found.degreesOfFreedom == 3);
    CHECK(found.statistic == Approx(1.0 + 16.0 / 24.0 + 1.0));
    CHECK(test::chiSquareCritical(10, 0.05) == Approx(18.307).epsilon(1e-4));
    CHECK(test::chiSquareCritical(1, 0.001) == Approx(10.828).epsilon(1e-4));
}
