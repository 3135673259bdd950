#include "core/engine/paths.h"

#include <cmath>
#include <limits>

#include <catch2/catch.hpp>

#include "core/engine/elliptical_series.h"
#include "core/engine/epsilon_range.h"
#include "core/mechanism/unit_draws.h"
#include "tests/support/brute_force.h"
#include "tests/support/toy_embedding.h"

using namespace epsilens;
using namespace epsilens::engine;

namespace {

mechanism::EllipticalNoise noiseOf(const SearchSpace& space, double lambda) {
    return mechanism::EllipticalNoise::create({space.handle(), &space.handle()->basis}, lambda)
        .value();
}

RowMatrixF noiseOfPaths(const mechanism::EllipticalNoise& noise, const PathOptions& options) {
    return mechanism::noiseAtUnitEpsilon(
        mechanism::unitDraws(options.seed, StreamPurpose::sentence, 0, 0, options.draws,
                             noise.dimensions()),
        noise);
}

}  // namespace

TEST_CASE("Paths give the brute-force output at every epsilon") {
    const Eigen::Index m = GENERATE(1, 2, 20);
    RowMatrixF vectors = test::anisotropicVectors(400, m, 41);
    vectors.row(399) = vectors.row(5);
    const SearchSpace space(test::toyEmbedding(vectors));
    const auto noise = noiseOf(space, 0.6);
    PathOptions options;
    options.words = {0, 5, 77, 399};
    options.draws = 12;
    const PathTable paths = computePaths(EllipticalSeries(space, {noise}), options).value();
    const RowMatrixF z = noiseOfPaths(noise, options);
    SeededStream stream(StreamKey{42, StreamPurpose{1002}, 0, 0});
    for (std::size_t word = 0; word < options.words.size(); ++word) {
        for (int draw = 0; draw < options.draws; ++draw) {
            const VectorF direction = z.row(draw).transpose();
            const double critical =
                test::bruteForceCriticalEpsilon(vectors, options.words[word], direction);
            if (options.words[word] == 399) {
                CHECK(paths.criticalEpsilon(word, draw) == std::numeric_limits<double>::infinity());
            } else {
                CHECK(paths.criticalEpsilon(word, draw) == Approx(critical).epsilon(1e-9));
            }
            for (int i = 0; i < 8; ++i) {
                const double epsilon = std::pow(10.0, 8.0 * stream.uniform() - 4.0);
                CAPTURE(word, draw, epsilon);
                REQUIRE(paths.output(word, draw, epsilon) ==
                        test::bruteForceNearest(vectors, options.words[word], direction, epsilon));
            }
        }
    }
}

TEST_CASE("Paths do not depend on threads") {
    const SearchSpace space(test::toyEmbedding(test::anisotropicVectors(600, 8, 43)));
    const auto noise = noiseOf(space, 0.5);
    PathOptions options;
    options.words = {1, 2, 3, 500};
    options.draws = 30;
    options.threads = 1;
    const PathTable one = computePaths(EllipticalSeries(space, {noise}), options).value();
    options.threads = GENERATE(2, 7);
    const PathTable many = computePaths(EllipticalSeries(space, {noise}), options).value();
    for (std::size_t word = 0; word < options.words.size(); ++word) {
        for (int draw = 0; draw < options.draws; ++draw) {
            REQUIRE(one.criticalEpsilon(word, draw) == many.criticalEpsilon(word, draw));
            for (const double epsilon : {0.01, 1.0, 5.0, 100.0}) {
                REQUIRE(one.output(word, draw, epsilon) == many.output(word, draw, epsilon));
            }
        }
    }
}

TEST_CASE("The range of epsilon follows the scale of the vectors") {
    const RowMatrixF vectors = test::anisotropicVectors(500, 10, 44);
    const SearchSpace space(test::toyEmbedding(vectors));
    const SearchSpace tenfold(test::toyEmbedding(vectors * 16.0F));
    const EpsilonRange range =
        estimateEpsilonRange(EllipticalSeries(space, {noiseOf(space, 0.0)}), 1).value();
    const EpsilonRange scaled =
        estimateEpsilonRange(EllipticalSeries(tenfold, {noiseOf(tenfold, 0.0)}), 1).value();
    CHECK(range.low < range.suggested);
    CHECK(range.suggested < range.high);
    // Scaling by a power of two is exact, so critical values scale exactly.
    CHECK(scaled.low == range.low / 16.0);
    CHECK(scaled.high == range.high / 16.0);
}

TEST_CASE("Draws that keep their word at every epsilon are counted beside the range") {
    constexpr double kNever = std::numeric_limits<double>::infinity();
    const EpsilonRange range = rangeOfCriticals({0.0, 2.0, 2.0, kNever}, 4);
    CHECK(range.low == 2.0);
    CHECK(range.alwaysKept == 0.25);
    CHECK(rangeOfCriticals({}, 0).alwaysKept == 0.0);
}

TEST_CASE("A single word has no range to read off") {
    const SearchSpace space(test::toyEmbedding(RowMatrixF::Constant(1, 3, 1.0F)));
    CHECK(estimateEpsilonRange(*EllipticalSeries::spherical(space), 1).value().suggested == 10.0);
}
