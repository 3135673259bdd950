#include "core/mechanism/hyperbolic_noise.h"

#include <cmath>
#include <functional>
#include <limits>
#include <numbers>
#include <vector>

#include <boost/math/quadrature/gauss_kronrod.hpp>
#include <boost/math/special_functions/beta.hpp>
#include <catch2/catch.hpp>

#include "core/mechanism/unit_draws.h"
#include "core/metric/poincare_distance.h"
#include "tests/support/audit.h"
#include "tests/support/brute_force.h"
#include "tests/support/refusal.h"
#include "tests/support/statistical.h"
#include "tests/support/toy_embedding.h"

using namespace epsilens;
using namespace epsilens::mechanism;

namespace {

embedding::EmbeddingHandle ball(Eigen::Index dimensions) {
    return test::toyEmbedding(test::poincareVectors(50, dimensions, 0.95, 1));
}

/// A word of the given norm on the diagonal, rounded to float32.
VectorF wordOfNorm(Eigen::Index dimensions, double norm) {
    return VectorF::Constant(dimensions,
                             static_cast<float>(norm / std::sqrt(static_cast<double>(dimensions))));
}

double textbookDistance(const VectorF& word, const VectorD& point) {
    return static_cast<double>(
        test::textbookDistance(word.cast<long double>(), point.cast<long double>()));
}

VectorD noisyPointOf(const VectorF& word, const VectorD& direction, double radius) {
    return noisyPoint(word.data(), metric::ballGap(word.data(), word.size()), direction.data(),
                      word.size(), radius);
}

VectorD directionOf(const UnitDraws& draws, Eigen::Index row) {
    return draws.directions.row(row).transpose();
}

}  // namespace

TEST_CASE("Möbius noise lies at hyperbolic distance r from its word, near the edge too") {
    const Eigen::Index m = GENERATE(1, 2, 10, 100);
    const double norm = GENERATE(0.0, 0.3, 0.9, 0.9996);
    const VectorF word = wordOfNorm(m, norm);
    const UnitDraws draws = unitDraws(1, StreamPurpose::unitDraws, 0, 0, 50, m);
    for (Eigen::Index draw = 0; draw < 50; ++draw) {
        for (const double radius : {1e-6, 0.01, 1.0, 3.0, 6.0}) {
            CAPTURE(m, norm, draw, radius);
            const VectorD point = noisyPointOf(word, directionOf(draws, draw), radius);
            REQUIRE_THAT(textbookDistance(word, point),
                         Catch::WithinAbs(radius, 1e-6 * std::max(1.0, radius)));
        }
    }
}

TEST_CASE("Möbius noise follows the exponential map in Lorentz coordinates") {
    // cosh r w_L + sinh r PT(xi), with <PT xi, u> = <xi, u> + <w, xi>/(1 + w_0) (<w, u> - u_0):
    // compared as inner products with other points.
    constexpr Eigen::Index m = 4;
    const RowMatrixF others = test::poincareVectors(20, m, 0.9, 3);
    const UnitDraws draws = unitDraws(3, StreamPurpose::unitDraws, 0, 0, 10, m);
    const auto lorentz = [](const VectorD& x) {
        VectorD point(x.size() + 1);
        point << 1.0 + x.squaredNorm(), 2.0 * x;
        return VectorD(point / (1.0 - x.squaredNorm()));
    };
    const auto product = [](const VectorD& a, const VectorD& b) {
        return a.tail(a.size() - 1).dot(b.tail(b.size() - 1)) - a[0] * b[0];
    };
    const VectorF word = wordOfNorm(m, GENERATE(0.0, 0.6, 0.99));
    const VectorD w = lorentz(word.cast<double>());
    for (Eigen::Index draw = 0; draw < 10; ++draw) {
        const VectorD direction = directionOf(draws, draw);
        VectorD xi(m + 1);
        xi << 0.0, direction;
        for (const double radius : {1e-3, 0.2, 1.5, 4.0}) {
            const VectorD v = lorentz(noisyPointOf(word, direction, radius));
            for (Eigen::Index row = 0; row < others.rows(); ++row) {
                const VectorD u = lorentz(others.row(row).transpose().cast<double>());
                const double carried =
                    product(xi, u) + product(w, xi) / (1.0 + w[0]) * (product(w, u) - u[0]);
                const double expected =
                    std::cosh(radius) * product(w, u) + std::sinh(radius) * carried;
                REQUIRE(product(v, u) == Approx(expected).epsilon(1e-9));
            }
        }
    }
}

