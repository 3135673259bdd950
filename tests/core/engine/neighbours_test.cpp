#include "core/engine/neighbours.h"

#include <catch2/catch.hpp>

#include "tests/support/brute_force.h"
#include "tests/support/refusal.h"
#include "tests/support/toy_embedding.h"

using namespace epsilens;
using namespace epsilens::engine;

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
