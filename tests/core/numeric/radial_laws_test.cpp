#include "core/numeric/hyperbolic_radius.h"

#include <cmath>
#include <cstdlib>
#include <limits>
#include <string>
#include <vector>

#include <cblas-openblas.h>
#include <boost/math/quadrature/tanh_sinh.hpp>
#include <catch2/catch.hpp>

#include "core/base/random_stream.h"
#include "core/numeric/quantile.h"
#include "core/numeric/radial_laws.h"
#include "tests/support/refusal.h"
#include "tests/support/statistical.h"

using namespace epsilens;
using namespace epsilens::numeric;

namespace {

/// F, 1 - F and the density at a radius by another road than the code's: 80-bit numbers, another
/// variable, double-exponential quadrature.
struct Reference {
    long double below = 0.0L;
    long double above = 0.0L;
    long double density = 0.0L;
};

template <typename Function>
long double integrate(const Function& f, long double from, long double to) {
    static boost::math::quadrature::tanh_sinh<long double> rule(15);
    return from < to ? rule.integrate(f, from, to, 1e-14L) : 0.0L;
}

/// With s = tanh(r/2), eq7 is proportional to s^{m-1} ((1 - s) / (1 + s))^epsilon on (0, 1). Below
/// the radius s = S v, above it 1 - s = (1 - S) v; both integrals are split at the mode.
Reference eq7Reference(std::int64_t m, double epsilon, double radius) {
    const auto power = static_cast<long double>(m - 1);
    const long double at = std::tanh(0.5L * radius);
    const long double y = std::exp(-static_cast<long double>(radius));
    const long double rest = 2.0L * y / (1.0L + y);  // 1 - S
    const long double mode =
        power /
        (epsilon + std::sqrt(static_cast<long double>(epsilon) * epsilon + power * (power + 2.0L)));
    const auto logDensity = [&](long double s, long double oneMinusS) {
        return (m > 1 ? power * std::log(s) : 0.0L) +
               epsilon * (std::log(oneMinusS) - std::log1p(s));
    };
    const auto lower = [&](long double v) {
        return v > 0.0L || m == 1
                   ? std::exp(logDensity(at * v, 1.0L - at * v) - logDensity(at, rest))
                   : 0.0L;
    };
    const auto upper = [&](long double v) {
        return v > 0.0L ? std::exp(logDensity(1.0L - rest * v, rest * v) - logDensity(at, rest))
                        : 0.0L;
    };
    const long double lowerMode = std::min(mode / at, 1.0L);
    const long double upperMode = std::min((1.0L - mode) / rest, 1.0L);
    const long double below =
        at * (integrate(lower, 0.0L, lowerMode) + integrate(lower, lowerMode, 1.0L));
    const long double above =
        rest * (integrate(upper, 0.0L, upperMode) + integrate(upper, upperMode, 1.0L));
    const long double whole = below + above;
    // ds/dr = (1 - s)(1 + s) / 2
    return {below / whole, above / whole, 0.5L * rest * (1.0L + at) / whole};
}

/// For whole m, 1 - F = e^{-2ar} sum_{j<m} (a)_j / j! (1 - e^{-2r})^j, a = (epsilon - m + 1) / 2
/// (the negative binomial sum of the incomplete beta function); F itself by quadrature.
Reference riemannianReference(std::int64_t m, double excess, double radius) {
    const long double a = 0.5L * excess;
    const long double x = -std::expm1(-2.0L * radius);
    long double term = 1.0L;
    long double sum = 0.0L;
    long double shape = 2.0L * a;  // 2 / B(a, m) = 2a prod (1 + a / j)
    for (std::int64_t j = 0; j < m; ++j) {
        sum += term;
        term *= (a + j) / (j + 1) * x;
        shape *= j > 0 ? 1.0L + a / j : 1.0L;
    }
    const auto scaled = [&](long double r) {
        return std::pow(-std::expm1(-2.0L * r), static_cast<long double>(m - 1)) *
               std::exp(-2.0L * a * r);
    };
    Reference result;
    result.above = std::exp(-2.0L * a * radius) * sum;
    const long double mode = 0.5L * std::log1p((m - 1) / a);
    const long double split = std::min<long double>(mode, radius);
    result.below =
        result.above < 0.9L
            ? 1.0L - result.above
            : shape * (integrate(scaled, 0.0L, split) + integrate(scaled, split, radius));
    result.density = shape * scaled(radius);
    return result;
}

const std::vector<double> kProbabilities{1e-30, 1e-16, 1e-9,  1e-3,       0.1,
                                         0.5,   0.9,   0.999, 1.0 - 1e-9, 1.0 - 0x1p-53};

/// Relative error of a radius as a quantile, from the nearer tail.
double quantileError(const Reference& reference, double radius, double probability) {
    const long double excess =
        probability < 0.5 ? reference.below - probability : (1.0L - probability) - reference.above;
    return static_cast<double>(std::fabs(excess / (reference.density * radius)));
}

/// Of the quantile, and of the masses on either side, from which epsilonOfRadius starts.
void requireAgreement(const RadialDensity& density, const Reference& reference, double radius,
                      double probability) {
    REQUIRE(quantileError(reference, radius, probability) <= 1e-8);
    const double odds = std::exp(sideOf(density, radius, Side::below).logMass -
                                 sideOf(density, radius, Side::above).logMass);
    REQUIRE(std::fabs(odds / (1.0 + odds) / static_cast<double>(reference.below) - 1.0) <= 1e-8);
    REQUIRE(std::fabs(1.0 / (1.0 + odds) / static_cast<double>(reference.above) - 1.0) <= 1e-8);
}

}  // namespace

