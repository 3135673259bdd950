#include "core/plane/plane_noise.h"

#include <cmath>
#include <vector>

#include <catch2/catch.hpp>

#include "core/mechanism/unit_draws.h"
#include "core/numeric/radial_laws.h"
#include "tests/support/toy_embedding.h"

using namespace epsilens;
using epsilens::plane::PlaneNoise;

namespace {

std::shared_ptr<const embedding::PcaBasis> basisOf(int dimensions) {
    return test::basisOf(
        test::toyEmbedding(test::anisotropicVectors(dimensions + 50, dimensions, 7)));
}

/// Directions times radii of the law at epsilon = 1.
RowMatrixD sphericalDraws(std::uint64_t seed, std::int64_t count, int dimensions) {
    const auto units =
        mechanism::unitDraws(seed, StreamPurpose::spaceView, 0, 0, count, dimensions);
    RowMatrixD draws = units.directions;
    for (Eigen::Index row = 0; row < count; ++row) {
        draws.row(row) *= numeric::gammaQuantile(dimensions, units.quantiles[row]);
    }
    return draws;
}

/// What the mechanism itself makes of them, seen in the plane of the first two axes.
RowMatrixD planeDraws(const std::shared_ptr<const embedding::PcaBasis>& basis, double lambda,
                      const RowMatrixD& spherical) {
    return mechanism::EllipticalNoise::create(basis, lambda).value().shape(spherical) *
           basis->axes.leftCols<2>();
}

}  // namespace

/// The draws are those of the core at its own lambda, the contours those the window shows. The
/// count within is binomial; |z| <= 5 fails a true share with probability 5.7e-7 per check,
/// 1.4e-5 over the 24 checks.
TEST_CASE("Stated shares of the draws lie within the contours") {
    const int dimensions = GENERATE(2, 3, 10, 300);
    constexpr std::int64_t kDraws = 20'000;
    constexpr double kEpsilon = 7.0;
    const auto basis = basisOf(dimensions);
    const PlaneNoise noise(*basis, 1, 1);
    const RowMatrixD spherical = sphericalDraws(11, kDraws, dimensions);
    for (const double lambda : {0.0, 0.5, 1.0}) {
        const RowMatrixD draws = planeDraws(basis, lambda, spherical);
        std::vector<plane::PlanePoint> offsets;
        for (Eigen::Index i = 0; i < draws.rows(); ++i) {
            offsets.push_back({draws(i, 0) / kEpsilon, draws(i, 1) / kEpsilon});
        }
        for (const plane::Contour& contour : noise.contours(kEpsilon, lambda)) {
            const double share = static_cast<double>(plane::countInside(offsets, contour)) / kDraws;
            const double z =
                (share - contour.share) / std::sqrt(contour.share * (1.0 - contour.share) / kDraws);
            CAPTURE(dimensions, lambda, share, contour.share);
            CHECK(std::abs(z) <= 5.0);
        }
    }
}

/// Scaling spherical draws must give what the core draws at that lambda.
TEST_CASE("Draws in the plane are those of the mechanism") {
    const auto basis = basisOf(10);
    const PlaneNoise noise(*basis, 5, 100);
    for (const double lambda : {0.0, 0.3, 1.0}) {
        const RowMatrixD expected = planeDraws(basis, lambda, sphericalDraws(5, 100, 10)) / 2.5;
        const auto draws = noise.draws(2.5, lambda);
        CHECK(draws.size() == std::size_t{100});
        for (Eigen::Index i = 0; i < 100; ++i) {
            CHECK(std::abs(draws[static_cast<std::size_t>(i)].x - expected(i, 0)) < 1e-9);
            CHECK(std::abs(draws[static_cast<std::size_t>(i)].y - expected(i, 1)) < 1e-9);
        }
    }
}

TEST_CASE("Contours in the plane are those of the mechanism") {
    const auto basis = basisOf(10);
    const PlaneNoise noise(*basis, 1, 1);
    const auto mechanism = mechanism::EllipticalNoise::create(basis, 0.5).value();
    const auto contours = noise.contours(3.0, 0.5);
    for (std::size_t i = 0; i < 2; ++i) {
        const double radius = numeric::planarRadiusQuantile(PlaneNoise::kShares[i], 10) / 3.0;
        CHECK(std::abs(contours[i].semiAxisX - radius * mechanism.axisScales()[0]) < 1e-12);
        CHECK(std::abs(contours[i].semiAxisY - radius * mechanism.axisScales()[1]) < 1e-12);
    }
    // The first axis has the larger variance; without lambda all directions are alike.
    CHECK(contours[0].semiAxisX > contours[0].semiAxisY);
    CHECK(noise.contours(3.0, 0.0)[1].semiAxisX == noise.contours(3.0, 0.0)[1].semiAxisY);
}

TEST_CASE("Outlines are closed and lie on the ellipse") {
    const plane::Contour contour{0.5, 3.0, 2.0};
    const auto points = plane::outline(contour, {1.0, -1.0}, 128);
    CHECK(points.size() == std::size_t{129});
    CHECK(points.front().x == points.back().x);
    CHECK(points.front().y == points.back().y);
    for (const plane::PlanePoint& point : points) {
        const double x = (point.x - 1.0) / 3.0;
        const double y = (point.y + 1.0) / 2.0;
        CHECK(std::abs(x * x + y * y - 1.0) < 1e-12);
    }
    CHECK(contour.contains({2.9, 0.0}));
    CHECK(!contour.contains({0.0, 2.1}));
}

using namespace epsilens::plane;

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
    const auto ball = test::toyEmbedding(test::poincareVectors(60, 2, 0.95, 7));
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
    const auto ball = test::toyEmbedding(test::poincareVectors(60, 6, 0.95, 7));
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
    const auto ball = test::toyEmbedding(test::poincareVectors(60, 5, 0.95, 7));
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
