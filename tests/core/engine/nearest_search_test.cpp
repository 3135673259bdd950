#include "core/engine/block_search.h"

#include <cmath>
#include <vector>

#include <catch2/catch.hpp>

#include "core/base/random_stream.h"
#include "core/mechanism/unit_draws.h"
#include "tests/support/brute_force.h"
#include "tests/support/toy_embedding.h"

using namespace epsilens;
using namespace epsilens::engine;

namespace {

// Compares every word of `words` under some draws and epsilons with the float64 reference.
void compareWithBruteForce(const RowMatrixF& vectors, const std::vector<Row>& words,
                           std::uint64_t seed) {
    const SearchSpace space(test::toyEmbedding(vectors));
    const Eigen::Index m = vectors.cols();
    const auto noise =
        mechanism::EllipticalNoise::create({space.handle(), &space.handle()->basis}, 0.0).value();
    const RowMatrixF z = mechanism::noiseAtUnitEpsilon(
        mechanism::unitDraws(seed, StreamPurpose::unitDraws, 0, 0, 6, m), noise);
    const std::vector<double> epsilons{1e-3, 0.3, 3.0, 30.0, 300.0, 1e6};
    const TiledRows distances = squaredDistances(space, words, 1, {});
    const NoiseBatch batch = projectNoise(space, z, 1, {});
    NearestSearch search(space);
    for (std::size_t word = 0; word < words.size(); ++word) {
        search.setWord(words[word], distances, static_cast<std::int64_t>(word));
        for (Eigen::Index draw = 0; draw < z.rows(); ++draw) {
            search.setDraw(batch, draw);
            for (const double epsilon : epsilons) {
                CAPTURE(word, draw, epsilon);
                const std::int32_t found = search.nearest(ScoreWeights::atEpsilon(epsilon));
                REQUIRE(space.rowAt(found) == test::bruteForceNearest(vectors, words[word],
                                                                      z.row(draw).transpose(),
                                                                      epsilon));
                // The guess must not matter.
                const auto last = static_cast<std::int32_t>(space.positions() - 1);
                REQUIRE(search.nearest(ScoreWeights::atEpsilon(epsilon), last) == found);
            }
        }
    }
}

}  // namespace

TEST_CASE("The search equals float64 brute force for odd sizes") {
    const Eigen::Index words = GENERATE(2, 5, 255, 256, 257, 1000);
    const Eigen::Index m = GENERATE(1, 2, 7, 300);
    compareWithBruteForce(test::anisotropicVectors(words, m, 11),
                          {0, static_cast<Row>(words / 2), static_cast<Row>(words - 1)}, 12);
}

TEST_CASE("The search equals float64 brute force in 1024 dimensions") {
    compareWithBruteForce(test::anisotropicVectors(300, 1024, 13), {0, 150, 299}, 14);
}

TEST_CASE("Two thousand random cases equal float64 brute force") {
    const RowMatrixF vectors = test::anisotropicVectors(3000, 20, 21);
    const SearchSpace space(test::toyEmbedding(vectors));
    SeededStream stream(StreamKey{22, StreamPurpose{1007}, 0, 0});
    for (std::uint32_t round = 0; round < 40; ++round) {
        const auto noise = mechanism::EllipticalNoise::create(
                               {space.handle(), &space.handle()->basis}, stream.uniform())
                               .value();
        const NoiseBatch batch = projectNoise(
            space,
            mechanism::noiseAtUnitEpsilon(
                mechanism::unitDraws(23, StreamPurpose::unitDraws, round, 0, 5, 20), noise),
            1, {});
        std::vector<Row> words(10);
        for (Row& word : words) {
            word = static_cast<Row>(stream.below(3000));
        }
        const TiledRows distances = squaredDistances(space, words, 1, {});
        NearestSearch search(space);
        for (std::size_t word = 0; word < words.size(); ++word) {
            search.setWord(words[word], distances, static_cast<std::int64_t>(word));
            for (Eigen::Index draw = 0; draw < 5; ++draw) {
                search.setDraw(batch, draw);
                const double epsilon = std::pow(10.0, 3.0 * stream.uniform());
                CAPTURE(words[word], draw, epsilon, noise.lambda());
                REQUIRE(space.rowAt(search.nearest(ScoreWeights::atEpsilon(epsilon))) ==
                        test::bruteForceNearest(vectors, words[word],
                                                batch.noise.row(draw).transpose(), epsilon));
            }
        }
    }
}

TEST_CASE("Duplicated rows answer with the lowest of them") {
    RowMatrixF vectors = test::anisotropicVectors(400, 5, 15);
    for (Eigen::Index row = 100; row < 400; ++row) {
        vectors.row(row) = vectors.row(row - 100);
    }
    compareWithBruteForce(vectors, {0, 99, 100, 399}, 16);
}

TEST_CASE("Zero rows and norms from 1e-6 to 1e6 are searched exactly") {
    RowMatrixF vectors = test::anisotropicVectors(500, 7, 17);
    for (Eigen::Index row = 0; row < 500; ++row) {
        vectors.row(row) *= static_cast<float>(std::pow(10.0, static_cast<double>(row % 13) - 6.0));
    }
    vectors.row(40).setZero();
    vectors.row(41).setZero();
    compareWithBruteForce(vectors, {0, 6, 12, 40, 41}, 18);
}

TEST_CASE("Near ties are decided in float64") {
    // Pairs of rows that differ in the last bit of one coordinate.
    RowMatrixF vectors = test::anisotropicVectors(200, 10, 19);
    for (Eigen::Index row = 1; row < 200; row += 2) {
        vectors.row(row) = vectors.row(row - 1);
        vectors(row, 3) = std::nextafter(vectors(row, 3), 100.0F);
    }
    compareWithBruteForce(vectors, {0, 1, 100, 199}, 20);
}

TEST_CASE("A row of distances holds exact zeros for the word and stays within its bound") {
    const SearchSpace space(test::toyEmbedding(test::anisotropicVectors(300, 50, 21)));
    const std::vector<Row> words{3, 250};
    const TiledRows distances = squaredDistances(space, words, 2, {});
    for (std::size_t i = 0; i < words.size(); ++i) {
        const float* row = distances.values.row(static_cast<std::int64_t>(i));
        CHECK(row[space.positionOf(words[i])] == 0.0F);
        const double bound =
            distanceErrorBound(space, std::sqrt(space.squaredNorms()[space.positionOf(words[i])]));
        for (Eigen::Index position = 0; position < space.positions(); ++position) {
            const double exact = (space.vectors().row(position).cast<double>() -
                                  space.vectors().row(space.positionOf(words[i])).cast<double>())
                                     .squaredNorm();
            REQUIRE(std::fabs(static_cast<double>(row[position]) - exact) <= bound);
        }
    }
}
