#include "core/calibration/options.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <catch2/catch.hpp>

#include "core/engine/word_sample.h"
#include "core/numeric/quantile.h"
#include "tests/core/calibration/calibration_fixture.h"
#include "tests/support/toy_embedding.h"

using namespace epsilens;
using namespace epsilens::calibration;

TEST_CASE("Word selections are sorted, distinct and repeatable") {
    WordSelection selection;
    selection.count = 40;
    const auto rows = selectWords(selection, 1000, 3).value();
    CHECK(rows == engine::sampleWords(1000, 40, 3));  // whose law is tested with it
    CHECK(selectWords(selection, 20, 3).value() == test::rowsBelow(20));
    selection.kind = WordSelection::Kind::list;
    selection.rows = {5, 2, 5};
    CHECK(selectWords(selection, 10, 1).value() == std::vector<Row>{2, 5});
    CHECK_FALSE(selectWords(selection, 4, 1));
    selection.rows.clear();
    CHECK_FALSE(selectWords(selection, 4, 1));
}

TEST_CASE("Impossible options are refused with the allowed range") {
    using Options = CalibrationOptions;
    RowMatrixF vectors = test::anisotropicVectors(5, 8, 61);
    vectors.row(2).setZero();
    const auto handle = test::toyEmbedding(vectors);
    CalibrationOptions noise{{}, {mechanism::Mahalanobis{}, {1.0}, {0.5}}};
    CalibrationOptions tem = noise;
    tem.grid.mechanism = mechanism::Tem{metric::Metric::mahalanobis};
    CHECK(validate(noise, *handle));
    CHECK(validate(tem, *handle));
    // Without a Mahalanobis distance there is no lambda to refuse.
    CalibrationOptions euclidean = tem;
    euclidean.grid.mechanism = mechanism::Tem{};
    euclidean.grid.lambdas = {7.0};
    CHECK(validate(euclidean, *handle));
    struct Case {
        const Options& valid;
        void (*change)(Options& options);
        const char* part;
    };
    constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
    for (const Case& wrong : std::vector<Case>{
             {noise, [](Options& o) { o.grid.epsilons = {0.0}; }, "above 0"},
             {noise, [](Options& o) { o.grid.epsilons = {kNaN}; }, "epsilon"},
             {noise, [](Options& o) { o.grid.epsilons = {}; }, "no epsilon"},
             {noise, [](Options& o) { o.draws = 0; }, "1 to 1,000,000"},
             {noise, [](Options& o) { o.grid.lambdas = {1.5}; }, "0 to 1"},
             {noise, [](Options& o) { o.grid.lambdas = {1.0}; }, "0.99"},
             {noise, [](Options& o) { o.words.count = 0; }, "at least 1"},
             {tem, [](Options& o) { o.grid.betas = {0.9}; }, "(V - 1)/V = 0.8"},
             {tem, [](Options& o) { o.grid.betas = {}; }, "neither"},
             {tem, [](Options& o) { o.grid.gammas = {-1.0}; }, "at least 0"},
             {tem, [](Options& o) { o.grid.epsilons = {0.0}; }, "above 0"},
             {tem, [](Options& o) { o.grid.lambdas = {1.0}; }, "0.99"},
             {tem, [](Options& o) { o.grid.lambdas = {}; }, "no lambda"},
             {tem, [](Options& o) { o.grid.mechanism = mechanism::Tem{metric::Metric::angular}; },
              "1 rows are zero"},
             {tem, [](Options& o) { o.grid.mechanism = mechanism::Tem{metric::Metric::poincare}; },
              "rows have norm ≥ 1"},
             {tem, [](Options& o) { o.grid.mechanism = mechanism::Hyperbolic{}; }, "hyperbolic"}}) {
        CalibrationOptions changed = wrong.valid;
        wrong.change(changed);
        const auto checked = validate(changed, *handle);
        CAPTURE(wrong.part);
        REQUIRE_FALSE(checked);
        CHECK_THAT(checked.error().message, Catch::Contains(wrong.part));
    }
}

TEST_CASE("A mechanism refuses an epsilon wherever it stands in the grid") {
    const auto handle = test::toyEmbedding(0.1 * test::anisotropicVectors(5, 8, 61));
    CalibrationOptions options;
    options.grid.mechanism = mechanism::Hyperbolic{};
    for (const std::vector<double>& epsilons : std::vector<std::vector<double>>{
             {1e300, 10.0, 20.0}, {10.0, 1e300, 20.0}, {10.0, 20.0, 1e300}}) {
        options.grid.epsilons = epsilons;
        const auto checked = validate(options, *handle);
        REQUIRE_FALSE(checked);
        CHECK_THAT(checked.error().message, Catch::Contains("1e+300"));
    }
    options.grid.epsilons = {10.0, 15.0, 20.0};
    CHECK(validate(options, *handle));
}

// The values of the interface's description.
TEST_CASE("The grids of lambda and beta have the documented defaults") {
    CHECK(defaultLambdaGrid() == std::vector<double>{0.0, 0.25, 0.5, 0.75, 1.0});
    CHECK(defaultBetaGrid() == std::vector<double>{0.001});
}

TEST_CASE("The default grid spans half the low to twice the high end") {
    const auto grid = defaultEpsilonGrid(20.0, 200.0);
    REQUIRE(grid.size() == 5);
    CHECK(grid.front() == 10.0);
    CHECK(grid.back() == 400.0);
    CHECK(grid[2] == 63.0);  // sqrt(10 * 400) = 63.2
    CHECK(std::ranges::is_sorted(grid));
}

namespace {

engine::EpsilonRange rangeAt(const engine::SearchSpace& space, std::vector<double> lambdas) {
    return estimateRange(space, {{}, {mechanism::Mahalanobis{}, {}, std::move(lambdas)}}).value();
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
    CalibrationOptions options{
        {.words = {WordSelection::Kind::all}},
        {mechanism::Tem{metric::Metric::mahalanobis}, {3.0}, {0.0, 0.9}, {}, {0.001, 0.2}}};
    options.criticalEpsilons = true;
    std::vector<float> expected =
        calibration::calibrate(space, options).value().perWord.criticalEpsilonMedian;
    REQUIRE(expected.size() == 150 * 4);
    std::ranges::sort(expected);
    const auto range = estimateRange(space, options).value();
    CHECK(range.words == 150);
    CHECK(range.low == Approx(numeric::quantileOfSorted(expected, 0.05)));
    CHECK(range.high == Approx(numeric::quantileOfSorted(expected, 0.95)));
    // Two significant digits.
    CHECK(range.suggested == Approx(numeric::quantileOfSorted(expected, 0.5)).epsilon(0.05));
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
    const engine::EpsilonRange range{4.0, 3.0, 30.0, 200};
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
