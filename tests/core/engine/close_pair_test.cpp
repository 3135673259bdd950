#include "core/engine/close_pair.h"

#include <algorithm>
#include <limits>
#include <stop_token>

#include <catch2/catch.hpp>

#include "tests/support/toy_embedding.h"

using namespace epsilens;
using namespace epsilens::engine;
using metric::Metric;
using metric::WordMetric;

namespace {

/// The least distance above 0 of all pairs, one by one.
double leastDistance(const WordMetric& metric) {
    double least = std::numeric_limits<double>::infinity();
    const auto words = metric.embedding().wordCount();
    for (embedding::Row a = 0; a < words; ++a) {
        for (embedding::Row b = a + 1; b < words; ++b) {
            const double distance = metric.distance(a, b);
            least = distance > 0.0 ? std::min(least, distance) : least;
        }
    }
    return least;
}

/// On both sides of the least distance, and far from it.
void requireExact(const WordMetric& metric) {
    const double least = leastDistance(metric);
    CAPTURE(least);
    for (const int threads : {1, 3}) {
        for (const double factor : {1.0, 1.0 + 1e-12, 1.5, 10.0, 1e9}) {
            CAPTURE(factor, threads);
            REQUIRE(closePair(metric, factor * least, threads).value() == ClosePair::exists);
        }
        for (const double factor : {1.0 - 1e-12, 0.9, 0.1, 1e-9}) {
            CAPTURE(factor, threads);
            REQUIRE(closePair(metric, factor * least, threads).value() == ClosePair::none);
        }
    }
    REQUIRE(closePair(metric, std::numeric_limits<double>::infinity()).value() ==
            ClosePair::exists);
}

}  // namespace

// Brute force over all pairs decides, for every metric.
TEST_CASE("A close pair is found in every metric exactly when there is one") {
    for (const Eigen::Index words : {2, 3, 64, 65, 700}) {
        for (const Eigen::Index dimensions : {1, 2, 5, 20}) {
            CAPTURE(words, dimensions);
            const auto seed = static_cast<std::uint64_t>(words + dimensions);
            const auto handle =
                test::toyEmbedding(test::anisotropicVectors(words, dimensions, seed));
            requireExact(WordMetric::create(handle, Metric::euclidean).value());
            requireExact(WordMetric::create(handle, Metric::mahalanobis, 0.7).value());
            if (dimensions > 1) {
                requireExact(WordMetric::create(handle, Metric::angular).value());
            }
            // Up to the edge of the ball.
            for (const double norm : {0.3, 0.99999}) {
                const auto ball =
                    test::toyEmbedding(test::poincareVectors(words, dimensions, norm, seed));
                requireExact(WordMetric::create(ball, Metric::poincare).value());
            }
        }
    }
}

TEST_CASE("The one close pair among words far from it and from each other is found") {
    // A distance of 1e-4 among points of norm near 1000.
    RowMatrixF vectors = 300.0F * test::anisotropicVectors(900, 10, 3);
    vectors.row(871) = vectors.row(5);
    vectors(871, 9) += 0.0001F * std::abs(vectors(871, 9));
    const WordMetric metric =
        WordMetric::create(test::toyEmbedding(vectors), Metric::euclidean).value();
    const double distance = metric.distance(5, 871);
    REQUIRE(leastDistance(metric) == distance);
    CHECK(closePair(metric, distance).value() == ClosePair::exists);
    CHECK(closePair(metric, 0.999 * distance).value() == ClosePair::none);
}

TEST_CASE("Words with equal vectors are no close pair") {
    RowMatrixF vectors(4, 2);
    vectors << 0, 0, 3, 4, 0, 0, 3, 4;
    const WordMetric two =
        WordMetric::create(test::toyEmbedding(vectors), Metric::euclidean).value();
    CHECK(closePair(two, 4.999).value() == ClosePair::none);
    CHECK(closePair(two, 5.0).value() == ClosePair::exists);
    const WordMetric one =
        WordMetric::create(test::toyEmbedding(RowMatrixF::Ones(3, 2)), Metric::euclidean).value();
    CHECK(closePair(one, 1.0).value() == ClosePair::none);
    vectors << 1, 0, 2, 0, 4, 0, 8, 0;  // one direction
    const WordMetric angular =
        WordMetric::create(test::toyEmbedding(vectors), Metric::angular).value();
    CHECK(closePair(angular, 1.0).value() == ClosePair::none);
}

TEST_CASE("A search that gives up says so, and only where it found nothing") {
    const auto handle = test::toyEmbedding(test::anisotropicVectors(2'000, 30, 8));
    const WordMetric metric = WordMetric::create(handle, Metric::euclidean).value();
    const double limit = 0.99 * leastDistance(metric);
    CHECK(closePair(metric, limit).value() == ClosePair::none);
    for (const PairBudget& budget : {PairBudget{1e3, 1e9}, PairBudget{1e9, 0.0}}) {
        const ClosePair found = closePair(metric, 3.0 * limit, 1, {}, budget).value();
        CHECK(closePair(metric, 3.0 * limit, 3, {}, budget).value() == found);
        CHECK(closePair(metric, 1e3 * limit, 2, {}, budget).value() == ClosePair::exists);
    }
    CHECK(closePair(metric, limit, 2, {}, {1.0, 1e9}).value() == ClosePair::unknown);
}

TEST_CASE("A search for a close pair can be stopped") {
    const WordMetric metric =
        WordMetric::create(test::toyEmbedding(test::anisotropicVectors(500, 5, 2)),
                           Metric::euclidean)
            .value();
    std::stop_source stop;
    stop.request_stop();
    CHECK(closePair(metric, 1e-9, 2, {stop.get_token(), {}}).error().code == ErrorCode::cancelled);
}
