#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <catch2/catch.hpp>

#include "core/mechanism/elliptical_noise.h"
#include "core/mechanism/unit_draws.h"
#include "core/numeric/radial_laws.h"
#include "tests/support/audit.h"
#include "tests/support/brute_force.h"
#include "tests/support/toy_embedding.h"

using namespace epsilens;
using mechanism::EllipticalNoise;

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
    const auto losses = test::largestLosses(table);
    REQUIRE(losses.size() == 6);
    CHECK(losses[0].loss == Approx(std::log(2.0)));  // 0 against 1
    CHECK(losses[0].output == 0);
    CHECK(std::isinf(losses[1].loss));  // 0 against 2: output 0 never comes from 2
    const auto result = test::audit(table.topRows(2), [](std::size_t, std::size_t) { return 0.5; });
    CHECK(result.largestShare == Approx(2.0 * std::log(2.0)));
    CHECK(result.largestExcess == Approx(std::log(2.0) - 0.5));
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

using Matrix2 = Eigen::Matrix2d;
using Vector2 = Eigen::Vector2d;

RowMatrixF vectorsOf(const std::vector<test::Site>& sites) {
    RowMatrixF vectors(static_cast<Eigen::Index>(sites.size()), 2);
    for (std::size_t i = 0; i < sites.size(); ++i) {
        vectors.row(static_cast<Eigen::Index>(i)) << static_cast<float>(sites[i].x),
            static_cast<float>(sites[i].y);
    }
    return vectors;
}

// Two inputs, a row of words behind them that narrows the cell of the one straight ahead, and words
// to the sides. Elongated, so that the covariance matters. All numbers are exact in float32.
std::vector<test::Site> elongated() {
    return {{0, 0},      {1, 0},       {8, 0},      {8, 0.5},   {8, -0.5},
            {-8, 0.125}, {-8, -0.625}, {0.25, 1.5}, {0.75, -2}, {3, 1.25}};
}

std::vector<test::Site> scaled(std::vector<test::Site> sites, double factor) {
    for (test::Site& site : sites) {
        site.x *= factor;
        site.y *= factor;
    }
    return sites;
}

// Divisor V - 1, not scaled.
Matrix2 covariance(const std::vector<test::Site>& sites) {
    const auto rows = vectorsOf(sites).cast<double>().eval();
    const RowMatrixD centred = rows.rowwise() - rows.colwise().mean();
    return centred.transpose() * centred / (static_cast<double>(sites.size()) - 1.0);
}

Matrix2 traceTwo(const Matrix2& sigma) {
    return sigma * (2.0 / sigma.trace());
}

Matrix2 regularized(const Matrix2& sigma, double lambda) {
    return lambda * sigma + (1.0 - lambda) * Matrix2::Identity();
}

// Density of the noise at a displacement.
using NoiseDensity = std::function<double(const Vector2&)>;

// epsilon^2 / (2 pi sqrt det A) e^{-epsilon ||z||_A}: area element and normalisation of
// e^{-epsilon ||A^{-1/2} z||} in the plane.
NoiseDensity ellipticalDensity(const Matrix2& a, double epsilon) {
    const Matrix2 inverse = a.inverse();
    const double factor = epsilon * epsilon / (2.0 * std::numbers::pi * std::sqrt(a.determinant()));
    return [=](const Vector2& z) {
        return factor * std::exp(-epsilon * std::sqrt(z.dot(inverse * z)));
    };
}

// Radius Gamma(m - 1) = Gamma(1) instead of Gamma(2): epsilon e^{-epsilon rho} over the
// circumference 2 pi rho, in the coordinates in which A is the identity.
NoiseDensity shortRadiusDensity(const Matrix2& a, double epsilon) {
    const Matrix2 inverse = a.inverse();
    const double factor = epsilon / (2.0 * std::numbers::pi * std::sqrt(a.determinant()));
    return [=](const Vector2& z) {
        const double rho = std::sqrt(z.dot(inverse * z));
        return factor * std::exp(-epsilon * rho) / rho;
    };
}

// Direction A^{1/2} X brought back to length 1: the radius is Gamma(2) in every direction, the
// direction has the angular Gaussian density 1 / (2 pi sqrt(det A) theta^T A^{-1} theta).
NoiseDensity renormalisedDensity(const Matrix2& a, double epsilon) {
    const Matrix2 inverse = a.inverse();
    const double factor = epsilon * epsilon / (2.0 * std::numbers::pi * std::sqrt(a.determinant()));
    return [=](const Vector2& z) {
        const double r = z.norm();
        return factor * std::exp(-epsilon * r) * (r * r) / z.dot(inverse * z);
    };
}

