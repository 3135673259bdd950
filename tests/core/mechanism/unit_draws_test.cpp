#include "core/mechanism/unit_draws.h"

#include <cmath>
#include <vector>

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
    // E[Y^2] = m(m+1) and E[X X^T] = I/m give E[Z Z^T] = (m+1) A. An entry of the average over n
    // draws has a standard error below sqrt(E[Y^4] max A^2 / n), E[Y^4] = m(m+1)(m+2)(m+3).
    constexpr Eigen::Index m = 4;
    const auto handle = test::toyEmbedding(test::anisotropicVectors(400, m, 2));
    const double lambda = GENERATE(0.0, 0.5, 1.0);
    const auto noise = EllipticalNoise::create(test::basisOf(handle), lambda).value();
    const RowMatrixD z =
        noiseAtUnitEpsilon(unitDraws(5, StreamPurpose::unitDraws, 0, 0, kUnitDraws, m), noise)
            .cast<double>();

    // Sigma by its definition, without the code under test.
    const RowMatrixD rows = handle->vectors().cast<double>();
    const RowMatrixD centred = rows.rowwise() - rows.colwise().mean();
    RowMatrixD sigma = centred.transpose() * centred / (static_cast<double>(rows.rows()) - 1.0);
    sigma *= static_cast<double>(m) / sigma.trace();
    const RowMatrixD a = lambda * sigma + (1.0 - lambda) * RowMatrixD::Identity(m, m);

    const RowMatrixD average = z.transpose() * z / static_cast<double>(kUnitDraws);
    const double largest = a.cwiseAbs().maxCoeff();
    const double error =
        std::sqrt(4.0 * 5.0 * 6.0 * 7.0 / static_cast<double>(kUnitDraws)) * largest;
    const double tolerance = test::normalCritical(test::kFalseAlarmRate / 16.0) * error;
    CHECK((average - 5.0 * a).cwiseAbs().maxCoeff() < tolerance);
    CHECK(tolerance < 0.6 * 5.0 * largest);
}

TEST_CASE("Draws depend on seed, block and index alone") {
    const UnitDraws all = unitDraws(9, StreamPurpose::unitDraws, 2, 0, 10, 5);
    const UnitDraws tail = unitDraws(9, StreamPurpose::unitDraws, 2, 6, 4, 5);
    CHECK(all.directions.bottomRows(4) == tail.directions);
    CHECK(all.quantiles.tail(4) == tail.quantiles);
    CHECK(unitDraws(9, StreamPurpose::unitDraws, 3, 0, 1, 5).quantiles[0] != all.quantiles[0]);
}
