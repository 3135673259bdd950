#include "core/mechanism/promise_reach.h"

#include <cmath>

#include <catch2/catch.hpp>

#include "tests/support/toy_embedding.h"

using namespace epsilens;
using namespace epsilens::mechanism;

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
