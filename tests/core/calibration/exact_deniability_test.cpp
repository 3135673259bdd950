#include "core/calibration/word_comparison.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include <catch2/catch.hpp>

#include "tests/core/calibration/calibration_fixture.h"
#include "tests/support/refusal.h"
#include "tests/support/sanitized.h"
#include "tests/support/toy_embedding.h"

// Reference: the definition, with every interval that begins at a probability tried.

using namespace epsilens;
using namespace epsilens::calibration;
using mechanism::TruncatedExponential;
using metric::Metric;

namespace {

engine::MetricSpace spaceOf(const RowMatrixF& vectors, Metric metric) {
    return test::metricSpaceOf(test::toyEmbedding(vectors), metric, 0.5);
}

std::vector<double> byDefinition(const engine::MetricSpace& space,
                                 const TruncatedExponential& mechanism, double odds) {
    const auto count = static_cast<std::size_t>(space.wordCount());
    std::vector<std::vector<double>> laws;
    laws.reserve(count);
    for (engine::Row word = 0; word < space.wordCount(); ++word) {
        std::vector<double> distances(count);
        for (std::size_t other = 0; other < count; ++other) {
            distances[other] = space.distance(word, static_cast<engine::Row>(other));
        }
        laws.push_back(mechanism.probabilities(distances));
    }
    std::vector<double> result(count);
    for (std::size_t u = 0; u < count; ++u) {
        for (std::size_t w = 0; w < count; ++w) {
            int largest = 0;
            for (std::size_t low = 0; low < count; ++low) {
                const double x = laws[low][u];
                const auto inside = [&](double p) {
                    return p >= x * (1.0 - 1e-12) && p <= odds * x * (1.0 + 1e-12);
                };
                if (!inside(laws[w][u])) {
                    continue;
                }
                int size = 0;
                for (std::size_t other = 0; other < count; ++other) {
                    size += inside(laws[other][u]) ? 1 : 0;
                }
                largest = std::max(largest, size);
            }
            result[w] += laws[w][u] * largest;
        }
    }
    return result;
}

std::vector<engine::Row> allWords(const engine::MetricSpace& space) {
    std::vector<engine::Row> words(static_cast<std::size_t>(space.wordCount()));
    std::iota(words.begin(), words.end(), engine::Row{0});
    return words;
}

}  // namespace

TEST_CASE("Deniability is the mean size of the largest set, by definition") {
    const Metric metric = GENERATE(Metric::euclidean, Metric::mahalanobis, Metric::angular);
    RowMatrixF vectors = test::anisotropicVectors(70, 3, 101);
    vectors.row(8) = vectors.row(3);
    const engine::MetricSpace space = spaceOf(vectors, metric);
    // The definition takes long under the sanitizers, which look at what the code does.
    const std::vector<double> epsilons =
        test::kSanitized ? std::vector{3.0} : std::vector{0.3, 3.0, 12.0};
    for (const double epsilon : epsilons) {
        for (const double gamma : {0.7, 50.0}) {
            const auto mechanism = TruncatedExponential::create(epsilon, gamma).value();
            for (const double odds : {1.02, 2.0, 20.0}) {
                const std::vector<double> expected = byDefinition(space, mechanism, odds);
                const auto exact =
                    exactDeniability(space, mechanism, allWords(space), odds, 1).value();
                for (std::size_t w = 0; w < expected.size(); ++w) {
                    CAPTURE(metric::metricName(metric), epsilon, gamma, odds, w);
                    REQUIRE(exact[w] == Approx(expected[w]).epsilon(1e-10));
                }
                const std::vector<engine::Row> one{8};
                REQUIRE(exactDeniability(space, mechanism, one, odds, 3).value()[0] == exact[8]);
            }
        }
    }
}

TEST_CASE(
    "Deniability is V for a uniform output and at odds of the cap, 1 for words that stand out") {
    const engine::MetricSpace space =
        spaceOf(test::anisotropicVectors(130, 4, 102), Metric::euclidean);
    const std::vector<engine::Row> words{0, 64, 129};
    const auto all = [&](const TruncatedExponential& mechanism, double odds, double expected) {
        const std::vector<double> values = exactDeniability(space, mechanism, words, odds).value();
        for (const double value : values) {
            CHECK(value == Approx(expected).epsilon(1e-12));
        }
    };
    all(TruncatedExponential::create(3.0, 0.0).value(), 1.0, 130.0);
    // No two probabilities of an output differ by more than the cap.
    all(TruncatedExponential::create(2.0, 1.5).value(), std::exp(3.0), 130.0);
    all(TruncatedExponential::create(1e4, 1.0).value(), 2.0, 1.0);
}

TEST_CASE("Odds below 1 are refused, a stopped computation says so") {
    const engine::MetricSpace space =
        spaceOf(test::anisotropicVectors(20, 2, 104), Metric::euclidean);
    const auto mechanism = TruncatedExponential::create(3.0, 2.0).value();
    const std::vector<engine::Row> words{1};
    for (const double odds : {0.99, -1.0, std::numeric_limits<double>::quiet_NaN(),
                              std::numeric_limits<double>::infinity()}) {
        const auto refused = exactDeniability(space, mechanism, words, odds);
        REQUIRE_FALSE(refused);
        CHECK(refused.error().code == ErrorCode::invalidArgument);
    }
    test::checkRefused(exactDeniability(space, mechanism, words, 2.0, 1, test::stoppedJob()),
                       ErrorCode::cancelled);
}
