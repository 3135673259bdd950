#include "core/mechanism/elliptical_noise.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <boost/math/distributions/beta.hpp>
#include <boost/math/special_functions/gamma.hpp>
#include <catch2/catch.hpp>

#include "core/mechanism/unit_draws.h"
#include "core/numeric/radial_laws.h"
#include "tests/support/audit.h"
#include "tests/support/brute_force.h"
#include "tests/support/refusal.h"
#include "tests/support/statistical.h"
#include "tests/support/toy_embedding.h"

using namespace epsilens;
using namespace epsilens::mechanism;

namespace {

EllipticalNoise ellipticalOn(const RowMatrixF& vectors, double lambda) {
    return EllipticalNoise::create(test::basisOf(test::toyEmbedding(vectors)), lambda).value();
}

// Divisor V - 1, not scaled.
RowMatrixD covariance(const RowMatrixF& vectors) {
    const RowMatrixD rows = vectors.cast<double>();
    const RowMatrixD centred = rows.rowwise() - rows.colwise().mean();
    return centred.transpose() * centred / (static_cast<double>(rows.rows()) - 1.0);
}

RowMatrixD regularized(const RowMatrixD& sigma, double lambda) {
    return lambda * sigma + (1.0 - lambda) * RowMatrixD::Identity(sigma.rows(), sigma.cols());
}

// A_lambda by its definition: the covariance has the trace m.
RowMatrixD shapeMatrix(const RowMatrixF& vectors, double lambda) {
    const RowMatrixD sigma = covariance(vectors);
    return regularized(sigma * (static_cast<double>(sigma.rows()) / sigma.trace()), lambda);
}

}  // namespace

TEST_CASE("The distance is sqrt(x^T A^-1 x)") {
    const RowMatrixF vectors = test::anisotropicVectors(200, 5, 1);
    const double lambda = GENERATE(0.0, 0.3, 1.0);
    const EllipticalNoise noise = ellipticalOn(vectors, lambda);
    const VectorD x = vectors.row(3).cast<double>().transpose();
    const VectorD y = vectors.row(77).cast<double>().transpose();
    const double expected =
        std::sqrt((x - y).dot(shapeMatrix(vectors, lambda).inverse() * (x - y)));
    CHECK(noise.distance(x, y) == Approx(expected).epsilon(1e-9));
    CHECK(noise.distance(y, x) == noise.distance(x, y));
    CHECK(noise.distance(x, x) == 0.0);
}

