#include "core/mechanism/guarantee.h"

#include <cmath>
#include <limits>
#include <vector>

#include <catch2/catch.hpp>

#include "core/mechanism/elliptical_noise.h"
#include "core/mechanism/mechanism.h"
#include "core/mechanism/prepared_mechanism.h"
#include "tests/support/refusal.h"
#include "tests/support/toy_embedding.h"

using namespace epsilens;
using namespace epsilens::mechanism;
using Catch::Matchers::Contains;

namespace {

Guarantee withBound(double bound) {
    Guarantee guarantee;
    guarantee.epsilon = bound;
    guarantee.bound = bound;
    return guarantee;
}

/// As TEM states it: min(d, gamma) times epsilon.
Guarantee withCap(double bound, double cap) {
    Guarantee guarantee = withBound(bound);
    guarantee.cap = cap;
    return guarantee;
}

}  // namespace

TEST_CASE("The loss of a pair is bound times distance, unrounded") {
    CHECK(pairLoss(withBound(1.0), 5.1) == 5.1);
    CHECK(pairLoss(withBound(2.0), 0.25) == 0.5);
}

TEST_CASE("Within the radius of high protection the odds stay below their factor") {
    // ln 2 / 4
    CHECK(protectionRadius(withBound(4.0), 2.0).value() == Approx(0.17328679514).epsilon(1e-10));
    for (const double bound : {0.01, 1.0, 37.5}) {
        for (const double odds : {1.001, 2.0, 1e6}) {
            const double radius = protectionRadius(withBound(bound), odds).value();
            CHECK(std::exp(pairLoss(withBound(bound), radius)) == Approx(odds).epsilon(1e-9));
        }
    }
    // A cap of ln 2 holds every pair at odds of 2.
    CHECK(std::isinf(protectionRadius(withCap(4.0, std::log(2.0)), 2.0).value()));
    CHECK(protectionRadius(withCap(4.0, 0.7), 2.0).value() == Approx(0.17328679514).epsilon(1e-10));
    for (const double odds : {1.0, 0.5, -1.0, std::numeric_limits<double>::infinity(),
                              std::numeric_limits<double>::quiet_NaN()}) {
        test::checkRefused(protectionRadius(withBound(1.0), odds), ErrorCode::invalidArgument);
    }
}

TEST_CASE("The sentence of a guarantee names constant, metric and scope") {
    Guarantee guarantee = withBound(2.5);
    guarantee.metric = Metric::mahalanobis;
    CHECK_THAT(guaranteeSentence(guarantee),
               Contains("per word occurrence") && Contains("e^(2.5·d(w, w'))") &&
                   Contains("regularized Mahalanobis") && !Contains("and at most"));
    CHECK_THAT(guaranteeSentence(guarantee), Contains("For all words w, w' and every output u"));
    CHECK_THAT(guaranteeSentence(guarantee, true),
               Contains("For all words w, w' other than the stop words and every output u"));
    // An upper bound is rounded up.
    CHECK_THAT(guaranteeSentence(withCap(2.0, 6.33333)), Contains("and at most e^6.334 times"));
    CHECK(notCovered().front() == "the number of words and their order");
    CHECK(notCovered().size() == 3);
}

TEST_CASE("A setting measures words in the metric of its own guarantee") {
    const auto handle = test::toyEmbedding(test::anisotropicVectors(50, 4, 11));
    const auto noise = EllipticalNoise::create({handle, &handle->basis}, 0.7).value();
    const GuaranteedSetting setting = guaranteedSetting(
        noise.guarantee(3.0), metric::WordMetric::create(handle, Metric::mahalanobis, 0.7).value());
    const VectorD first = handle->vectors().row(3).cast<double>().transpose();
    const VectorD second = handle->vectors().row(40).cast<double>().transpose();
    CHECK(setting.distance(3, 40) == noise.distance(first, second));
}

namespace {

PreparedMechanism prepared(const embedding::EmbeddingHandle& embedding,
                           const Mechanism& mechanism) {
    return PreparedMechanism::create(embedding, mechanism).value();
}

}  // namespace

