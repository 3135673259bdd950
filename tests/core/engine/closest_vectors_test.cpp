#include "core/engine/neighbours.h"

#include <algorithm>
#include <limits>
#include <vector>

#include <catch2/catch.hpp>

#include "tests/support/brute_force.h"
#include "tests/support/refusal.h"
#include "tests/support/simd_targets.h"
#include "tests/support/toy_embedding.h"

using namespace epsilens;
using namespace epsilens::engine;

namespace {

/// Of each vector the distance to its nearest other one: float64 over all pairs, the textbook way.
std::vector<double> bruteForceDistances(const RowMatrixD& vectors) {
    std::vector<double> distances;
    for (Eigen::Index a = 0; a < vectors.rows(); ++a) {
        double least = std::numeric_limits<double>::infinity();
        for (Eigen::Index b = 0; b < vectors.rows(); ++b) {
            if (b != a) {
                least = std::min(least, (vectors.row(a) - vectors.row(b)).norm());
            }
        }
        distances.push_back(least);
    }
    return distances;
}

void requireDistances(const RowMatrixD& vectors, const std::vector<double>& expected,
                      const ClosestVectors& found) {
    REQUIRE(found.distances.size() == expected.size());
    for (std::size_t a = 0; a < expected.size(); ++a) {
        CAPTURE(a);
        REQUIRE(found.distances[a] == Approx(expected[a]).epsilon(1e-12));
        // Which of several vectors as near in float64 is a matter of the last bit.
        const auto row = static_cast<Eigen::Index>(a);
        const double atFound = (vectors.row(row) - vectors.row(found.positions[a])).norm();
        REQUIRE(atFound == Approx(expected[a]).epsilon(1e-12));
    }
}

void requireBruteForce(const SearchSpace& space, const ClosestVectors& found) {
    const RowMatrixD vectors = space.vectors().cast<double>();
    requireDistances(vectors, bruteForceDistances(vectors), found);
}

}  // namespace

TEST_CASE("Closest vectors equal float64 brute force for any number of vectors and threads") {
    // Around the number of words at once, 128, and beyond the length of a list.
    for (const Eigen::Index words : {2, 3, 127, 128, 129, 1100, 2500}) {
        for (const Eigen::Index dimensions : {1, 2, 7, 50}) {
            CAPTURE(words, dimensions);
            const SearchSpace space(test::toyEmbedding(
                test::anisotropicVectors(words, dimensions, static_cast<std::uint64_t>(words))));
            const RowMatrixD vectors = space.vectors().cast<double>();
            const std::vector<double> expected = bruteForceDistances(vectors);
            for (const std::int64_t target : test::simdTargets()) {
                const test::OnTarget onTarget(target);
                const ClosestVectors found = closestVectors(space, 1).value();
                requireDistances(vectors, expected, found);
                const ClosestVectors threaded = closestVectors(space, 3).value();
                REQUIRE(threaded.distances == found.distances);
                REQUIRE(threaded.positions == found.positions);
            }
        }
    }
}

TEST_CASE("Closest vectors of clusters much narrower than they are apart") {
    // Distances near 1e-5 between vectors of norm near 30: in float32 the squared norms have errors
    // of 1e-4, so that only the decision in float64 finds the nearest.
    RowMatrixF vectors = test::anisotropicVectors(700, 20, 5);
    for (Eigen::Index row = 0; row < vectors.rows(); ++row) {
        vectors.row(row) *= 2e-6F;
        vectors.row(row).array() += static_cast<float>(row % 5) + 5.0F;
    }
    const SearchSpace space(test::toyEmbedding(vectors));
    requireBruteForce(space, closestVectors(space, 2).value());
}

TEST_CASE("Closest vectors of and beside rows of outlying norm") {
    const Eigen::Index count = GENERATE(1, 64, 200);
    const SearchSpace space(
        test::toyEmbedding(test::withOutlyingRows(test::anisotropicVectors(900, 12, 7), count)));
    requireBruteForce(space, closestVectors(space, 2).value());
}

TEST_CASE("Closest vectors of extreme norms") {
    RowMatrixF vectors = test::anisotropicVectors(300, 4, 6);
    for (Eigen::Index row = 0; row < vectors.rows(); ++row) {
        vectors.row(row) *= row % 3 == 0 ? 1e-6F : row % 3 == 1 ? 1.0F : 1e6F;
    }
    vectors.row(7).setZero();
    const SearchSpace space(test::toyEmbedding(vectors));
    requireBruteForce(space, closestVectors(space, 2).value());
}

