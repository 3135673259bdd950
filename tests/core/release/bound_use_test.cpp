#include "core/release/bound_use.h"

#include <cmath>
#include <stop_token>

#include <catch2/catch.hpp>

#include "tests/core/release/word_space.h"

using namespace epsilens;
using release::BoundUse;
using release::boundUse;

namespace {

mechanism::Guarantee withBound(double bound) {
    mechanism::Guarantee guarantee;
    guarantee.bound = bound;
    return guarantee;
}

}  // namespace

// The words lie at 0, 1, 2: the nearest two have odds of e^bound, which pass 10^6 at ln 10^6 =
// 13.8155.
TEST_CASE("A bound is of use while the nearest two words have odds of at most a million") {
    const engine::SearchSpaceHandle space = test::wordSpace({"one", "two", "three"});
    CHECK(boundUse(*space, withBound(13.815)).value() == BoundUse::useful);
    CHECK(boundUse(*space, withBound(13.816)).value() == BoundUse::useless);
    CHECK(boundUse(*space, withBound(1e6)).value() == BoundUse::useless);
}

TEST_CASE("A cap within a million makes every bound useful") {
    const engine::SearchSpaceHandle space = test::wordSpace({"one", "two", "three"});
    mechanism::Guarantee capped = withBound(1e6);
    capped.cap = 13.815;
    CHECK(boundUse(*space, capped).value() == BoundUse::useful);
    capped.cap = 13.816;
    CHECK(boundUse(*space, capped).value() == BoundUse::useless);
}

TEST_CASE("Words that nobody can tell apart need no bound") {
    CHECK(boundUse(*test::wordSpace({"one"}), withBound(1e6)).value() == BoundUse::useful);
}

TEST_CASE("The metric of the guarantee decides which words are near") {
    embedding::Embedding embedding;
    embedding.vectors.resize(3, 2);
    // Distances 10 and more, but an angle of 0.1 between the first two.
    embedding.vectors << 20, 0, static_cast<float>(10 * std::cos(0.1)),
        static_cast<float>(10 * std::sin(0.1)), -20, 0;
    for (const char* word : {"a", "b", "c"}) {
        embedding.vocabulary.add(word);
    }
    const engine::SearchSpace space(embedding::prepareEmbedding(std::move(embedding)).value());
    CHECK(boundUse(space, withBound(5.0)).value() == BoundUse::useless);
    mechanism::Guarantee angular = withBound(5.0);
    angular.metric = metric::Metric::angular;
    CHECK(boundUse(space, angular).value() == BoundUse::useful);
    angular.bound = 139.0;  // 138.155 / 0.1 is the last
    CHECK(boundUse(space, angular).value() == BoundUse::useless);
}

TEST_CASE("Asking what a bound is worth can be stopped") {
    std::stop_source stop;
    stop.request_stop();
    const engine::SearchSpaceHandle space = test::wordSpace({"one", "two", "three"});
    CHECK(boundUse(*space, withBound(1e6), 1, {stop.get_token(), {}}).error().code ==
          ErrorCode::cancelled);
}