RowMatrixD probabilities(const std::vector<test::Site>& sites, const NoiseDensity& noise,
                         double epsilon) {
    test::PlaneMechanism mechanism;
    mechanism.sites = sites;
    mechanism.scale = 1.0 / epsilon;
    mechanism.density = [&](std::size_t word, double x, double y) {
        return noise(Vector2(x - sites[word].x, y - sites[word].y));
    };
    return test::planeProbabilities(mechanism);
}

// What the mechanism under test says about itself.
class Claim {
public:
    Claim(const std::vector<test::Site>& sites, double lambda)
        : m_handle(test::toyEmbedding(vectorsOf(sites))),
          m_noise(EllipticalNoise::create({m_handle, &m_handle->basis}, lambda).value()) {}

    [[nodiscard]] const EllipticalNoise& noise() const { return m_noise; }
    [[nodiscard]] const RowMatrixF& vectors() const { return m_handle->vectors(); }

    [[nodiscard]] test::AuditResult holdAgainst(const RowMatrixD& table, double epsilon) const {
        const double bound = m_noise.guarantee(epsilon).bound;
        return test::audit(table, [&](std::size_t first, std::size_t second) {
            return bound * m_noise.distance(vectorOf(first), vectorOf(second));
        });
    }

private:
    [[nodiscard]] VectorD vectorOf(std::size_t row) const {
        return vectors().row(static_cast<Eigen::Index>(row)).cast<double>().transpose();
    }

    embedding::EmbeddingHandle m_handle;
    EllipticalNoise m_noise;
};

// Relative error of the quadrature and of float32 vectors, far below any breach of interest.
constexpr double kTolerance = 1e-6;

}  // namespace

TEST_CASE("On a line the guarantee holds and is reached") {
    // An output beyond both inputs has the ratio e^{epsilon d} exactly: the bound cannot be less.
    const std::vector<double> places{-3.0, -1.0, -0.5, 0.25, 0.5, 2.0, 4.5, 5.0};
    RowMatrixF vectors(8, 1);
    std::transform(places.begin(), places.end(), vectors.data(),
                   [](double place) { return static_cast<float>(place); });
    const auto handle = test::toyEmbedding(vectors);
    for (const double lambda : {0.0, 0.5, 1.0}) {
        const auto noise = EllipticalNoise::create({handle, &handle->basis}, lambda).value();
        for (const double epsilon : {0.2, 1.0, 4.0}) {
            CAPTURE(lambda, epsilon);
            const auto table = test::lineProbabilities(places, [&](double low, double high) {
                return test::laplaceMass(low, high, epsilon);
            });
            const auto result = test::audit(table, [&](std::size_t first, std::size_t second) {
                return noise.guarantee(epsilon).bound *
                       noise.distance(VectorD::Constant(1, places[first]),
                                      VectorD::Constant(1, places[second]));
            });
            CHECK(result.largestShare <= 1.0 + 1e-12);
            CHECK(result.largestShare >= 1.0 - 1e-12);
        }
    }
}

TEST_CASE("On a line a scale that is off by a hundredth is noticed") {
    const std::vector<double> places{-1.0, 0.0, 0.5, 2.0};
    const double epsilon = 2.0;
    const auto table = test::lineProbabilities(places, [&](double low, double high) {
        return test::laplaceMass(low, high, 1.01 * epsilon);
    });
    CHECK(test::audit(table, [&](std::size_t first, std::size_t second) {
              return epsilon * std::fabs(places[first] - places[second]);
          }).largestShare == Approx(1.01).epsilon(1e-12));
}

TEST_CASE("In the plane the guarantee holds and is nearly reached") {
    const auto sites = elongated();
    for (const double lambda : {0.0, 0.5, 1.0}) {
        const Claim claim(sites, lambda);
        for (const double epsilon : {0.5, 2.0}) {
            CAPTURE(lambda, epsilon);
            const Matrix2 a = regularized(traceTwo(covariance(sites)), lambda);
            const auto table = probabilities(sites, ellipticalDensity(a, epsilon), epsilon);
            CHECK((table.rowwise().sum().array() - 1.0).abs().maxCoeff() < 1e-9);
            const auto result = claim.holdAgainst(table, epsilon);
            CHECK(result.largestShare <= 1.0 + kTolerance);
            CHECK(result.largestShare > 0.99);
        }
    }
}