TEST_CASE("Quantiles of eq7 agree with quadrature in body and tails") {
    const std::int64_t m = GENERATE(1, 2, 3, 10, 50, 300);
    for (const double epsilon : {1e-3, 0.125, 1.0, 8.0, 100.0, 1000.0}) {
        const auto law = HyperbolicRadius::create(RadialLaw::eq7, m, epsilon).value();
        for (const double probability : kProbabilities) {
            CAPTURE(m, epsilon, probability);
            const double radius = law.quantile(probability);
            requireAgreement({RadialLaw::eq7, static_cast<double>(m), epsilon},
                             eq7Reference(m, epsilon, radius), radius, probability);
        }
    }
}

TEST_CASE("Quantiles of the riemannian law agree with its finite sum and quadrature") {
    const std::int64_t m = GENERATE(1, 2, 3, 10, 50, 300);
    for (const double wanted : {1e-12, 1e-6, 1e-3, 0.125, 1.0, 10.0, 700.0}) {
        const double epsilon = static_cast<double>(m - 1) + wanted;
        const double excess = epsilon - static_cast<double>(m - 1);
        const auto law = HyperbolicRadius::create(RadialLaw::riemannian, m, epsilon).value();
        for (const double probability : kProbabilities) {
            CAPTURE(m, excess, probability);
            const double radius = law.quantile(probability);
            requireAgreement({RadialLaw::riemannian, static_cast<double>(m), excess},
                             riemannianReference(m, excess, radius), radius, probability);
        }
    }
}

TEST_CASE("Radii of random quantiles follow the density") {
    // The distribution function from a plain midpoint sum of the density as it is published.
    const RadialLaw law = GENERATE(RadialLaw::riemannian, RadialLaw::eq7);
    constexpr std::int64_t m = 5;
    const double epsilon = 6.5;
    constexpr int kCells = 400000;
    constexpr double kEnd = 30.0;
    std::vector<double> sums(kCells + 1);
    for (int i = 0; i < kCells; ++i) {
        const double r = kEnd * (i + 0.5) / kCells;
        const double density = law == RadialLaw::riemannian
                                   ? std::pow(std::sinh(r), m - 1.0) * std::exp(-epsilon * r)
                                   : std::pow(std::tanh(0.5 * r), m - 1.0) /
                                         std::pow(std::cosh(0.5 * r), 2.0) * std::exp(-epsilon * r);
        sums[static_cast<std::size_t>(i) + 1] = sums[static_cast<std::size_t>(i)] + density;
    }
    const auto distribution = [&](double r) {
        return sums[static_cast<std::size_t>(std::min(r / kEnd, 1.0) * kCells)] / sums.back();
    };
    const auto sample = [&](double atEpsilon) {
        const auto radius = HyperbolicRadius::create(law, m, atEpsilon).value();
        SeededStream stream(StreamKey{3, StreamPurpose::unitDraws, 0, 0});
        std::vector<double> radii(20000);
        for (double& r : radii) {
            r = radius.quantile(stream.uniform());
        }
        return radii;
    };
    CHECK(test::ksDistance(sample(epsilon), distribution) <
          test::ksCritical(20000, test::kFalseAlarmRate));
    // The test has power: five per cent more epsilon is told apart.
    CHECK(test::ksDistance(sample(1.05 * epsilon), distribution) >
          test::ksCritical(20000, test::kFalseAlarmRate));
}

