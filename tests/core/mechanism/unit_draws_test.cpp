#include "core/mechanism/unit_draws.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <Eigen/Cholesky>
#include <boost/math/distributions/beta.hpp>
#include <boost/math/special_functions/gamma.hpp>
#include <catch2/catch.hpp>

#include "tests/support/statistical.h"
#include "tests/support/toy_embedding.h"

using namespace epsilens;
using namespace epsilens::mechanism;

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
