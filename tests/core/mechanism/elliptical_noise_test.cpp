#include "core/mechanism/elliptical_noise.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <boost/math/distributions/beta.hpp>
#include <boost/math/special_functions/gamma.hpp>
#include <catch2/catch.hpp>

#include "core/mechanism/unit_draws.h"
#include "tests/support/refusal.h"
#include "tests/support/statistical.h"
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

namespace {

constexpr std::int64_t kUnitDraws = 20000;

}  // namespace

TEST_CASE("The radius of spherical noise follows Gamma(m, 1)") {
    const Eigen::Index m = GENERATE(1, 2, 7, 50);
    const auto handle = test::toyEmbedding(test::anisotropicVectors(100, m, 1));
    const auto noise = EllipticalNoise::create(test::basisOf(handle), 0.0).value();
    const RowMatrixF z =
        noiseAtUnitEpsilon(unitDraws(3, StreamPurpose::unitDraws, 0, 0, kUnitDraws, m), noise);
    std::vector<double> radii;
    for (Eigen::Index row = 0; row < z.rows(); ++row) {
        radii.push_back(z.row(row).cast<double>().norm());
    }
    const auto law = [m](double r) { return boost::math::gamma_p(static_cast<double>(m), r); };
    CHECK(test::ksDistance(radii, law) < test::ksCritical(radii.size(), test::kFalseAlarmRate));
    // The test has power: the law of a neighbouring dimension is told apart.
    const auto wrong = [m](double r) {
        return boost::math::gamma_p(static_cast<double>(m) + 1.0, r);
    };
    CHECK(test::ksDistance(radii, wrong) > test::ksCritical(radii.size(), test::kFalseAlarmRate));
}

TEST_CASE("Directions are uniform on the sphere") {
    // (x + 1) / 2 of one coordinate x is Beta((m-1)/2, (m-1)/2); any fixed axis will do.
    const Eigen::Index m = GENERATE(2, 3, 50);
    const UnitDraws draws = unitDraws(4, StreamPurpose::unitDraws, 0, 0, kUnitDraws, m);
    VectorD axis = VectorD::LinSpaced(m, 1.0, 2.0);
    axis.normalize();
    const VectorD along = draws.directions * axis;
    std::vector<double> sample;
    for (Eigen::Index row = 0; row < kUnitDraws; ++row) {
        CHECK_THAT(draws.directions.row(row).norm(), Catch::WithinAbs(1.0, 1e-12));
        sample.push_back(0.5 * (along[row] + 1.0));
    }
    const double shape = 0.5 * static_cast<double>(m - 1);
    const boost::math::beta_distribution<double> law(shape, shape);
    CHECK(test::ksDistance(sample, [&](double x) {
              return boost::math::cdf(law, std::clamp(x, 0.0, 1.0));
          }) < test::ksCritical(sample.size(), test::kFalseAlarmRate));
}

TEST_CASE("The covariance of the noise is (m+1) A_lambda") {
    // A = L L^T; x = L^{-1} Z has the law of Y X rotated, so E[x x^T] = (m+1) I along every axis,
    // however little of the noise lies there. Of one draw, with E[Y^4] = m(m+1)(m+2)(m+3),
    // E[X_i^4] = 3 / (m(m+2)) and E[X_i^2 X_j^2] = 1 / (m(m+2)),
    //   Var(x_i^2) = 3(m+1)(m+3) - (m+1)^2 = (m+1)(2m+8),  Var(x_i x_j) = (m+1)(m+3).
    // Each of the ten entries and lambdas is held against the normal quantile of its share of the
    // false-alarm rate; that the average of so many draws is nearly normal is part of the rate.
    constexpr Eigen::Index m = 4;
    constexpr std::int64_t draws = 200000;
    const auto handle = test::toyEmbedding(test::anisotropicVectors(400, m, 2));
    const double lambda = GENERATE(0.0, 0.5, 1.0);
    const auto noise = EllipticalNoise::create(test::basisOf(handle), lambda).value();
    const RowMatrixD z =
        noiseAtUnitEpsilon(unitDraws(5, StreamPurpose::unitDraws, 0, 0, draws, m), noise)
            .cast<double>();

    // Sigma by its definition, without the code under test.
    const RowMatrixD rows = handle->vectors().cast<double>();
    const RowMatrixD centred = rows.rowwise() - rows.colwise().mean();
    RowMatrixD sigma = centred.transpose() * centred / (static_cast<double>(rows.rows()) - 1.0);
    sigma *= static_cast<double>(m) / sigma.trace();
    const Eigen::MatrixXd a = lambda * sigma + (1.0 - lambda) * RowMatrixD::Identity(m, m);

    const Eigen::MatrixXd white = a.llt().matrixL().solve(Eigen::MatrixXd(z.transpose()));
    const Eigen::MatrixXd average = white * white.transpose() / static_cast<double>(draws);
    const double dimensions = static_cast<double>(m);
    const double critical = test::normalCritical(test::kFalseAlarmRate / (3.0 * 10.0));
    for (Eigen::Index i = 0; i < m; ++i) {
        for (Eigen::Index j = 0; j <= i; ++j) {
            const double expected = i == j ? dimensions + 1.0 : 0.0;
            const double variance =
                (dimensions + 1.0) * (i == j ? 2.0 * dimensions + 8.0 : dimensions + 3.0);
            const double tolerance = critical * std::sqrt(variance / static_cast<double>(draws));
            CAPTURE(lambda, i, j);
            CHECK(std::fabs(average(i, j) - expected) < tolerance);
            // A factor m instead of m + 1 would be eight times as far away.
            CHECK(tolerance < 1.0 / 8.0);
        }
    }
}

TEST_CASE("Draws depend on seed, block and index alone") {
    const UnitDraws all = unitDraws(9, StreamPurpose::unitDraws, 2, 0, 10, 5);
    const UnitDraws tail = unitDraws(9, StreamPurpose::unitDraws, 2, 6, 4, 5);
    CHECK(all.directions.bottomRows(4) == tail.directions);
    CHECK(all.quantiles.tail(4) == tail.quantiles);
    CHECK(unitDraws(9, StreamPurpose::unitDraws, 3, 0, 1, 5).quantiles[0] != all.quantiles[0]);
}