TEST_CASE("As epsilon goes to 0 eq7 keeps the proper law tanh^m(r/2)") {
    const std::int64_t m = GENERATE(1, 2, 10, 300);
    const auto law = HyperbolicRadius::create(RadialLaw::eq7, m, 1e-13).value();
    for (const double q : {1e-6, 0.1, 0.5, 0.99, 1.0 - 1e-9}) {
        CAPTURE(m, q);
        // 1 - tanh(r/2) = 2 y / (1 + y) with y = e^-r, which does not round to 0.
        const double y = std::exp(-law.quantile(q));
        const double logShare = static_cast<double>(m) * std::log1p(-2.0 * y / (1.0 + y));
        CHECK(-std::expm1(logShare) == Approx(1.0 - q).epsilon(1e-7));
    }
}

TEST_CASE("Near its bound the riemannian law has huge radii and no overflow") {
    const std::int64_t m = GENERATE(2, 10, 300);
    const double epsilon = std::nextafter(static_cast<double>(m - 1), 1e9);
    const auto law = HyperbolicRadius::create(RadialLaw::riemannian, m, epsilon).value();
    double last = 0.0;
    for (const double q : {1e-15, 1e-6, 0.5, 1.0 - 0x1p-53}) {
        const double r = law.quantile(q);
        CHECK(std::isfinite(r));
        CHECK(r > last);
        last = r;
    }
    // e^{-excess r} = 1 - q to first order, since the excess is negligible beside 1.
    CHECK(law.quantile(0.5) ==
          Approx(std::log(2.0) / (epsilon - static_cast<double>(m - 1))).epsilon(1e-9));
    CHECK(std::tanh(last) == 1.0);
    CHECK(last ==
          Approx(53.0 * std::log(2.0) / (epsilon - static_cast<double>(m - 1))).epsilon(1e-6));
}

TEST_CASE("Radii rise with the quantile and fall with epsilon") {
    const RadialLaw law = GENERATE(RadialLaw::riemannian, RadialLaw::eq7);
    SeededStream stream(StreamKey{4, StreamPurpose{1003}, 0, 0});
    for (int i = 0; i < 3000; ++i) {
        const auto m = static_cast<std::int64_t>(1 + stream.below(300));
        const double bound = epsilonBound(law, m);
        const double excess = std::pow(10.0, 9.0 * stream.uniform() - 6.0);
        const double q = std::pow(10.0, -15.0 * stream.uniform());
        const auto radius = HyperbolicRadius::create(law, m, bound + excess).value();
        const auto smaller = HyperbolicRadius::create(law, m, bound + 1.01 * excess).value();
        CAPTURE(m, excess, q);
        REQUIRE(radius.quantile(q) > 0.0);
        REQUIRE(radius.quantile(q) > radius.quantile(0.999 * q));
        REQUIRE(radius.quantile(1.0 - q) >= radius.quantile(1.0 - 1.001 * q));
        REQUIRE(radius.quantile(q) > smaller.quantile(q));
        REQUIRE(radius.quantile(1.0 - q) > smaller.quantile(1.0 - q));
    }
}

