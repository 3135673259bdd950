#include "core/plane/ball_noise.h"

#include <cmath>
#include <utility>

#include <catch2/catch.hpp>

#include "core/base/random_stream.h"
#include "core/metric/poincare_distance.h"
#include "tests/support/toy_embedding.h"

using namespace epsilens;
using namespace epsilens::plane;

namespace {

/// Rows in random directions, of norms from 0.3 to 0.95.
embedding::EmbeddingHandle toyBall(int words, int dimensions) {
    SeededStream random(StreamKey{7, StreamPurpose{1021}, 0, 0});
    RowMatrixF vectors(words, dimensions);
    for (int row = 0; row < words; ++row) {
        for (int column = 0; column < dimensions; ++column) {
            vectors(row, column) = static_cast<float>(random.normal() * (1.0 + column));
        }
        const float norm = 0.3F + 0.65F * static_cast<float>(row) / static_cast<float>(words);
        vectors.row(row) *= norm / vectors.row(row).norm();
    }
    return test::toyEmbedding(std::move(vectors));
}

}  // namespace

/// Every point of the circle has the distance r from the word, by the textbook formula.
TEST_CASE("Circles in the disk are geodesic") {
    for (const double norm : {0.0, 0.4, 0.9, 0.999}) {
        const PlanePoint word{0.6 * norm, -0.8 * norm};
        for (const double radius : {0.1, 1.0, 4.0}) {
            const Contour circle = geodesicCircle(word, 1.0 - norm * norm, radius);
            for (const PlanePoint& point : outline(circle, word, 12)) {
                const double dx = point.x - word.x;
                const double dy = point.y - word.y;
                const double gap = 1.0 - point.x * point.x - point.y * point.y;
                const double distance =
                    std::acosh(1.0 + 2.0 * (dx * dx + dy * dy) / (gap * (1.0 - norm * norm)));
                CHECK(std::abs(distance - radius) < 1e-7 * radius / (1.0 - norm));
            }
        }
    }
}

mechanism::HyperbolicNoise noiseOn(const embedding::EmbeddingHandle& ball,
                                   mechanism::RadialLaw law) {
    return mechanism::HyperbolicNoise::create(*ball, law).value();
}

/// In the disk the shares of draws inside are those of the contours: 1,000 draws miss q by more
/// than 4 sqrt(q (1 - q) / 1,000) once in 16,000.
TEST_CASE("Contours hold their share of draws in the disk") {
    const auto ball = toyBall(60, 2);
    const PlaneAxes plane = diskPlane(*ball);
    CHECK(plane.isWhole);
    for (const auto law : {mechanism::RadialLaw::riemannian, mechanism::RadialLaw::eq7}) {
        const BallNoise noise(ball, noiseOn(ball, law), 3, 1'000);
        const auto draws = noise.draws(plane, 50, 4.0);
        for (const Contour& contour : noise.contours(plane, 50, 4.0)) {
            const double share = static_cast<double>(countInside(draws, contour)) / 1'000.0;
            CHECK(std::abs(share - contour.share) <
                  4.0 * std::sqrt(contour.share * (1.0 - contour.share) / 1'000.0));
        }
    }
}

/// Projected from more dimensions, no draw of the ball is lost: at least the share lies inside.
TEST_CASE("Projected balls hold at least their share") {
    const auto ball = toyBall(60, 6);
    const PlaneAxes plane = diskPlane(*ball);
    CHECK(!plane.isWhole);
    CHECK((plane.axes.transpose() * plane.axes - Eigen::Matrix2d::Identity()).norm() < 1e-12);
    const BallNoise noise(ball, noiseOn(ball, mechanism::RadialLaw::riemannian), 3, 1'000);
    const auto draws = noise.draws(plane, 20, 15.0);
    for (const Contour& contour : noise.contours(plane, 20, 15.0)) {
        const double share = static_cast<double>(countInside(draws, contour)) / 1'000.0;
        CHECK(share > contour.share - 0.07);
    }
    CHECK(noise.contours(plane, 20, 5.0).empty());  // m - 1: there is no noise
}

/// The plane holds the most of the mean squared norm: no other pair of directions more.
TEST_CASE("The plane of ball vectors holds the most") {
    const auto ball = toyBall(60, 5);
    const PlaneAxes plane = diskPlane(*ball);
    const RowMatrixD x = ball->vectors().cast<double>();
    const double whole = x.squaredNorm();
    const double held = (x * plane.axes).squaredNorm() / whole;
    CHECK(std::abs(held - plane.shares[0] - plane.shares[1]) < 1e-9);
    for (Eigen::Index i = 0; i < 5; ++i) {
        for (Eigen::Index j = 0; j < i; ++j) {
            CHECK(held >= (x.col(i).squaredNorm() + x.col(j).squaredNorm()) / whole - 1e-12);
        }
    }
}
