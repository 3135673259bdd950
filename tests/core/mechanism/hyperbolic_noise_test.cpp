#include "core/mechanism/hyperbolic_noise.h"

#include <cmath>
#include <limits>

#include <catch2/catch.hpp>

#include "core/mechanism/unit_draws.h"
#include "core/metric/poincare_distance.h"
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

TEST_CASE("The riemannian law is refused at and below its bound") {
    const auto handle = ball(10);
    const auto noise = HyperbolicNoise::create(*handle, RadialLaw::riemannian).value();
    CHECK(noise.epsilonBound() == 9.0);
    CHECK_FALSE(noise.radiusAt(9.0));
    CHECK(noise.radiusAt(9.5));
    CHECK(HyperbolicNoise::create(*handle, RadialLaw::eq7)->radiusAt(0.125));
}