TEST_CASE("A promise of epsilon times the distance reaches to ln(factor) / distance") {
    const auto words = test::toyEmbedding(test::anisotropicVectors(30, 4, 1));
    const PreparedMechanism laplace = prepared(words, Laplace{});
    for (const double factor : {2.0, 10.0, 1e3, 1e6}) {
        const PromiseReach reach = promiseReach(laplace, 5.1, factor);
        // The loss is epsilon d; both sides of the place are checked, since it is rounded down.
        CHECK(*reach.epsilon == Approx(std::log(factor) / 5.1).epsilon(1e-12));
        CHECK(*reach.epsilon * 5.1 <= std::log(factor));
    }
    CHECK(std::isinf(*promiseReach(laplace, 0.0, 2.0).epsilon));
}

TEST_CASE("A cap holds the odds at every epsilon") {
    const auto words = test::toyEmbedding(test::anisotropicVectors(30, 4, 1));
    // With beta the cap is epsilon gamma = 2 ln((1 - beta)(V - 1) / beta): 2 ln 29 at beta = 1/2.
    const PreparedMechanism tem = prepared(words, Tem{Metric::euclidean, 0.0, {}, 0.5});
    const double cap = 2.0 * std::log(29.0);
    CHECK(std::isinf(*promiseReach(tem, 3.0, std::exp(cap) * 1.001).epsilon));
    CHECK(*promiseReach(tem, 3.0, std::exp(cap) * 0.999).epsilon ==
          Approx((cap + std::log(0.999)) / 3.0));
}

TEST_CASE("A promise that begins above the factor does not reach at all") {
    const auto ball = test::toyEmbedding(test::poincareVectors(30, 5, 0.9, 2));
    // eq7 costs m d more than epsilon d.
    const PreparedMechanism eq7 = prepared(ball, Hyperbolic{RadialLaw::eq7});
    CHECK_FALSE(promiseReach(eq7, 1.0, std::exp(4.9)).epsilon);
    CHECK(*promiseReach(eq7, 1.0, std::exp(6.0)).epsilon == Approx(1.0));
    // Riemannian noise exists above m - 1 only.
    const PreparedMechanism riemannian = prepared(ball, Hyperbolic{});
    CHECK(*promiseReach(riemannian, 0.5, std::exp(4.0)).epsilon == Approx(8.0));
    CHECK_FALSE(promiseReach(riemannian, 2.0, std::exp(4.0)).epsilon);
}

TEST_CASE("Every mechanism is found by its name, and its parameters make it again") {
    for (const Mechanism& mechanism : Mechanism::all()) {
        CAPTURE(mechanism.name());
        CHECK(Mechanism::named(mechanism.name()).value() == mechanism);
        CHECK(Mechanism::named(mechanism.name(), mechanism.parameters()).value() == mechanism);
        CHECK(mechanism.with({}) == mechanism);
    }
    CHECK_THAT(Mechanism::named("magic").error().message,
               Catch::Contains("laplace, mahalanobis, tem, exponential, hyperbolic"));
}

TEST_CASE("Only a Mahalanobis distance has a lambda") {
    CHECK(Mechanism(Mahalanobis{}).hasLambda());
    CHECK(Mechanism(Tem{Metric::mahalanobis}).hasLambda());
    CHECK_FALSE(Mechanism(Tem{Metric::angular}).hasLambda());
    CHECK(Mechanism(Exponential{Metric::mahalanobis}).hasLambda());
    CHECK_FALSE(Mechanism(Exponential{}).hasLambda());
    CHECK_FALSE(Mechanism(Laplace{}).hasLambda());
    CHECK_FALSE(Mechanism(Hyperbolic{}).hasLambda());
}

TEST_CASE("Mechanisms are equal when they have the same law") {
    CHECK(Mechanism(Mahalanobis{0.25}) != Mechanism(Mahalanobis{0.5}));
    CHECK(Mechanism(Mahalanobis{0.0}) != Mechanism(Laplace{}));
    // Lambda is of the Mahalanobis metric only, and gamma stands before beta.
    CHECK(Mechanism(Tem{Metric::angular, 0.25}) == Mechanism(Tem{Metric::angular, 0.75}));
    CHECK(Mechanism(Tem{Metric::mahalanobis, 0.25}) != Mechanism(Tem{Metric::mahalanobis, 0.75}));
    CHECK(Mechanism(Tem{Metric::euclidean, 0.5, 2.0, 0.1}) ==
          Mechanism(Tem{Metric::euclidean, 0.5, 2.0, 0.2}));
    CHECK(Mechanism(Tem{Metric::euclidean, 0.5, {}, 0.1}) !=
          Mechanism(Tem{Metric::euclidean, 0.5, {}, 0.2}));
    CHECK(Mechanism(Exponential{Metric::angular, 0.25}) ==
          Mechanism(Exponential{Metric::angular, 0.75}));
    CHECK(Mechanism(Exponential{Metric::angular}) != Mechanism(Exponential{}));
    CHECK(Mechanism(Hyperbolic{RadialLaw::eq7}) != Mechanism(Hyperbolic{}));
}

