#include "core/mechanism/elliptical_noise.h"

#include <cmath>
#include <limits>

#include <Eigen/LU>
#include <catch2/catch.hpp>

#include "core/mechanism/unit_draws.h"
#include "tests/support/refusal.h"
#include "tests/support/toy_embedding.h"

using namespace epsilens;
using namespace epsilens::mechanism;

namespace {

RowMatrixD scaledCovariance(const RowMatrixF& vectors) {
    const RowMatrixD rows = vectors.cast<double>();
    const RowMatrixD centred = rows.rowwise() - rows.colwise().mean();
    RowMatrixD sigma = centred.transpose() * centred / (static_cast<double>(rows.rows()) - 1.0);
    return sigma * (static_cast<double>(sigma.rows()) / sigma.trace());
}

}  // namespace

TEST_CASE("The distance is sqrt(x^T A^-1 x)") {
    constexpr Eigen::Index m = 5;
    const auto handle = test::toyEmbedding(test::anisotropicVectors(200, m, 1));
    const double lambda = GENERATE(0.0, 0.3, 1.0);
    const auto noise = EllipticalNoise::create(test::basisOf(handle), lambda).value();
    const RowMatrixD a =
        lambda * scaledCovariance(handle->vectors()) + (1.0 - lambda) * RowMatrixD::Identity(m, m);
    const VectorD x = handle->vectors().row(3).cast<double>().transpose();
    const VectorD y = handle->vectors().row(77).cast<double>().transpose();
    const double expected = std::sqrt((x - y).dot(a.inverse() * (x - y)));
    CHECK(noise.distance(x, y) == Approx(expected).epsilon(1e-9));
    CHECK(noise.distance(y, x) == noise.distance(x, y));
    CHECK(noise.distance(x, x) == 0.0);
}

TEST_CASE("A^{1/2} squares to A and keeps the spherical case untouched") {
    constexpr Eigen::Index m = 6;
    const auto handle = test::toyEmbedding(test::anisotropicVectors(100, m, 2));
    const auto noise = EllipticalNoise::create(test::basisOf(handle), 0.7).value();
    const RowMatrixD root = noise.shape(RowMatrixD::Identity(m, m));
    const RowMatrixD a =
        0.7 * scaledCovariance(handle->vectors()) + 0.3 * RowMatrixD::Identity(m, m);
    CHECK((root * root.transpose() - a).cwiseAbs().maxCoeff() < 1e-9);
    const auto spherical = EllipticalNoise::create(test::basisOf(handle), 0.0).value();
    CHECK(spherical.shape(RowMatrixD::Identity(m, m)) == RowMatrixD::Identity(m, m));
}

TEST_CASE("The guarantee names its metric and its Euclidean factors") {
    const auto handle = test::toyEmbedding(test::anisotropicVectors(300, 4, 3));
    const Guarantee laplace = EllipticalNoise::create(test::basisOf(handle), 0.0)->guarantee(2.0);
    CHECK(laplace.metric == Metric::euclidean);
    CHECK(laplace.bound == 2.0);
    const auto noise = EllipticalNoise::create(test::basisOf(handle), 0.5).value();
    const Guarantee guarantee = noise.guarantee(2.0);
    CHECK(guarantee.metric == Metric::mahalanobis);
    CHECK(guarantee.bound == 2.0);
    // Lemma 3: lower <= ratio of the two distances <= upper, for every pair, in units of epsilon.
    const auto& vectors = handle->vectors();
    for (Eigen::Index row = 1; row < vectors.rows(); ++row) {
        const VectorD a = vectors.row(0).cast<double>().transpose();
        const VectorD b = vectors.row(row).cast<double>().transpose();
        const double loss = 2.0 * noise.distance(a, b);
        const double euclidean = (a - b).norm();
        REQUIRE(loss >= (*guarantee.euclidean)[0] * euclidean * (1.0 - 1e-12));
        REQUIRE(loss <= (*guarantee.euclidean)[1] * euclidean * (1.0 + 1e-12));
    }
    // Both factors are reached along the extreme axes.
    const VectorD longest = handle->basis.axes.col(0);
    const VectorD shortest = handle->basis.axes.col(3);
    const VectorD origin = VectorD::Zero(4);
    CHECK(2.0 * noise.distance(longest, origin) ==
          Approx((*guarantee.euclidean)[0]).epsilon(1e-12));
    CHECK(2.0 * noise.distance(shortest, origin) ==
          Approx((*guarantee.euclidean)[1]).epsilon(1e-12));
}

TEST_CASE("Lambda 1 with a singular covariance is refused with the largest usable lambda") {
    // 5 words in 8 dimensions: rank at most 4.
    const auto handle = test::toyEmbedding(test::anisotropicVectors(5, 8, 4));
    const Error error = test::checkRefused(EllipticalNoise::create(test::basisOf(handle), 1.0),
                                           ErrorCode::unsupported);
    CHECK_THAT(error.message,
               Catch::Contains("rank 4 < 8") && Catch::Contains("Largest usable λ: 0.99"));
    CHECK(EllipticalNoise::create(test::basisOf(handle), 0.99));
}

TEST_CASE("A constant column is singular, equal rows admit no lambda") {
    RowMatrixF constantColumn = test::anisotropicVectors(50, 3, 5);
    constantColumn.col(1).setConstant(2.5F);
    const auto handle = test::toyEmbedding(constantColumn);
    CHECK_FALSE(EllipticalNoise::create(test::basisOf(handle), 1.0));
    const auto equal = test::toyEmbedding(RowMatrixF::Constant(10, 3, 1.5F));
    CHECK_FALSE(EllipticalNoise::create(test::basisOf(equal), 0.0));
    CHECK_FALSE(EllipticalNoise::create(test::basisOf(equal), 0.5));
}

TEST_CASE("Lambda outside [0, 1] is refused") {
    const auto handle = test::toyEmbedding(test::anisotropicVectors(50, 3, 6));
    for (const double lambda : {-0.1, 1.1, std::numeric_limits<double>::quiet_NaN()}) {
        CHECK_FALSE(EllipticalNoise::create(test::basisOf(handle), lambda));
    }
}
