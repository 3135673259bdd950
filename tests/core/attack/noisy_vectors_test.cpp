#include "core/attack/noisy_vectors.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include <catch2/catch.hpp>

#include "core/attack/prior.h"
#include "core/base/random_stream.h"
#include "core/engine/create_series.h"
#include "core/engine/noise_draws.h"
#include "tests/core/attack/attack_support.h"
#include "tests/support/brute_force.h"
#include "tests/support/statistical.h"
#include "tests/support/toy_embedding.h"

// References: closed forms for few words; draws of the mechanism itself with other seeds.

using namespace epsilens;
using namespace epsilens::corpus;
using namespace epsilens::attack;
using test::tolerance;
using test::zipfPrior;

namespace {

struct NoiseCase {
    mechanism::Mechanism mechanism;
    double epsilon;
    RowMatrixF vectors;
};

NoiseCase noiseOnLine() {
    RowMatrixF vectors(3, 1);
    vectors << 0.0F, 1.0F, 3.0F;
    return {mechanism::Laplace{}, 1.5, vectors};
}

Measured upperEnd(const NoiseCase& noise, const VectorD& prior, std::int64_t samples) {
    const auto embedding = test::toyEmbedding(noise.vectors);
    return noisyVectorSuccess(embedding, noise.mechanism.on(embedding).value(), noise.epsilon,
                              prior, 21, 0, {}, samples)
        .value();
}

}  // namespace

TEST_CASE("On a line the noisy vector tells what the output tells") {
    // With a uniform prior the best guess from the noisy point is the nearest word, the output. The
    // word at 0 is kept unless the noise exceeds 1/2, that at 1 unless it is below -1/2 or above 1,
    // that at 3 unless it is below -1, each with probability 1/2 e^(-epsilon x).
    const NoiseCase line = noiseOnLine();
    const auto tail = [&](double x) { return 0.5 * std::exp(-line.epsilon * x); };
    const double kept = 1.0 - (2.0 * tail(0.5) + 2.0 * tail(1.0)) / 3.0;
    CHECK(upperEnd(line, uniformPrior(3), 20'000).value == Approx(kept).margin(tolerance(20'000)));
}

TEST_CASE("Two words in three dimensions have a closed form, with elliptical noise too") {
    // Noise of length Y / epsilon, Y ~ Gamma(3), in a uniform direction exceeds t along an axis
    // with probability (2 + a) e^(-a) / 4, a = epsilon t. The words are at distance 2 t.
    RowMatrixF vectors(2, 3);
    vectors << 0.0F, 0.0F, 0.0F, 1.0F, 2.0F, 2.0F;
    for (const double lambda : {0.0, 0.5}) {
        const auto embedding = test::toyEmbedding(vectors);
        const double distance =
            metric::WordMetric::create(embedding, metric::Metric::mahalanobis, lambda)
                .value()
                .distance(0, 1);
        const double a = 1.2 * distance / 2.0;
        const double expected = 1.0 - (2.0 + a) * std::exp(-a) / 4.0;
        const NoiseCase noise{mechanism::Mahalanobis{lambda}, 1.2, vectors};
        CAPTURE(lambda, distance);
        CHECK(upperEnd(noise, uniformPrior(2), 20'000).value ==
              Approx(expected).margin(tolerance(20'000)));
    }
}

TEST_CASE("From the noisy point of the ball the nearest word is the best guess") {
    // Densities fall with the distance, so under a uniform prior the success is the mean share of
    // words that come out unchanged, here drawn by the engine.
    const mechanism::RadialLaw law =
        GENERATE(mechanism::RadialLaw::eq7, mechanism::RadialLaw::riemannian);
    const NoiseCase noise{mechanism::Hyperbolic{law}, 6.0, test::poincareVectors(12, 3, 0.9, 84)};
    const auto embedding = test::toyEmbedding(noise.vectors);
    const engine::SearchSpace space(embedding);
    const auto series = engine::createSeries(space, noise.mechanism, {}).value();
    std::vector<Row> words(12);
    std::iota(words.begin(), words.end(), 0);
    engine::SelectionOptions options;
    options.draws = 2000;
    options.seed = 5;
    const auto outputs =
        engine::drawOutputs(*series, words, std::vector{noise.epsilon}, options).value();
    double kept = 0.0;
    for (const Row word : words) {
        const auto& row = outputs[static_cast<std::size_t>(word)].outputs.front();
        kept += static_cast<double>(std::count(row.begin(), row.end(), word)) / (12.0 * 2000.0);
    }
    // The words of the engine share their draws: their mean has the error of 2,000 draws at most.
    CHECK(upperEnd(noise, uniformPrior(12), 20'000).value ==
          Approx(kept).margin(tolerance(20'000) + tolerance(2'000)));
}

TEST_CASE("Words are drawn with their prior") {
    const VectorD prior = zipfPrior(5);
    std::vector<std::int64_t> counts(5);
    for (const Row word : drawWords(prior, 40'000, 3)) {
        ++counts[static_cast<std::size_t>(word)];
    }
    for (Row word = 0; word < 5; ++word) {
        CHECK(static_cast<double>(counts[static_cast<std::size_t>(word)]) / 40'000.0 ==
              Approx(prior[word]).margin(tolerance(40'000)));
    }
}