TEST_CASE("A parameter that a mechanism lacks changes nothing") {
    const Parameters all{0.25, Metric::angular, 2.0, 0.5, RadialLaw::eq7};
    CHECK(Mechanism(Laplace{}).with(all) == Mechanism(Laplace{}));
    CHECK(Mechanism(Mahalanobis{}).with(all) == Mechanism(Mahalanobis{0.25}));
    CHECK(Mechanism(Hyperbolic{}).with(all) == Mechanism(Hyperbolic{RadialLaw::eq7}));
    CHECK(Mechanism(Tem{Metric::euclidean, 0.5, 3.0}).with({.beta = 0.125}) ==
          Mechanism(Tem{Metric::euclidean, 0.5, {}, 0.125}));
}

TEST_CASE("A grid has its mechanisms lambda by lambda and radius by radius") {
    Grid grid;
    grid.mechanism = Tem{Metric::mahalanobis};
    grid.lambdas = {0.0, 1.0};
    grid.betas = {0.5, 0.25};
    const auto mechanisms = grid.mechanisms();
    REQUIRE(mechanisms.size() == 4);
    CHECK(mechanisms[1] == Mechanism(Tem{Metric::mahalanobis, 0.0, {}, 0.25}));
    CHECK(mechanisms[2] == Mechanism(Tem{Metric::mahalanobis, 1.0, {}, 0.5}));
    grid.gammas = {3.0};
    REQUIRE(grid.mechanisms().size() == 2);
    CHECK(grid.mechanisms()[1] == Mechanism(Tem{Metric::mahalanobis, 1.0, 3.0}));
    CHECK(grid.used().betas.empty());
    grid.mechanism = Laplace{};
    CHECK(grid.mechanisms() == std::vector<Mechanism>{Laplace{}});
    CHECK(grid.used().lambdas == std::vector<double>{0.0});
    CHECK(grid.used().gammas.empty());
}

// What each mechanism can do must agree with the form it takes on vectors.
TEST_CASE("Mechanisms do what they say they can") {
    const auto embedding = test::toyEmbedding(test::poincareVectors(30, 3, 0.9, 1));
    for (const Mechanism& mechanism : Mechanism::all()) {
        CAPTURE(mechanism.name());
        const auto form = mechanism.on(embedding).value();
        CHECK(mechanism.isExact() == std::holds_alternative<SelectionWeights>(form));
        const auto prepared = PreparedMechanism::create(embedding, mechanism).value();
        const double epsilon = mechanism.epsilonBound(3) + 1.0;
        const Guarantee guarantee = prepared.guarantee(epsilon).value();
        CHECK(guarantee.metric == mechanism.metric());
        CHECK(guarantee.bound >= epsilon);
        CHECK(prepared.gammaAt(epsilon).has_value() == mechanism.hasRadius());
        if (mechanism.hasEpsilonBound()) {
            CHECK_FALSE(prepared.guarantee(mechanism.epsilonBound(3)));
        }
    }
}

TEST_CASE("A mechanism outside its ranges is refused where it meets vectors") {
    const auto embedding = test::toyEmbedding(test::poincareVectors(30, 3, 0.9, 1));
    CHECK_FALSE(Mechanism(Mahalanobis{1.5}).on(embedding));
    CHECK_FALSE(Mechanism(Tem{Metric::euclidean, 0.5, -1.0}).on(embedding));
    CHECK_FALSE(Mechanism(Tem{Metric::euclidean, 0.5, {}, 0.99}).on(embedding));
    const auto wide = test::toyEmbedding(test::anisotropicVectors(10, 3, 1));
    CHECK(Mechanism(Hyperbolic{}).on(wide).error().code == ErrorCode::unsupported);
    CHECK(Mechanism(Tem{Metric::poincare}).on(wide).error().code == ErrorCode::unsupported);
}