TEST_CASE("Ties between closest vectors go to the lowest row, whatever the threads") {
    // Points of a grid: every inner point has four nearest ones.
    RowMatrixF vectors(30 * 30, 2);
    for (Eigen::Index row = 0; row < vectors.rows(); ++row) {
        const Eigen::Index line = row / 30;
        vectors.row(row) << static_cast<float>(line), static_cast<float>(row % 30);
    }
    const SearchSpace space(test::toyEmbedding(vectors));
    const int threads = GENERATE(1, 2, 5);
    const ClosestVectors found = closestVectors(space, threads).value();
    for (Eigen::Index position = 0; position < space.positions(); ++position) {
        const Row row = space.rowAt(position);
        const auto index = static_cast<std::size_t>(position);
        CAPTURE(row);
        // The point above, else the one to the left, else those to the right and below.
        const Row expected = row >= 30 ? row - 30 : row > 0 ? row - 1 : 1;
        REQUIRE(found.distances[index] == 1.0);
        REQUIRE(space.rowAt(found.positions[index]) == expected);
    }
}

TEST_CASE("Identical vectors count once, and all equal ones have no distance") {
    RowMatrixF vectors = test::anisotropicVectors(100, 3, 7);
    for (Eigen::Index row = 60; row < 100; ++row) {
        vectors.row(row) = vectors.row(row - 50);
    }
    const SearchSpace space(test::toyEmbedding(vectors));
    REQUIRE(space.positions() == 60);
    requireBruteForce(space, closestVectors(space).value());
    const SearchSpace equal(test::toyEmbedding(RowMatrixF::Constant(5, 3, 1.5F)));
    test::checkRefused(closestVectors(equal), ErrorCode::unsupported);
}

TEST_CASE("The search for closest vectors reports progress and can be stopped") {
    const SearchSpace space(test::toyEmbedding(test::anisotropicVectors(2000, 5, 8)));
    double last = 0.0;
    bool rises = true;
    std::stop_source source;
    const JobContext watching{{}, [&](const Progress& progress) {
                                  rises = rises && progress.fraction > last;
                                  last = progress.fraction;
                              }};
    REQUIRE(closestVectors(space, 2, watching));
    CHECK(rises);
    CHECK(last == 1.0);
    const JobContext stopping{source.get_token(), [&](const Progress& progress) {
                                  if (progress.fraction > 0.3) {
                                      source.request_stop();
                                  }
                              }};
    test::checkRefused(closestVectors(space, 2, stopping), ErrorCode::cancelled);
}

TEST_CASE("Neighbours equal a float64 sort, duplicates and ties included") {
    RowMatrixF vectors = test::anisotropicVectors(300, 6, 31);
    for (Eigen::Index row = 250; row < 300; ++row) {
        vectors.row(row) = vectors.row(row - 50);
    }
    const SearchSpace space(test::toyEmbedding(vectors));
    const std::vector<Row> words{0, 200, 250, 299};
    const int count = GENERATE(1, 10, 100, 1000);
    const auto found = nearestNeighbours(space, words, count, 2).value();
    for (std::size_t i = 0; i < words.size(); ++i) {
        CAPTURE(words[i], count);
        CHECK(found[i].rows == test::bruteForceNeighbours(vectors, words[i], count));
        CHECK(found[i].rows.size() == found[i].distances.size());
        CHECK_FALSE(found[i].contains(words[i]));
    }
}

TEST_CASE("Neighbours of and among rows of outlying norm equal a float64 sort") {
    const Eigen::Index outlying = GENERATE(1, 64, 200);
    const RowMatrixF vectors =
        test::withOutlyingRows(test::anisotropicVectors(600, 6, 33), outlying);
    const SearchSpace space(test::toyEmbedding(vectors));
    const std::vector<Row> words{0, test::outlyingRow(vectors, outlying, 0),
                                 test::outlyingRow(vectors, outlying, outlying - 1)};
    const int count = GENERATE(1, 10, 450, 599);
    const auto found = nearestNeighbours(space, words, count, 2).value();
    for (std::size_t i = 0; i < words.size(); ++i) {
        CAPTURE(words[i], count);
        CHECK(found[i].rows == test::bruteForceNeighbours(vectors, words[i], count));
    }
}

TEST_CASE("A stopped job finds no neighbours") {
    const SearchSpace space(test::toyEmbedding(test::anisotropicVectors(300, 6, 32)));
    const std::vector<Row> words{1};
    test::checkRefused(nearestNeighbours(space, words, 5, 1, test::stoppedJob()),
                       ErrorCode::cancelled);
}