TEST_CASE("Epsilon of a radius inverts the quantile") {
    const RadialLaw law = GENERATE(RadialLaw::riemannian, RadialLaw::eq7);
    const std::uint64_t largest = GENERATE(3U, 300U);
    SeededStream stream(StreamKey{5, StreamPurpose{1004}, 0, 0});
    for (int i = 0; i < 5000; ++i) {
        const auto m = static_cast<std::int64_t>(1 + stream.below(largest));
        const double bound = epsilonBound(law, m);
        const double epsilon = bound + std::pow(10.0, 6.0 * stream.uniform() - 3.0);
        double q = std::pow(10.0, -15.0 * stream.uniform());
        q = i % 2 == 0 ? q : 1.0 - q;
        const double r = HyperbolicRadius::create(law, m, epsilon)->quantile(q);
        CAPTURE(m, epsilon, q, r);
        REQUIRE(std::fabs(epsilonOfRadius(law, m, r, q) - epsilon) <=
                1e-8 * (epsilon - bound) + 1e-10 + 1e-15 * bound);
    }
}

TEST_CASE("Epsilon of a radius has the limits of the laws") {
    const std::int64_t m = GENERATE(1, 10, 300);
    const double infinity = std::numeric_limits<double>::infinity();
    const auto bound = static_cast<double>(m - 1);
    CHECK(epsilonOfRadius(RadialLaw::riemannian, m, infinity, 0.5) == bound);
    CHECK(epsilonOfRadius(RadialLaw::riemannian, m, 1e6, 0.5) == Approx(bound).margin(1e-5));
    CHECK(epsilonOfRadius(RadialLaw::eq7, m, infinity, 0.5) == 0.0);
    // eq7 keeps the word at every epsilon when q <= tanh^m(r/2), and not when q is larger.
    const double r = 3.0;
    const double edge = std::pow(std::tanh(0.5 * r), static_cast<double>(m));
    CHECK(epsilonOfRadius(RadialLaw::eq7, m, r, 0.999999 * edge) == 0.0);
    const double small =
        epsilonOfRadius(RadialLaw::eq7, m, r, std::min(1.000001 * edge, 1.0 - 1e-12));
    CHECK(small > 0.0);
    CHECK(small < 1e-4);
    // Small radii see flat space: epsilon r is a quantile of Gamma(m, 1).
    for (const double q : {1e-6, 0.5, 0.999}) {
        const double gamma = gammaQuantile(static_cast<double>(m), q);
        CHECK(epsilonOfRadius(RadialLaw::eq7, m, 1e-9, q) == Approx(gamma / 1e-9).epsilon(1e-6));
        CHECK(epsilonOfRadius(RadialLaw::riemannian, m, 1e-9, q) ==
              Approx(gamma / 1e-9).epsilon(1e-6));
    }
}

// Limit: at the largest epsilon all noise sees flat space, where epsilon r is a quantile of
// Gamma(m, 1).
TEST_CASE("Radii are right up to the largest epsilon and refused beyond") {
    const RadialLaw law = GENERATE(RadialLaw::riemannian, RadialLaw::eq7);
    const std::int64_t m = GENERATE(1, 2, 10, 300);
    const auto radius = HyperbolicRadius::create(law, m, kLargestHyperbolicEpsilon).value();
    for (const double q : {1e-15, 1e-6, 0.5, 0.999, 1.0 - 0x1p-53}) {
        const double gamma = gammaQuantile(static_cast<double>(m), q);
        CAPTURE(m, q);
        CHECK(radius.quantile(q) * kLargestHyperbolicEpsilon == Approx(gamma).epsilon(1e-5));
    }
    for (const double beyond : {1.0001e9, 1e30, 1e300}) {
        test::checkRefused(HyperbolicRadius::create(law, m, beyond), ErrorCode::invalidArgument,
                           "1e+09");
    }
}

TEST_CASE("Laws are refused where they do not exist, with the bound") {
    const Error error = test::checkRefused(HyperbolicRadius::create(RadialLaw::riemannian, 10, 9.0),
                                           ErrorCode::invalidArgument);
    CHECK_THAT(error.message, Catch::Contains("10 dimensions") && Catch::Contains("ε > 9"));
    CHECK(HyperbolicRadius::create(RadialLaw::riemannian, 10, 9.001));
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const double infinity = std::numeric_limits<double>::infinity();
    for (const RadialLaw law : {RadialLaw::riemannian, RadialLaw::eq7}) {
        for (const double epsilon : {0.0, -1.0, nan, infinity}) {
            CHECK_FALSE(HyperbolicRadius::create(law, 3, epsilon));
        }
        CHECK_FALSE(HyperbolicRadius::create(law, 0, 5.0));
    }
}

