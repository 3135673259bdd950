#include "core/metric/word_metric.h"

#include <array>
#include <cmath>
#include <numbers>

#include <catch2/catch.hpp>

#include "core/metric/metric.h"
#include "core/metric/poincare_distance.h"
#include "tests/support/brute_force.h"
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

TEST_CASE("Every metric is symmetric, 0 for a word itself and obeys the triangle inequality") {
    const Metric kind =
        GENERATE(Metric::euclidean, Metric::mahalanobis, Metric::angular, Metric::poincare);
    const WordMetric metric = onRows(test::poincareVectors(25, 4, 0.9996, 7), kind, 0.6);
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
    RowMatrixF vectors = test::poincareVectors(30, 3, 0.9996, 9);
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

TEST_CASE("A row whose norm only rounds below 1 is outside of the ball") {
    // By exact rational arithmetic the squares sum to 1 + 2.06e-17; in float64 to less than 1,
    // added one after the other and in 2, 4 or 8 lanes.
    RowMatrixF vectors = RowMatrixF::Constant(2, 12, 0.1F);
    vectors.row(1) << 0x1.962ca6p-12F, 0x1.a10a3cp-1F, 0x1.c6ed6ap-4F, 0x1.89eaep-3F,
        0x1.f0c24cp-5F, 0x1.74e12ep-4F, 0x1.53e58p-2F, 0x1.a85fc2p-4F, 0x1.35f9b4p-3F,
        0x1.31ac7p-2F, 0x1.1aefc6p-3F, 0x1.382222p-3F;
    test::checkRefused(WordMetric::create(test::toyEmbedding(vectors), Metric::poincare),
                       ErrorCode::unsupported, "1 rows have norm ≥ 1");
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

using namespace epsilens::metric;

namespace {

double textbookDistance(const RowMatrixF& points, Eigen::Index a, Eigen::Index b) {
    return static_cast<double>(
        test::textbookDistance(points.row(a).transpose().cast<long double>(),
                               points.row(b).transpose().cast<long double>()));
}

double distance(const RowMatrixF& points, Eigen::Index a, Eigen::Index b) {
    return poincareDistance(points.row(a).data(), points.row(b).data(), points.cols());
}

}  // namespace

// The squares are 2^-30 + 2^-41 + 2^-54 and 1 - 2^-23 + 2^-48. The first one ends below the last
// digit of 1, and nearly all digits cancel.
TEST_CASE("The gap to the edge keeps digits that its sum has no room for") {
    const std::array<float, 2> point{0x1.001p-15F, 0x1.fffffep-1F};
    const double exact = 0x1p-23 - 0x1p-48 - 0x1p-30 - 0x1p-41 - 0x1p-54;
    CHECK(ballGap(point.data(), 2) == exact);
}

TEST_CASE("The Poincaré distance is the textbook formula, up to the edge of the ball") {
    const double largestNorm = GENERATE(0.5, 0.9996, 0.9999999);
    const RowMatrixF points = test::poincareVectors(60, GENERATE(1, 5, 100), largestNorm, 1);
    for (Eigen::Index a = 0; a < points.rows(); ++a) {
        for (Eigen::Index b = 0; b < points.rows(); ++b) {
            if (a != b) {
                REQUIRE(distance(points, a, b) ==
                        Approx(textbookDistance(points, a, b)).epsilon(1e-11));
            }
        }
    }
}

TEST_CASE("Distances from the origin are 2 artanh of the norm") {
    RowMatrixF points = RowMatrixF::Zero(5, 2);
    points.col(0) << 0.0F, 1e-20F, 0.25F, 0.9996F, std::nextafter(1.0F, 0.0F);
    for (Eigen::Index row = 1; row < points.rows(); ++row) {
        const auto norm = static_cast<double>(points(row, 0));
        CHECK(distance(points, 0, row) ==
              Approx(std::log1p(norm) - std::log1p(-norm)).epsilon(1e-13));
    }
}

TEST_CASE("Neighbours one float32 step apart keep their distance") {
    // d_H -> 2 ||a - b|| / (1 - ||a||^2) for close points.
    RowMatrixF points(2, 1);
    points << 0.5F, std::nextafter(0.5F, 1.0F);
    CHECK(distance(points, 0, 1) == Approx(2.0 * 0x1p-24 / 0.75).epsilon(1e-6));
}

TEST_CASE("Rows on and beyond the unit sphere are counted, those just inside are not") {
    RowMatrixF points(6, 2);
    points << 1.0F, 0.0F,                           // on the sphere
        std::nextafter(1.0F, 0.0F), 0.0F,           // inside
        0.6F, 0.8F,                                 // both round up: 4.8e-8 outside
        std::nextafter(0.6F, 0.0F), 0.8F,           // 2.4e-8 inside
        2.0F, 0.0F,                                 // far outside
        std::nextafter(1.0F, 0.0F), 3.4526698e-4F;  // inside by 1e-12 of the squared norm
    CHECK(rowsOutsideBall(points, points.cast<double>().rowwise().squaredNorm()) == 3);
    CHECK(ballGap(points.row(0).data(), 2) == 0.0);
    CHECK(ballGap(points.row(4).data(), 2) == -3.0);
}

TEST_CASE("The gap to the edge keeps its digits in many dimensions") {
    // 1024 equal squares that sum to 1 - 2^-20 exactly.
    const RowMatrixF points =
        RowMatrixF::Constant(1, 1024, static_cast<float>(std::sqrt((1.0 - 0x1p-20) / 1024.0)));
    const double value = static_cast<double>(points(0, 0));
    // 1024 is a power of two: the product is exact, and so is its difference from 1.
    CHECK(ballGap(points.row(0).data(), 1024) == 1.0 - 1024.0 * (value * value));
}
