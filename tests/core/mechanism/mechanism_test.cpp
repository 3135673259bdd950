#include "core/mechanism/mechanism.h"

#include <catch2/catch.hpp>

#include "core/mechanism/grid.h"
#include "core/mechanism/prepared_mechanism.h"
#include "tests/support/toy_embedding.h"

using namespace epsilens;
using namespace epsilens::mechanism;

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

TEST_CASE("A grid of one mechanism has that mechanism") {
    for (const Mechanism& mechanism :
         {Mechanism(Laplace{}), Mechanism(Mahalanobis{0.25}),
          Mechanism(Tem{Metric::mahalanobis, 0.75, 2.0}), Mechanism(Tem{Metric::angular}),
          Mechanism(Exponential{Metric::mahalanobis, 0.75}),
          Mechanism(Hyperbolic{RadialLaw::eq7})}) {
        CHECK(Grid::of(mechanism).mechanisms() == std::vector<Mechanism>{mechanism});
    }
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