TEST_CASE("The gamma quantile inverts the closed form of shape 2") {
    // F(x) = 1 - (1 + x) e^-x
    for (const double x : {0.01, 1.0, 4.744, 20.0}) {
        const double q = -std::expm1(-x) - x * std::exp(-x);
        CHECK(gammaQuantile(2.0, q) == Approx(x).epsilon(1e-9));
    }
}

TEST_CASE("Planar radii agree with independently computed values") {
    // Computed in 30-digit arithmetic from the defining integral; four digits are given.
    struct Row {
        long dimensions;
        double half;
        double most;
    };
    for (const Row& row : {Row{2, 1.678, 4.744}, Row{3, 2.027, 5.368}, Row{10, 3.686, 8.457},
                           Row{300, 20.38, 42.54}}) {
        CAPTURE(row.dimensions);
        CHECK(planarRadiusQuantile(0.5, row.dimensions) == Approx(row.half).epsilon(5e-4));
        CHECK(planarRadiusQuantile(0.95, row.dimensions) == Approx(row.most).epsilon(5e-4));
    }
}

TEST_CASE("The planar radius of m = 3 solves its closed form") {
    // For m = 3 the projection of Y X on a plane has P(radius > rho) =
    // int_rho^inf sqrt(1 - rho^2/y^2) y^2/2 e^-y dy = rho^2/2 K_2(rho) ... checked by quadrature
    // with a plain midpoint rule in the variable y = rho cosh s.
    const double rho = planarRadiusQuantile(0.8, 3);
    double tail = 0.0;
    const double step = 1e-4;
    for (int i = 0; i < 120'000; ++i) {
        const double s = (i + 0.5) * step;
        const double y = rho * std::cosh(s);
        tail += std::tanh(s) * 0.5 * y * y * std::exp(-y) * rho * std::sinh(s) * step;
    }
    CHECK(tail == Approx(0.2).epsilon(1e-7));
}

TEST_CASE("Quantiles follow Hyndman and Fan's definition 7") {
    // R: quantile(c(1, 2, 4, 8), c(0, .25, .5, .9, 1), type = 7)
    const std::vector<double> sorted{1, 2, 4, 8};
    CHECK(quantileOfSorted(sorted, 0.0) == 1.0);
    CHECK(quantileOfSorted(sorted, 0.25) == 1.75);
    CHECK(quantileOfSorted(sorted, 0.5) == 3.0);
    CHECK(quantileOfSorted(sorted, 0.9) == Approx(6.8).epsilon(1e-14));
    CHECK(quantileOfSorted(sorted, 1.0) == 8.0);
    CHECK(quantileOfSorted(std::vector<double>{5}, 0.3) == 5.0);
}

TEST_CASE("Infinite order statistics do not make a quantile undefined") {
    const double infinity = std::numeric_limits<double>::infinity();
    const std::vector<double> sorted{1, infinity, infinity};
    CHECK(quantileOfSorted(sorted, 0.0) == 1.0);
    CHECK(quantileOfSorted(sorted, 0.25) == infinity);
    CHECK(quantileOfSorted(sorted, 0.75) == infinity);
}

// A processor that OpenBLAS does not know gets kernels without AVX, several times slower.

TEST_CASE("Matrix products use the vector instructions that the processor has") {
    const std::string kernels = openblas_get_corename();
    const char* const wanted = std::getenv("OPENBLAS_CORETYPE");  // NOLINT(concurrency-mt-unsafe)
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2")) {
        REQUIRE(wanted != nullptr);
        CHECK(kernels != "Prescott");
    }
#endif
    if (wanted != nullptr) {
        CHECK(kernels == wanted);
    }
}

TEST_CASE("OpenBLAS has no threads of its own") {
    CHECK(openblas_get_num_threads() == 1);
}