TEST_CASE("Infinite radii lead to the edge of the ball") {
    const VectorF word = wordOfNorm(3, 0.9996);
    const UnitDraws draws = unitDraws(4, StreamPurpose::unitDraws, 0, 0, 20, 3);
    const double infinity = std::numeric_limits<double>::infinity();
    for (Eigen::Index draw = 0; draw < 20; ++draw) {
        const VectorD point = noisyPointOf(word, directionOf(draws, draw), infinity);
        CHECK(point.norm() == Approx(1.0).epsilon(1e-12));
        CHECK((point - noisyPointOf(word, directionOf(draws, draw), 40.0)).norm() < 1e-8);
    }
}

TEST_CASE("Distances of sampled points to their word follow the law of the radius") {
    constexpr Eigen::Index m = 3;
    constexpr double kEpsilon = 4.0;
    constexpr std::int64_t kDraws = 20000;
    const auto handle = ball(m);
    const auto noise = HyperbolicNoise::create(*handle, RadialLaw::riemannian).value();
    const auto law = noise.radiusAt(kEpsilon).value();
    const UnitDraws draws = unitDraws(5, StreamPurpose::unitDraws, 0, 0, kDraws, m);
    const VectorF word = wordOfNorm(m, 0.8);
    std::vector<double> distances;
    for (Eigen::Index draw = 0; draw < kDraws; ++draw) {
        const VectorD point =
            noisyPointOf(word, directionOf(draws, draw), law.quantile(draws.quantiles[draw]));
        distances.push_back(textbookDistance(word, point));
    }
    // 4 sinh^2(r) e^{-4r} = e^{-2r} - 2 e^{-4r} + e^{-6r}, whose integral to r is
    // (1 - e^{-2r})/2 - (1 - e^{-4r})/2 + (1 - e^{-6r})/6, 1/6 in all.
    const auto distribution = [](double r) {
        return -3.0 * std::expm1(-2.0 * r) + 3.0 * std::expm1(-4.0 * r) - std::expm1(-6.0 * r);
    };
    const auto wrong = [&](double r) { return distribution(1.05 * r); };
    const double critical = test::ksCritical(distances.size(), test::kFalseAlarmRate);
    CHECK(test::ksDistance(distances, distribution) < critical);
    CHECK(test::ksDistance(distances, wrong) > critical);
}

TEST_CASE("The guarantee is what the derivation shows") {
    const auto handle = ball(10);
    const auto of = [&](RadialLaw law) {
        return HyperbolicNoise::create(*handle, law)->guarantee(11.5);
    };
    const Guarantee riemannian = of(RadialLaw::riemannian);
    CHECK(riemannian.metric == Metric::poincare);
    CHECK(riemannian.bound == 11.5);
    CHECK(riemannian.statement == "ε·d_H");
    const Guarantee eq7 = of(RadialLaw::eq7);
    CHECK(eq7.bound == 21.5);
    CHECK(eq7.statement == "(ε+m)·d_H");
}

TEST_CASE("Rows outside the ball are refused with their number") {
    RowMatrixF vectors = test::poincareVectors(20, 3, 0.9, 6);
    vectors.row(4) << 1.0F, 0.0F, 0.0F;
    vectors.row(9) << 2.0F, 1.0F, 0.0F;
    const Error error = test::checkRefused(
        HyperbolicNoise::create(*test::toyEmbedding(vectors), RadialLaw::riemannian),
        ErrorCode::unsupported);
    CHECK_THAT(error.message,
               Catch::Contains("2 rows have norm ≥ 1") && Catch::Contains("Poincaré vectors"));
}

// The audit of Möbius noise: output probabilities from the published densities of the radius, held
// against what the mechanism says it guarantees, and against what it draws. Wrong laws of the noise
// must be noticed; otherwise passing would mean nothing.

