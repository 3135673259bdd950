#include "core/calibration/epsilon_defaults.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <catch2/catch.hpp>

#include "core/mechanism/truncated_exponential.h"
#include "core/metric/word_metric.h"
#include "tests/support/brute_force.h"
#include "tests/support/toy_embedding.h"

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

/// The epsilon at which a TEM keeps a word with probability 1/2, which rises with epsilon.
double halfKeptAt(const std::vector<double>& distances, Row word, double beta) {
    const auto words = static_cast<std::int64_t>(distances.size());
    double low = 1e-6;
    double high = 1e6;
    for (int step = 0; step < 60; ++step) {
        const double epsilon = std::sqrt(low * high);
        const double gamma = mechanism::truncationRadius(epsilon, beta, words).value();
        const auto tem = mechanism::TruncatedExponential::create(epsilon, gamma).value();
        const double kept = tem.probabilities(distances)[static_cast<std::size_t>(word)];
        (kept < 0.5 ? low : high) = epsilon;
    }
    return high;
}

/// Percentile of sorted values by linear interpolation (Hyndman and Fan, type 7).
double percentile(const std::vector<double>& sorted, double percent) {
    const double place = percent / 100.0 * static_cast<double>(sorted.size() - 1);
    const auto below = static_cast<std::size_t>(place);
    const double above = sorted[std::min(below + 1, sorted.size() - 1)];
    return sorted[below] + (place - std::floor(place)) * (above - sorted[below]);
}

}  // namespace

TEST_CASE("A grid has the range of its lambda that is nearest to the default") {
    const auto embedding = test::toyEmbedding(test::anisotropicVectors(300, 6, 3));
    const engine::SearchSpace space(embedding);
    const auto atHalf = rangeAt(space, {0.5});
    CHECK(areEqual(rangeAt(space, calibration::defaultLambdaGrid()), atHalf));
    CHECK(areEqual(rangeAt(space, {1.0, 0.0, 0.5}), atHalf));
    CHECK(areEqual(rangeAt(space, {1.0, 0.25, 0.75}), rangeAt(space, {0.25})));
    CHECK_FALSE(areEqual(rangeAt(space, {0.0}), atHalf));
    CHECK_FALSE(areEqual(rangeAt(space, {1.0}), atHalf));
}

// Reference: every word's epsilon bisected on the closed form over float64 distances.
TEST_CASE("The range of a TEM spans the epsilons at which its words are kept half of the time") {
    constexpr Row kWords = 150;
    const auto embedding = test::toyEmbedding(test::anisotropicVectors(kWords, 5, 7));
    const engine::SearchSpace space(embedding);
    CalibrationOptions options;
    options.grid.mechanism = mechanism::Tem{metric::Metric::mahalanobis};
    options.grid.lambdas = {0.0, 0.9};
    options.grid.betas = {0.001, 0.2};
    std::vector<double> expected;
    for (const double lambda : options.grid.lambdas) {
        const auto metric =
            metric::WordMetric::create(embedding, metric::Metric::mahalanobis, lambda).value();
        for (Row word = 0; word < kWords; ++word) {
            const std::vector<double> distances = test::distancesFrom(metric, word);
            for (const double beta : options.grid.betas) {
                expected.push_back(halfKeptAt(distances, word, beta));
            }
        }
    }
    std::sort(expected.begin(), expected.end());

    options.grid.epsilons = {3.0};
    const auto range = estimateRange(space, options).value();
    CHECK(range.words == kWords);
    CHECK(range.low == Approx(percentile(expected, 5)).epsilon(1e-5));
    CHECK(range.high == Approx(percentile(expected, 95)).epsilon(1e-5));
    // Two significant digits.
    CHECK(range.suggested == Approx(percentile(expected, 50)).epsilon(0.05));
    CHECK(range.alwaysKept == 0.0);
    options.grid.epsilons = {0.01, 70.0};
    CHECK(areEqual(estimateRange(space, options).value(), range));
}

TEST_CASE("The axis of epsilon has even steps around the default grid, counted from the origin") {
    const engine::SearchSpace space(test::toyEmbedding(test::poincareVectors(60, 3, 0.9, 92)));
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
