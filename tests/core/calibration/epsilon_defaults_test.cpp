#include "core/calibration/epsilon_defaults.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <catch2/catch.hpp>

#include "core/numeric/quantile.h"
#include "tests/core/calibration/calibration_fixture.h"

using namespace epsilens;
using calibration::CalibrationOptions;
using calibration::estimateRange;
using calibration::Row;

namespace {

engine::EpsilonRange rangeAt(const engine::SearchSpace& space, std::vector<double> lambdas) {
    CalibrationOptions options;
    options.grid.mechanism = mechanism::Mahalanobis{};
    options.grid.lambdas = std::move(lambdas);
    return estimateRange(space, options).value();
}

bool areEqual(const engine::EpsilonRange& one, const engine::EpsilonRange& other) {
    return one.low == other.low && one.high == other.high && one.suggested == other.suggested;
}

}  // namespace

TEST_CASE("A grid has the range of its lambda that is nearest to the default") {
    const auto space = test::toySpace(300, 6, 3);
    const auto atHalf = rangeAt(space, {0.5});
    CHECK(areEqual(rangeAt(space, calibration::defaultLambdaGrid()), atHalf));
    CHECK(areEqual(rangeAt(space, {1.0, 0.0, 0.5}), atHalf));
    CHECK(areEqual(rangeAt(space, {1.0, 0.25, 0.75}), rangeAt(space, {0.25})));
    CHECK_FALSE(areEqual(rangeAt(space, {0.0}), atHalf));
    CHECK_FALSE(areEqual(rangeAt(space, {1.0}), atHalf));
}

// Of single words they are tested in exact_statistics_test.cpp.
TEST_CASE("The range of a TEM spans the epsilons at which its words are kept half of the time") {
    const auto space = test::toySpace(150, 5, 7);
    CalibrationOptions options;
    options.grid.mechanism = mechanism::Tem{metric::Metric::mahalanobis};
    options.grid.lambdas = {0.0, 0.9};
    options.grid.betas = {0.001, 0.2};
    options.grid.epsilons = {3.0};
    options.words.kind = calibration::WordSelection::Kind::all;
    options.criticalEpsilons = true;
    std::vector<float> expected =
        calibration::calibrate(space, options).value().perWord.criticalEpsilonMedian;
    REQUIRE(expected.size() == 150 * 4);
    std::sort(expected.begin(), expected.end());
    const auto range = estimateRange(space, options).value();
    CHECK(range.words == 150);
    CHECK(range.low == Approx(numeric::quantileOfSorted(expected, 0.05)));
    CHECK(range.high == Approx(numeric::quantileOfSorted(expected, 0.95)));
    // Two significant digits.
    CHECK(range.suggested == Approx(numeric::quantileOfSorted(expected, 0.5)).epsilon(0.05));
    CHECK(range.alwaysKept == 0.0);
    options.grid.epsilons = {0.01, 70.0};
    CHECK(areEqual(estimateRange(space, options).value(), range));
}

TEST_CASE("The axis of epsilon has even steps around the default grid, counted from the origin") {
    const auto space = test::spaceOf(test::poincareVectors(60, 3, 0.9, 92));
    CalibrationOptions options;
    const bool isBound = GENERATE(false, true);
    if (isBound) {
        options.grid.mechanism = mechanism::Hyperbolic{};
    }
    const double origin = isBound ? 2.0 : 0.0;
    const engine::EpsilonRange range{4.0, 3.0, 30.0, 200, 0.0};
    const auto grid = calibration::defaultEpsilons(space, options, range);
    const auto axis = calibration::axisEpsilons(space, options, range, 41);
    REQUIRE(axis.size() == 41);
    CHECK(axis.front() - origin == Approx(0.5 * (grid.front() - origin)));
    CHECK(axis.back() - origin == Approx(2.0 * (grid.back() - origin)));
    const double step = std::pow((axis.back() - origin) / (axis.front() - origin), 1.0 / 40.0);
    for (std::size_t i = 1; i < axis.size(); ++i) {
        CHECK((axis[i] - origin) / (axis[i - 1] - origin) == Approx(step).epsilon(1e-5));
    }
}