namespace {

/// Density of the radius, not normalised.
using RadiusDensity = std::function<double(double radius)>;

RadiusDensity densityOf(RadialLaw law, int dimensions, double epsilon) {
    return [=](double r) {
        const double cosh = std::cosh(0.5 * r);
        return std::exp(-epsilon * r) *
               (law == RadialLaw::riemannian
                    ? std::pow(std::sinh(r), dimensions - 1)
                    : std::pow(std::tanh(0.5 * r), dimensions - 1) / (cosh * cosh));
    };
}

double massOf(const RadiusDensity& density, double from, double to) {
    constexpr double kEnd = 80.0;  // e^{-80/2} of the noise lies beyond
    return boost::math::quadrature::gauss_kronrod<double, 31>::integrate(
        density, from, std::min(to, kEnd), 15, 1e-12);
}

/// Place on an axis of the ball at a hyperbolic distance from the origin.
float onAxis(double distance) {
    return static_cast<float>(std::tanh(0.5 * distance));
}

/// Two words close together, one far behind them; on a line one behind each, in the disc some
/// around.
RowMatrixF auditedWords(int dimensions) {
    const float near = onAxis(0.6);
    const float far = onAxis(4.6);
    return dimensions == 1
               ? (RowMatrixF(4, 1) << 0.0F, near, far, onAxis(-4.0)).finished()
               : (RowMatrixF(5, 2) << 0.0F, 0.0F, near, 0.0F, far, 0.0F, 0.1F, 0.7F, -0.5F, -0.4F)
                     .finished();
}

/// The ball of one dimension is a line in its distances from the origin.
RowMatrixD lineProbabilities(const RadiusDensity& density) {
    const RowMatrixF words = auditedWords(1);
    std::vector<double> places;
    for (Eigen::Index word = 0; word < words.rows(); ++word) {
        places.push_back(2.0 * std::atanh(static_cast<double>(words(word, 0))));
    }
    const double bothSides = 2.0 * massOf(density, 0.0, 1e9);
    return test::lineProbabilities(places, [&](double low, double high) {
        return low < 0.0 && high > 0.0
                   ? (massOf(density, 0.0, -low) + massOf(density, 0.0, high)) / bothSides
                   : massOf(density, std::max(low, -high), std::max(high, -low)) / bothSides;
    });
}

/// A point at distance r from its word has the density of r over the circumference 2 pi sinh(r);
/// an area of the disc is 4 / (1 - ||v||^2)^2 times as large in the hyperbolic plane.
RowMatrixD discProbabilities(const RadiusDensity& density) {
    const RowMatrixF words = auditedWords(2);
    const auto gapOf = [](double x, double y) { return 1.0 - x * x - y * y; };
    test::PlaneMechanism mechanism;
    mechanism.unitDisc = true;
    for (Eigen::Index word = 0; word < words.rows(); ++word) {
        const double x = words(word, 0);
        const double y = words(word, 1);
        mechanism.sites.push_back({x, y, 1.0 / gapOf(x, y)});
    }
    const double whole = 2.0 * std::numbers::pi * massOf(density, 0.0, 1e9);
    mechanism.density = [&](std::size_t word, double x, double y) {
        const test::Site& site = mechanism.sites[word];
        const double gap = gapOf(x, y);
        if (!(gap > 0.0)) {
            return 0.0;  // float64 does not tell the point from the rim
        }
        const double r =
            2.0 * std::asinh(std::hypot(x - site.x, y - site.y) * std::sqrt(site.weight / gap));
        return density(r) / (whole * std::sinh(r)) * 4.0 / (gap * gap);
    };
    return test::planeProbabilities(mechanism);
}

/// The least bound per unit of distance that holds.
double largestLoss(const RowMatrixD& table) {
    const RowMatrixF words = auditedWords(table.rows() == 4 ? 1 : 2);
    return test::largestShare(table, [&](Eigen::Index first, Eigen::Index second) {
        return textbookDistance(words.row(first).transpose(),
                                words.row(second).transpose().cast<double>());
    });
}

// Of the quadrature up to where the rim begins in float64, far below any breach of interest.
constexpr double kLossTolerance = 1e-6;

}  // namespace

