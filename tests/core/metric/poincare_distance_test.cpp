#include "core/metric/poincare_distance.h"

#include <array>
#include <cmath>

#include <catch2/catch.hpp>

#include "tests/support/poincare_reference.h"
#include "tests/support/toy_embedding.h"

using namespace epsilens;
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

TEST_CASE("The Poincaré distance is a metric") {
    const RowMatrixF points = test::poincareVectors(40, 4, 0.999, 2);
    for (Eigen::Index a = 0; a < points.rows(); ++a) {
        CHECK(distance(points, a, a) == 0.0);
        for (Eigen::Index b = 0; b < points.rows(); ++b) {
            REQUIRE(distance(points, a, b) == distance(points, b, a));
            for (Eigen::Index c = 0; c < points.rows(); ++c) {
                REQUIRE(distance(points, a, c) <=
                        (distance(points, a, b) + distance(points, b, c)) * (1.0 + 1e-12));
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
    CHECK(rowsOutsideBall(points) == 3);
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
