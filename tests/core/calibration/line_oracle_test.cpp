#include <algorithm>
#include <cmath>
#include <numeric>

#include <catch2/catch.hpp>

#include "core/calibration/calibrate.h"
#include "core/engine/elliptical_series.h"
#include "core/engine/paths.h"
#include "tests/support/audit.h"
#include "tests/support/statistical.h"
#include "tests/support/toy_embedding.h"

// In one dimension the output distribution is known: the noise is a two-sided exponential, and a
// word is returned when the noisy point falls between the midpoints to its neighbours. This is the
// oracle for the whole chain from vectors to counts.

using namespace epsilens;

namespace {

const std::vector<double> kPlaces{-3.0, -1.0, -0.5, 0.25, 0.5, 2.0, 4.5, 5.0};

RowMatrixF lineVectors() {
    RowMatrixF vectors(static_cast<Eigen::Index>(kPlaces.size()), 1);
    for (std::size_t i = 0; i < kPlaces.size(); ++i) {
        vectors(static_cast<Eigen::Index>(i), 0) = static_cast<float>(kPlaces[i]);
    }
    return vectors;
}

// Row: input, column: output.
RowMatrixD probabilitiesAt(double epsilon) {
    return test::lineProbabilities(
        kPlaces, [&](double low, double high) { return test::laplaceMass(low, high, epsilon); });
}

}  // namespace

TEST_CASE("Calibration on a line returns the closed-form N_w and S_w") {
    constexpr int kDraws = 20000;
    // With one dimension Sigma scaled to trace 1 is the identity: lambda must not matter.
    const double lambda = GENERATE(0.0, 0.5);
    const engine::SearchSpace space(test::toyEmbedding(lineVectors()));
    calibration::CalibrationOptions options;
    options.mechanism = mechanism::Kind::mahalanobis;
    options.lambdas = {lambda};
    options.epsilons = {0.3, 1.0, 3.0};
    options.words.kind = calibration::WordSelection::Kind::all;
    options.draws = kDraws;
    options.criticalEpsilons = true;
    const auto summary = calibration::calibrate(space, options).value();
    REQUIRE(summary.perWord.words.size() == kPlaces.size());
    // 24 checks of a binomial count each; false-alarm rate 1e-6 together.
    const double critical = test::normalCritical(1e-6 / 24.0);
    for (std::size_t w = 0; w < kPlaces.size(); ++w) {
        for (std::size_t e = 0; e < options.epsilons.size(); ++e) {
            const auto word = static_cast<Eigen::Index>(w);
            const double p = probabilitiesAt(options.epsilons[e])(word, word);
            const double count = summary.perWord.nw[w * summary.perWord.cells + e];
            CAPTURE(w, options.epsilons[e], p, count);
            CHECK(std::fabs(count - kDraws * p) <= critical * std::sqrt(kDraws * p * (1.0 - p)));
            // The kept count is the number of critical values at or below epsilon.
            const auto first =
                summary.critical[0].values.begin() + static_cast<std::ptrdiff_t>(w * kDraws);
            CHECK(count ==
                  static_cast<double>(std::count_if(first, first + kDraws, [&](double value) {
                      return value <= options.epsilons[e];
                  })));
        }
    }
}

TEST_CASE("The law of critical epsilon on a line") {
    // For the leftmost word at distance g from its only neighbour: kept iff noise < g/2, so
    // Pr[critical <= epsilon] = 1 - exp(-epsilon g / 2) / 2.
    const engine::SearchSpace space(test::toyEmbedding(lineVectors()));
    const auto noise =
        mechanism::EllipticalNoise::create({space.handle(), &space.handle()->basis}, 0.0).value();
    engine::PathOptions options;
    options.words = {0};
    options.draws = 4000;
    const engine::PathTable paths =
        engine::computePaths(engine::EllipticalSeries(space, {noise}), options).value();
    std::vector<double> positive;
    for (int draw = 0; draw < options.draws; ++draw) {
        const double value = paths.criticalEpsilon(0, draw);
        if (value > 0.0) {
            positive.push_back(value);
        }
    }
    // Half of the draws point away from every other word.
    const double half = 0.5 * options.draws;
    CHECK(std::fabs(static_cast<double>(positive.size()) - half) <
          test::normalCritical(1e-6) * std::sqrt(0.5 * half));
    CHECK(test::ksDistance(positive, [](double x) { return 1.0 - std::exp(-x); }) <
          test::ksCritical(positive.size(), 1e-6));
}