TEST_CASE("Möbius noise loses no more than its bound and comes close to it") {
    const RadialLaw law = GENERATE(RadialLaw::riemannian, RadialLaw::eq7);
    const double excess = GENERATE(0.5, 2.0);
    for (const int m : {1, 2}) {
        const auto noise = HyperbolicNoise::create(*ball(m), law).value();
        const double epsilon = excess + noise.epsilonBound();
        const RadiusDensity density = densityOf(law, m, epsilon);
        const RowMatrixD table = m == 1 ? lineProbabilities(density) : discProbabilities(density);
        CAPTURE(m, excess, table);
        CHECK((table.rowwise().sum().array() - 1.0).abs().maxCoeff() < kLossTolerance);
        CHECK(largestLoss(table) <= noise.guarantee(epsilon).bound * (1.0 + kLossTolerance));
        CHECK(largestLoss(table) >= noise.guarantee(epsilon).bound * 0.9);
    }
}

TEST_CASE("The audit notices noise that is too small for its claim") {
    constexpr double kEpsilon = 2.0;
    const auto noise = HyperbolicNoise::create(*ball(2), RadialLaw::riemannian).value();
    const double claim = noise.guarantee(kEpsilon).bound;
    const RadiusDensity right = densityOf(RadialLaw::riemannian, 2, kEpsilon);
    // A scale 10% too small, the law of one dimension less, and eq7 under the same claim.
    for (const RadiusDensity& wrong :
         {RadiusDensity([&](double r) { return right(r / 0.9); }),
          densityOf(RadialLaw::riemannian, 1, kEpsilon), densityOf(RadialLaw::eq7, 2, kEpsilon)}) {
        CHECK(largestLoss(discProbabilities(wrong)) > 1.05 * claim);
    }
}

TEST_CASE("What is drawn in the disc has the probabilities that were audited (rate 1e-6 each)") {
    const RadialLaw law = GENERATE(RadialLaw::riemannian, RadialLaw::eq7);
    constexpr double kEpsilon = 2.5;
    const RowMatrixF words = auditedWords(2);
    const auto noise = HyperbolicNoise::create(*test::toyEmbedding(words), law).value();
    const auto radius = noise.radiusAt(kEpsilon).value();
    const UnitDraws draws = unitDraws(6, StreamPurpose::unitDraws, 0, 0, 20'000, 2);
    const RowMatrixD right = discProbabilities(densityOf(law, 2, kEpsilon));
    const RowMatrixD wrong = discProbabilities(densityOf(law, 2, 1.2 * kEpsilon));
    for (const embedding::Row word : {0, 3}) {
        std::vector<int> counts(5);
        for (Eigen::Index draw = 0; draw < draws.quantiles.size(); ++draw) {
            ++counts[static_cast<std::size_t>(test::bruteForcePoincareNearest(
                words, word, directionOf(draws, draw), radius.quantile(draws.quantiles[draw])))];
        }
        CHECK(test::misfit(counts, right.row(word), test::kFalseAlarmRate) < 1.0);
        // The test has power: a fifth less noise is told apart.
        CHECK(test::misfit(counts, wrong.row(word), test::kFalseAlarmRate) > 1.0);
    }
}

TEST_CASE("Two words at distance 1 under eq7 in ten dimensions differ by 2.59, not by 1") {
    // The cell of the other word is a half-space at distance 1/2: the noise enters it where
    // tanh r cos(angle) > tanh 1/2, and cos(angle) exceeds a with probability
    // I_{1 - a^2}((m - 1)/2, 1/2) / 2.
    constexpr int m = 10;
    const auto noise = HyperbolicNoise::create(*ball(m), RadialLaw::eq7).value();
    const auto radius = noise.radiusAt(1.0).value();
    constexpr int kSteps = 20000;
    double moved = 0.0;
    for (int i = 0; i < kSteps; ++i) {
        const double cosine = std::tanh(0.5) / std::tanh(radius.quantile((i + 0.5) / kSteps));
        if (cosine < 1.0) {
            moved += 0.5 * boost::math::ibeta(0.5 * (m - 1), 0.5, 1.0 - cosine * cosine) / kSteps;
        }
    }
    const double loss = std::log((1.0 - moved) / moved);
    // Another program, by six million Möbius sums of random points: 2.5887 +- 0.0016.
    CHECK(loss == Approx(2.5887).margin(0.005));
    CHECK(loss <= noise.guarantee(1.0).bound);
}
