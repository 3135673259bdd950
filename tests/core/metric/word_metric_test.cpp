#include "core/metric/word_metric.h"

#include <cmath>
#include <numbers>

#include <catch2/catch.hpp>

#include "core/metric/metric.h"
#include "tests/support/refusal.h"
#include "tests/support/toy_embedding.h"

using namespace epsilens;
using metric::Metric;
using metric::Row;
using metric::WordMetric;

namespace {

WordMetric onRows(const RowMatrixF& vectors, Metric metric, double lambda = 0.0) {
    return WordMetric::create(test::toyEmbedding(vectors), metric, lambda).value();
}

RowMatrixF insideBall(Eigen::Index words, Eigen::Index dimensions, std::uint64_t seed) {
    RowMatrixF vectors = test::anisotropicVectors(words, dimensions, seed);
    for (Eigen::Index row = 0; row < words; ++row) {
        // Norms from 0.05 to 0.9996, many near the edge.
        const double target = 0.9996 - 0.95 / (1.0 + static_cast<double>(row));
        vectors.row(row) *= static_cast<float>(target) / vectors.row(row).norm();
    }
    return vectors;
}

}  // namespace

TEST_CASE("Euclidean distances: the 3-4-5 triangle") {
    RowMatrixF vectors(3, 2);
    vectors << 0, 0, 3, 0, 3, 4;
    const WordMetric metric = onRows(vectors, Metric::euclidean);
    CHECK(metric.distance(0, 1) == 3.0);
    CHECK(metric.distance(1, 2) == 4.0);
    CHECK(metric.distance(0, 2) == 5.0);
    CHECK(metric.lambda() == 0.0);
}

TEST_CASE("Angles keep their digits from 1e-9 to pi") {
    // In the plane the angle is also atan2(|cross product|, scalar product).
    for (const double angle : {1e-9, 1e-5, 0.3, 1.5, 2.0, 3.0, std::numbers::pi - 1e-6}) {
        RowMatrixF vectors(2, 2);
        vectors << 2.5F, 0.0F, static_cast<float>(0.5 * std::cos(angle)),
            static_cast<float>(0.5 * std::sin(angle));
        const double x = vectors(1, 0);
        const double y = vectors(1, 1);
        CAPTURE(angle);
        CHECK(onRows(vectors, Metric::angular).distance(0, 1) ==
              Approx(std::atan2(std::abs(y), x)).epsilon(1e-12));
    }
}

TEST_CASE("Parallel words are at angle 0, opposite ones at pi") {
    RowMatrixF vectors(3, 3);
    vectors << 1, 2, 3, 2, 4, 6, -1, -2, -3;
    const WordMetric metric = onRows(vectors, Metric::angular);
    CHECK(metric.distance(0, 1) == 0.0);
    CHECK(metric.distance(0, 2) == Approx(std::numbers::pi).epsilon(1e-15));
}

TEST_CASE("Poincare distances along a diameter are differences of 2 artanh") {
    RowMatrixF vectors(4, 2);
    vectors << 0, 0, 0.5F, 0, 0.9996F, 0, -0.25F, 0;
    const WordMetric metric = onRows(vectors, Metric::poincare);
    const auto place = [&](Row row) {
        return 2.0 * std::atanh(static_cast<double>(vectors(row, 0)));
    };
    for (Row a = 0; a < 4; ++a) {
        for (Row b = 0; b < 4; ++b) {
            CHECK(metric.distance(a, b) ==
                  Approx(std::abs(place(a) - place(b))).epsilon(1e-12).margin(1e-15));
        }
    }
}

TEST_CASE("Poincare distances equal the textbook formula in long double") {
    const RowMatrixF vectors = insideBall(40, 5, 3);
    const WordMetric metric = onRows(vectors, Metric::poincare);
    using LongVector = Eigen::Matrix<long double, Eigen::Dynamic, 1>;
    for (Row a = 0; a < 40; ++a) {
        for (Row b = 0; b < a; ++b) {
            const LongVector x = vectors.row(a).cast<long double>().transpose();
            const LongVector y = vectors.row(b).cast<long double>().transpose();
            const long double argument = 1.0L + 2.0L * (x - y).squaredNorm() /
                                                    (1.0L - x.squaredNorm()) /
                                                    (1.0L - y.squaredNorm());
            CAPTURE(a, b);
            REQUIRE(metric.distance(a, b) ==
                    Approx(static_cast<double>(std::acosh(argument))).epsilon(1e-11));
        }
    }
}

TEST_CASE("Every metric is symmetric, 0 for a word itself and obeys the triangle inequality") {
    const Metric kind =
        GENERATE(Metric::euclidean, Metric::mahalanobis, Metric::angular, Metric::poincare);
    const WordMetric metric = onRows(insideBall(25, 4, 7), kind, 0.6);
    for (Row a = 0; a < 25; ++a) {
        REQUIRE(metric.distance(a, a) == 0.0);
        for (Row b = 0; b < 25; ++b) {
            REQUIRE(metric.distance(a, b) == metric.distance(b, a));
            for (Row c = 0; c < 25; ++c) {
                REQUIRE(metric.distance(a, c) <=
                        metric.distance(a, b) + metric.distance(b, c) + 1e-12);
            }
        }
    }
}

TEST_CASE("Rows that a metric cannot have are refused with their count") {
    RowMatrixF vectors = insideBall(30, 3, 9);
    vectors.row(4).setZero();
    vectors.row(11).setZero();
    vectors.row(2) << 1.0F, 0.0F, 0.0F;
    const auto handle = test::toyEmbedding(vectors);
    test::checkRefused(WordMetric::create(handle, Metric::angular), ErrorCode::unsupported,
                       "2 rows are zero");
    test::checkRefused(WordMetric::create(handle, Metric::poincare), ErrorCode::unsupported,
                       "1 rows have norm ≥ 1");
    CHECK(WordMetric::create(handle, Metric::euclidean));
    CHECK_FALSE(WordMetric::create(handle, Metric::mahalanobis, 1.5));
}

TEST_CASE("Every metric is found by its key, other texts are refused with the list") {
    for (const Metric metric :
         {Metric::euclidean, Metric::mahalanobis, Metric::angular, Metric::poincare}) {
        CHECK(metric::parseMetric(metric::metricKey(metric)).value() == metric);
        CHECK_FALSE(metric::metricName(metric).empty());
    }
    for (const char* text : {"", "cosine", "Euclidean", "euclidean ", "poincaré"}) {
        test::checkRefused(metric::parseMetric(text), ErrorCode::invalidArgument,
                           "euclidean, mahalanobis, angular, poincare");
    }
}