TEST_CASE("A covariance that is not scaled to trace m is noticed") {
    // Small vectors: the noise would be smaller than said.
    const auto sites = scaled(elongated(), 0.0625);
    for (const double lambda : {0.5, 1.0}) {
        CAPTURE(lambda);
        const double epsilon = 16.0;
        const Claim claim(sites, lambda);
        const Matrix2 right = regularized(traceTwo(covariance(sites)), lambda);
        CHECK(claim
                  .holdAgainst(probabilities(sites, ellipticalDensity(right, epsilon), epsilon),
                               epsilon)
                  .largestShare <= 1.0 + kTolerance);
        const Matrix2 wrong = regularized(covariance(sites), lambda);
        CHECK(claim
                  .holdAgainst(probabilities(sites, ellipticalDensity(wrong, epsilon), epsilon),
                               epsilon)
                  .largestShare > 1.2);
    }
}

TEST_CASE("A radius of one dimension less is noticed") {
    const auto sites = elongated();
    for (const double lambda : {0.0, 0.5}) {
        CAPTURE(lambda);
        const Matrix2 a = regularized(traceTwo(covariance(sites)), lambda);
        const auto table = probabilities(sites, shortRadiusDensity(a, 0.5), 0.5);
        CHECK((table.rowwise().sum().array() - 1.0).abs().maxCoeff() < 1e-9);
        CHECK(Claim(sites, lambda).holdAgainst(table, 0.5).largestShare > 1.2);
    }
}

TEST_CASE("A direction brought back to length 1 after A^{1/2} is noticed") {
    const auto sites = elongated();
    for (const double lambda : {0.5, 1.0}) {
        CAPTURE(lambda);
        const Matrix2 a = regularized(traceTwo(covariance(sites)), lambda);
        const auto table = probabilities(sites, renormalisedDensity(a, 2.0), 2.0);
        CHECK((table.rowwise().sum().array() - 1.0).abs().maxCoeff() < 1e-9);
        CHECK(Claim(sites, lambda).holdAgainst(table, 2.0).largestShare > 1.1);
    }
}

namespace {

constexpr int kAuditDraws = 20000;

std::vector<int> countOutputs(const RowMatrixF& vectors, embedding::Row word,
                              const RowMatrixF& noise, double epsilon) {
    std::vector<int> counts(static_cast<std::size_t>(vectors.rows()));
    for (Eigen::Index draw = 0; draw < noise.rows(); ++draw) {
        ++counts[static_cast<std::size_t>(
            test::bruteForceNearest(vectors, word, noise.row(draw).transpose(), epsilon))];
    }
    return counts;
}

// The largest of the statistics of three inputs, as a share of the critical value at a false-alarm
// rate of 1e-6 for all of them.
double worstChiSquare(const Claim& claim, const RowMatrixD& table, const RowMatrixF& noise,
                      double epsilon) {
    double worst = 0.0;
    for (const embedding::Row word : {0, 2, 7}) {
        const auto counts = countOutputs(claim.vectors(), word, noise, epsilon);
        worst = std::max(worst, test::misfit(counts, table.row(word), 1e-6 / 3.0));
    }
    return worst;
}

// As noiseAtUnitEpsilon, with the radius Gamma(shape).
RowMatrixF withRadius(const mechanism::UnitDraws& draws, RowMatrixD points, double shape) {
    for (Eigen::Index row = 0; row < points.rows(); ++row) {
        points.row(row) *= numeric::gammaQuantile(shape, draws.quantiles[row]);
    }
    return points.cast<float>();
}

}  // namespace

TEST_CASE("What the mechanism draws has the probabilities that were audited (rate 1e-6 each)") {
    const auto sites = elongated();
    const double epsilon = 1.0;
    for (const double lambda : {0.0, 0.5, 1.0}) {
        CAPTURE(lambda);
        const Claim claim(sites, lambda);
        const Matrix2 a = regularized(traceTwo(covariance(sites)), lambda);
        const auto table = probabilities(sites, ellipticalDensity(a, epsilon), epsilon);
        const auto draws = mechanism::unitDraws(3, StreamPurpose::unitDraws, 0, 0, kAuditDraws, 2);
        const auto noise = mechanism::noiseAtUnitEpsilon(draws, claim.noise());
        CHECK(worstChiSquare(claim, table, noise, epsilon) < 1.0);
        // The same draws with the wrong laws are told apart.
        CHECK(worstChiSquare(claim, table,
                             withRadius(draws, claim.noise().shape(draws.directions), 1.0),
                             epsilon) > 1.0);
        if (lambda > 0.0) {
            const RowMatrixD renormalised =
                claim.noise().shape(draws.directions).rowwise().normalized();
            CHECK(worstChiSquare(claim, table, withRadius(draws, renormalised, 2.0), epsilon) >
                  1.0);
            const RowMatrixD unscaled =
                claim.noise().shape(draws.directions) * std::sqrt(covariance(sites).trace() / 2.0);
            CHECK(worstChiSquare(claim, table, withRadius(draws, unscaled, 2.0), epsilon) > 1.0);
        }
    }
}
