#include <algorithm>
#include <cmath>
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

// The audit of the elliptical mechanisms: output probabilities from the density of the noise, held
// against what the mechanism says it guarantees, and against what it draws. Wrong laws of the noise
// must be noticed; otherwise passing would mean nothing.

using namespace epsilens;
using mechanism::EllipticalNoise;

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
