#include "core/calibration/epsilon_defaults.h"

#include <catch2/catch.hpp>

#include "tests/support/toy_embedding.h"

using namespace epsilens;
using calibration::CalibrationOptions;
using calibration::estimateRange;

namespace {

engine::EpsilonRange rangeAt(const engine::SearchSpace& space, std::vector<double> lambdas) {
    CalibrationOptions options;
    options.mechanism = mechanism::Kind::mahalanobis;
    options.lambdas = std::move(lambdas);
    return estimateRange(space, options).value();
}

bool areEqual(const engine::EpsilonRange& one, const engine::EpsilonRange& other) {
    return one.low == other.low && one.high == other.high && one.suggested == other.suggested;
}

}  // namespace

TEST_CASE("A grid has the range of its lambda that is nearest to the default") {
    const auto embedding = test::toyEmbedding(test::anisotropicVectors(300, 6, 3));
    const engine::SearchSpace space(embedding);
    const auto atHalf = rangeAt(space, {0.5});
    CHECK(areEqual(rangeAt(space, calibration::defaultLambdaGrid()), atHalf));
    CHECK(areEqual(rangeAt(space, {1.0, 0.0, 0.5}), atHalf));
    CHECK(areEqual(rangeAt(space, {1.0, 0.25, 0.75}), rangeAt(space, {0.25})));
    CHECK_FALSE(areEqual(rangeAt(space, {0.0}), atHalf));
    CHECK_FALSE(areEqual(rangeAt(space, {1.0}), atHalf));
}