TEST_CASE("A^{1/2} squares to A and keeps the spherical case untouched") {
    constexpr Eigen::Index m = 6;
    const RowMatrixF vectors = test::anisotropicVectors(100, m, 2);
    const RowMatrixD root = ellipticalOn(vectors, 0.7).shape(RowMatrixD::Identity(m, m));
    CHECK((root * root.transpose() - shapeMatrix(vectors, 0.7)).cwiseAbs().maxCoeff() < 1e-9);
    CHECK(ellipticalOn(vectors, 0.0).shape(RowMatrixD::Identity(m, m)) ==
          RowMatrixD::Identity(m, m));
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
    for (const std::size_t end : {0U, 1U}) {
        const VectorD axis = handle->basis.axes.col(end == 0 ? 0 : 3);
        CHECK(2.0 * noise.distance(axis, VectorD::Zero(4)) ==
              Approx((*guarantee.euclidean).at(end)).epsilon(1e-12));
    }
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

TEST_CASE("A constant column is singular, equal rows admit no lambda, none is outside [0, 1]") {
    const auto isRefused = [](const RowMatrixF& vectors, double lambda) {
        return !EllipticalNoise::create(test::basisOf(test::toyEmbedding(vectors)), lambda);
    };
    RowMatrixF vectors = test::anisotropicVectors(50, 3, 5);
    for (const double lambda : {-0.1, 1.1, std::numeric_limits<double>::quiet_NaN()}) {
        CHECK(isRefused(vectors, lambda));
    }
    CHECK_FALSE(isRefused(vectors, 1.0));
    vectors.col(1).setConstant(2.5F);
    CHECK(isRefused(vectors, 1.0));
    for (const double lambda : {0.0, 0.5}) {
        CHECK(isRefused(RowMatrixF::Constant(10, 3, 1.5F), lambda));
    }
}

namespace {

constexpr std::int64_t kUnitDraws = 20000;

}  // namespace

TEST_CASE("The radius of spherical noise follows Gamma(m, 1)") {
    const Eigen::Index m = GENERATE(1, 2, 7, 50);
    const RowMatrixF z =
        noiseAtUnitEpsilon(unitDraws(3, StreamPurpose::unitDraws, 0, 0, kUnitDraws, m),
                           ellipticalOn(test::anisotropicVectors(100, m, 1), 0.0));
    std::vector<double> radii;
    for (Eigen::Index row = 0; row < z.rows(); ++row) {
        radii.push_back(z.row(row).cast<double>().norm());
    }
    const double critical = test::ksCritical(radii.size(), test::kFalseAlarmRate);
    const auto distanceTo = [&](double shape) {
        return test::ksDistance(radii,
                                [shape](double r) { return boost::math::gamma_p(shape, r); });
    };
    CHECK(distanceTo(static_cast<double>(m)) < critical);
    // The test has power: the law of a neighbouring dimension is told apart.
    CHECK(distanceTo(static_cast<double>(m) + 1.0) > critical);
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
    const RowMatrixF vectors = test::anisotropicVectors(400, m, 2);
    const double lambda = GENERATE(0.0, 0.5, 1.0);
    const RowMatrixD z = noiseAtUnitEpsilon(unitDraws(5, StreamPurpose::unitDraws, 0, 0, draws, m),
                                            ellipticalOn(vectors, lambda))
                             .cast<double>();
    const Eigen::MatrixXd a = shapeMatrix(vectors, lambda);
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

// The audit's own code against laws with a closed form.

namespace {

// Pr[low < N <= high] of a normal variable, from the tail that does not cancel.
double normalMass(double low, double high, double sigma) {
    if (low > 0.0) {
        return normalMass(-high, -low, sigma);
    }
    const auto below = [&](double x) { return 0.5 * std::erfc(-x / (sigma * std::sqrt(2.0))); };
    return below(high) - below(low);
}

}  // namespace

TEST_CASE("Cells on a rectangular grid have the products of normal masses") {
    constexpr double kSigma = 0.6;
    const std::vector<double> xs{0.0, 1.0, 3.0};
    const std::vector<double> ys{-1.0, 1.5};
    test::PlaneMechanism mechanism;
    for (const double x : xs) {
        for (const double y : ys) {
            mechanism.sites.push_back({x, y});
        }
    }
    mechanism.scale = kSigma;
    mechanism.density = [&](std::size_t word, double x, double y) {
        const double dx = x - mechanism.sites[word].x;
        const double dy = y - mechanism.sites[word].y;
        return std::exp(-0.5 * (dx * dx + dy * dy) / (kSigma * kSigma)) /
               (2.0 * std::numbers::pi * kSigma * kSigma);
    };
    const RowMatrixD found = test::planeProbabilities(mechanism);
    const auto alongX = test::lineProbabilities(
        xs, [](double low, double high) { return normalMass(low, high, kSigma); });
    const auto alongY = test::lineProbabilities(
        ys, [](double low, double high) { return normalMass(low, high, kSigma); });
    for (Eigen::Index word = 0; word < 6; ++word) {
        for (Eigen::Index output = 0; output < 6; ++output) {
            CAPTURE(word, output);
            CHECK(
                found(word, output) ==
                Approx(alongX(word / 2, output / 2) * alongY(word % 2, output % 2)).epsilon(1e-9));
        }
    }
}

TEST_CASE("In the disc the cells are bounded by circles") {
    // Poincare distance, words at 0 and (a, 0): the bisector is the circle about (1/a, 0) with
    // R^2 = 1/a^2 - 1, orthogonal to the rim. Under the uniform law the cell of (a, 0) has the area
    // of the lens, acos(a) + R^2 acos(a R) - R, over pi.
    constexpr double kA = 0.6;
    const double r = std::sqrt(1.0 / (kA * kA) - 1.0);
    const double lens = std::acos(kA) + r * r * std::acos(kA * r) - r;
    test::PlaneMechanism mechanism;
    mechanism.sites = {{0.0, 0.0, 1.0}, {kA, 0.0, 1.0 / (1.0 - kA * kA)}};
    mechanism.unitDisc = true;
    mechanism.density = [](std::size_t, double, double) { return 1.0 / std::numbers::pi; };
    const RowMatrixD found = test::planeProbabilities(mechanism);
    for (const Eigen::Index word : {0, 1}) {
        CHECK(found(word, 1) == Approx(lens / std::numbers::pi).epsilon(1e-9));
        CHECK(found(word, 0) == Approx(1.0 - lens / std::numbers::pi).epsilon(1e-9));
    }
}

TEST_CASE("A cell seen behind others is not missed") {
    // Normal law, all words on one ray: strips, and a mass of 1e-9 at the end.
    test::PlaneMechanism mechanism;
    mechanism.sites = {{0, 0}, {2, 0}, {5, 0}, {7, 0}};
    mechanism.density = [&](std::size_t word, double x, double y) {
        const double dx = x - mechanism.sites[word].x;
        return std::exp(-0.5 * (dx * dx + y * y)) / (2.0 * std::numbers::pi);
    };
    const RowMatrixD found = test::planeProbabilities(mechanism);
    CHECK(found(0, 3) ==
          Approx(normalMass(6.0, std::numeric_limits<double>::infinity(), 1.0)).epsilon(1e-9));
    CHECK(found(0, 2) == Approx(normalMass(3.5, 6.0, 1.0)).epsilon(1e-9));
}

TEST_CASE("The two-sided exponential law sums to 1 and keeps its tails") {
    const double infinity = std::numeric_limits<double>::infinity();
    CHECK(test::laplaceMass(-infinity, infinity, 2.0) == 1.0);
    CHECK(test::laplaceMass(0.0, infinity, 2.0) == 0.5);
    CHECK(test::laplaceMass(100.0, infinity, 2.0) == Approx(0.5 * std::exp(-200.0)).epsilon(1e-12));
    CHECK(test::laplaceMass(-infinity, -100.0, 2.0) == test::laplaceMass(100.0, infinity, 2.0));
    CHECK(test::laplaceMass(-1.0, 2.0, 0.5) + test::laplaceMass(2.0, 3.0, 0.5) ==
          Approx(test::laplaceMass(-1.0, 3.0, 0.5)).epsilon(1e-15));
}

TEST_CASE("The largest log ratio of a table is found, a zero included") {
    RowMatrixD table(3, 3);
    table << 0.5, 0.25, 0.25,  //
        0.25, 0.5, 0.25,       //
        0.0, 0.5, 0.5;
    const auto largest = [&](Eigen::Index rows) {
        return test::largestShare(table.topRows(rows), [](Eigen::Index first, Eigen::Index second) {
            return first < second ? 0.5 : 5.0;
        });
    };
    CHECK(largest(2) == Approx(2.0 * std::log(2.0)));
    CHECK(std::isinf(largest(3)));  // output 0 never comes from 2
}

TEST_CASE("Chi-square of counts, and its critical value from tables") {
    const std::vector<int> counts{30, 50, 20, 0};
    VectorD probabilities(4);
    probabilities << 0.25, 0.5, 0.24, 0.01;
    // Expected 25, 50, 24 and 1; the last is rare on its own: 25/25 + 0 + 16/24 + 1/1.
    const auto found = test::chiSquare(counts, probabilities);
    CHECK(found.degreesOfFreedom == 3);
    CHECK(found.statistic == Approx(1.0 + 16.0 / 24.0 + 1.0));
    CHECK(test::chiSquareCritical(10, 0.05) == Approx(18.307).epsilon(1e-4));
    CHECK(test::chiSquareCritical(1, 0.001) == Approx(10.828).epsilon(1e-4));
}

// The audit of the elliptical mechanisms: output probabilities from the density of the noise, held
// against what the mechanism says it guarantees, and against what it draws. Wrong laws of the noise
// must be noticed; otherwise passing would mean nothing.

namespace {

// Two inputs, a row of words behind them that narrows the cell of the one straight ahead, and words
// to the sides. Elongated, so that the covariance matters. All numbers are exact in float32.
RowMatrixF elongated() {
    RowMatrixF words(10, 2);
    words << 0, 0, 1, 0, 8, 0, 8, 0.5F, 8, -0.5F, -8, 0.125F, -8, -0.625F, 0.25F, 1.5F, 0.75F, -2,
        3, 1.25F;
    return words;
}

// Laws of the noise in the plane at a displacement z, times 2 pi sqrt(det A), by the lengths
// rho = ||z||_A and r = ||z||.
using PlaneLaw = double (*)(double epsilon, double rho, double r);

// Area element and normalisation of e^{-epsilon ||A^{-1/2} z||}.
double elliptical(double epsilon, double rho, double /*r*/) {
    return epsilon * epsilon * std::exp(-epsilon * rho);
}

// Radius Gamma(m - 1) = Gamma(1) instead of Gamma(2): over the circumference 2 pi rho, in the
// coordinates in which A is the identity.
double shortRadius(double epsilon, double rho, double /*r*/) {
    return epsilon * std::exp(-epsilon * rho) / rho;
}

// Direction A^{1/2} X brought back to length 1: the radius is Gamma(2) in every direction, the
// direction theta has the angular Gaussian density 1 / (2 pi sqrt(det A) theta^T A^{-1} theta).
double renormalised(double epsilon, double rho, double r) {
    return epsilon * epsilon * std::exp(-epsilon * r) * (r * r) / (rho * rho);
}

RowMatrixD probabilities(const RowMatrixF& words, double epsilon, const Eigen::Matrix2d& a,
                         PlaneLaw law) {
    test::PlaneMechanism mechanism;
    for (Eigen::Index word = 0; word < words.rows(); ++word) {
        mechanism.sites.push_back({words(word, 0), words(word, 1)});
    }
    const Eigen::Matrix2d inverse = a.inverse();
    const double factor = 0.5 / (std::numbers::pi * std::sqrt(a.determinant()));
    mechanism.scale = 1.0 / epsilon;
    mechanism.density = [&](std::size_t word, double x, double y) {
        const Eigen::Vector2d z(x - mechanism.sites[word].x, y - mechanism.sites[word].y);
        return factor * law(epsilon, std::sqrt(z.dot(inverse * z)), z.norm());
    };
    const RowMatrixD table = test::planeProbabilities(mechanism);
    CHECK((table.rowwise().sum().array() - 1.0).abs().maxCoeff() < 1e-9);
    return table;
}

// How much of what the mechanism says it guarantees the probabilities cost.
double shareOf(const RowMatrixD& table, const RowMatrixF& words, double lambda, double epsilon) {
    const EllipticalNoise noise = ellipticalOn(words, lambda);
    const double bound = noise.guarantee(epsilon).bound;
    return test::largestShare(table, [&](Eigen::Index first, Eigen::Index second) {
        return bound * noise.distance(words.row(first).cast<double>().transpose(),
                                      words.row(second).cast<double>().transpose());
    });
}

double shareInPlane(const RowMatrixF& words, double lambda, double epsilon, const RowMatrixD& a,
                    PlaneLaw law) {
    return shareOf(probabilities(words, epsilon, a, law), words, lambda, epsilon);
}

// Relative error of the quadrature and of float32 vectors, far below any breach of interest.
constexpr double kTolerance = 1e-6;

}  // namespace

TEST_CASE("On a line the guarantee holds and is reached") {
    // An output beyond both inputs has the ratio e^{epsilon d} exactly: the bound cannot be less.
    const std::vector<double> places{-3.0, -1.0, -0.5, 0.25, 0.5, 2.0, 4.5, 5.0};
    const RowMatrixF words = test::vectorOf(places).cast<float>();
    for (const double lambda : {0.0, 0.5, 1.0}) {
        for (const double epsilon : {0.2, 1.0, 4.0}) {
            CAPTURE(lambda, epsilon);
            const auto shareAt = [&](double actual) {
                const auto table = test::lineProbabilities(places, [&](double low, double high) {
                    return test::laplaceMass(low, high, actual);
                });
                return shareOf(table, words, lambda, epsilon);
            };
            CHECK(shareAt(epsilon) == Approx(1.0).epsilon(1e-12));
            // A scale that is off by a hundredth is noticed.
            CHECK(shareAt(1.01 * epsilon) == Approx(1.01).epsilon(1e-12));
        }
    }
}

TEST_CASE("In the plane the guarantee holds and is nearly reached") {
    const RowMatrixF words = elongated();
    for (const double lambda : {0.0, 0.5, 1.0}) {
        for (const double epsilon : {0.5, 2.0}) {
            CAPTURE(lambda, epsilon);
            const double share =
                shareInPlane(words, lambda, epsilon, shapeMatrix(words, lambda), elliptical);
            CHECK(share <= 1.0 + kTolerance);
            CHECK(share > 0.99);
        }
    }
}

TEST_CASE("In the plane wrong laws of the noise are noticed") {
    const RowMatrixF words = elongated();
    const RowMatrixF small = 0.0625F * words;
    for (const double lambda : {0.0, 0.5, 1.0}) {
        CAPTURE(lambda);
        const RowMatrixD a = shapeMatrix(words, lambda);
        if (lambda < 1.0) {
            CHECK(shareInPlane(words, lambda, 0.5, a, shortRadius) > 1.2);
        }
        if (lambda > 0.0) {
            CHECK(shareInPlane(words, lambda, 2.0, a, renormalised) > 1.1);
            // A covariance that is not scaled to trace m: of small vectors, whose noise would be
            // smaller than said.
            const RowMatrixD right = shapeMatrix(small, lambda);
            const RowMatrixD wrong = regularized(covariance(small), lambda);
            CHECK(shareInPlane(small, lambda, 16.0, right, elliptical) <= 1.0 + kTolerance);
            CHECK(shareInPlane(small, lambda, 16.0, wrong, elliptical) > 1.2);
        }
    }
}

namespace {

// The largest of the statistics of three inputs, as a share of the critical value at a false-alarm
// rate of 1e-6 for all of them.
double worstChiSquare(const RowMatrixD& table, const RowMatrixF& words, const RowMatrixF& noise) {
    double worst = 0.0;
    for (const embedding::Row word : {0, 2, 7}) {
        std::vector<int> counts(static_cast<std::size_t>(words.rows()));
        for (Eigen::Index draw = 0; draw < noise.rows(); ++draw) {
            ++counts[static_cast<std::size_t>(
                test::bruteForceNearest(words, word, noise.row(draw).transpose(), 1.0))];
        }
        worst = std::max(worst, test::misfit(counts, table.row(word), 1e-6 / 3.0));
    }
    return worst;
}

// As noiseAtUnitEpsilon, with the radius Gamma(shape).
RowMatrixF withRadius(const UnitDraws& draws, RowMatrixD points, double shape) {
    for (Eigen::Index row = 0; row < points.rows(); ++row) {
        points.row(row) *= numeric::gammaQuantile(shape, draws.quantiles[row]);
    }
    return points.cast<float>();
}

}  // namespace

TEST_CASE("What the mechanism draws has the probabilities that were audited (rate 1e-6 each)") {
    const RowMatrixF words = elongated();
    const UnitDraws draws = unitDraws(3, StreamPurpose::unitDraws, 0, 0, kUnitDraws, 2);
    for (const double lambda : {0.0, 0.5, 1.0}) {
        CAPTURE(lambda);
        const EllipticalNoise noise = ellipticalOn(words, lambda);
        const RowMatrixD table = probabilities(words, 1.0, shapeMatrix(words, lambda), elliptical);
        CHECK(worstChiSquare(table, words, noiseAtUnitEpsilon(draws, noise)) < 1.0);
        // The same draws with the wrong laws are told apart.
        const RowMatrixD shaped = noise.shape(draws.directions);
        const auto misfitOf = [&](const RowMatrixD& points, double radiusShape) {
            return worstChiSquare(table, words, withRadius(draws, points, radiusShape));
        };
        CHECK(misfitOf(shaped, 1.0) > 1.0);
        if (lambda > 0.0) {
            CHECK(misfitOf(shaped.rowwise().normalized(), 2.0) > 1.0);
            CHECK(misfitOf(shaped * std::sqrt(covariance(words).trace() / 2.0), 2.0) > 1.0);
        }
    }
}
