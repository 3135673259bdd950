#include "core/engine/point_search.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <catch2/catch.hpp>

#include "core/base/random_stream.h"
#include "core/engine/poincare_points.h"
#include "tests/support/brute_force.h"
#include "tests/support/poincare_reference.h"
#include "tests/support/simd_targets.h"
#include "tests/support/toy_embedding.h"

using namespace epsilens;
using engine::PointSearch;
using engine::Row;
using engine::SearchSpace;

namespace {

/// Noise that float32 holds exactly, as the reference takes it: direction uniform, length about m.
RowMatrixD someNoise(Eigen::Index count, Eigen::Index dimensions, std::uint64_t seed) {
    SeededStream stream(StreamKey{seed, StreamPurpose::unitDraws, 9, 0});
    RowMatrixD noise(count, dimensions);
    for (Eigen::Index i = 0; i < count; ++i) {
        for (Eigen::Index k = 0; k < dimensions; ++k) {
            noise(i, k) = stream.normal() * std::sqrt(static_cast<double>(dimensions));
        }
    }
    return noise.cast<float>().cast<double>();
}

std::vector<Row> everyWord(const SearchSpace& space, std::int64_t count) {
    std::vector<Row> words;
    for (std::int64_t i = 0; i < count; ++i) {
        words.push_back(static_cast<Row>(i * 7 % space.embedding().wordCount()));
    }
    return words;
}

void checkAgainstReference(const RowMatrixF& vectors, std::uint64_t seed) {
    const SearchSpace space(test::toyEmbedding(vectors));
    const std::vector<Row> words = everyWord(space, 60);
    const RowMatrixD noise = someNoise(60, vectors.cols(), seed);
    for (const double epsilon : {1e-5, 0.01, 1.0, 5.0, 30.0, 1e4}) {
        std::vector<Row> outputs(words.size());
        PointSearch(space, epsilon).nearest(words, noise, outputs);
        for (std::size_t i = 0; i < words.size(); ++i) {
            CAPTURE(epsilon, i);
            const VectorF one = noise.row(static_cast<Eigen::Index>(i)).cast<float>().transpose();
            CHECK(outputs[i] == test::bruteForceNearest(vectors, words[i], one, epsilon));
        }
    }
}

}  // namespace

// Origin of the expected words: textbook distances in float64 (tests/support/brute_force).
TEST_CASE("A search for points finds the words of the reference") {
    const test::OnTarget onTarget(GENERATE(from_range(test::simdTargets())));
    // Sizes around whole tiles and slabs of positions.
    const Eigen::Index words = GENERATE(1, 2, 15, 16, 17, 333, 1023, 1024, 1025, 2100);
    const Eigen::Index dimensions = GENERATE(1, 3, 24);
    CAPTURE(words, dimensions);
    checkAgainstReference(test::anisotropicVectors(words, dimensions, 5), 3);
}

TEST_CASE("A search for points finds rows of outlying norm") {
    const test::OnTarget onTarget(GENERATE(from_range(test::simdTargets())));
    // More than a slab of them, and one.
    const Eigen::Index count = GENERATE(1, 64, 1100);
    checkAgainstReference(test::withOutlyingRows(test::anisotropicVectors(2310, 6, 5), count), 3);
}

TEST_CASE("A search for points returns the lowest of equal rows") {
    RowMatrixF vectors = test::anisotropicVectors(80, 4, 2);
    vectors.bottomRows(40) = vectors.topRows(40);
    const SearchSpace space(test::toyEmbedding(vectors));
    const std::vector<Row> words = everyWord(space, 200);
    std::vector<Row> outputs(words.size());
    PointSearch(space, 3.0).nearest(words, someNoise(200, 4, 8), outputs);
    CHECK(*std::max_element(outputs.begin(), outputs.end()) < 40);
}

TEST_CASE("Epsilons at the ends of the numbers leave words in place or decide by direction alone") {
    const RowMatrixF vectors = test::anisotropicVectors(300, 6, 4);
    const SearchSpace space(test::toyEmbedding(vectors));
    const std::vector<Row> words = everyWord(space, 50);
    const RowMatrixD noise = someNoise(50, 6, 1);
    std::vector<Row> outputs(words.size());
    PointSearch(space, 1e300).nearest(words, noise, outputs);
    CHECK(outputs == words);
    PointSearch(space, 1e-300).nearest(words, noise, outputs);
    for (std::size_t i = 0; i < words.size(); ++i) {
        Eigen::Index farthest = 0;
        (vectors.cast<double>() * noise.row(static_cast<Eigen::Index>(i)).transpose())
            .maxCoeff(&farthest);
        CHECK(outputs[i] == farthest);
    }
}

TEST_CASE("Digits of the noise that float32 does not hold decide") {
    // Words at 0 and 1: the point 1/2 + d goes to the second for the smallest d > 0.
    RowMatrixF vectors(2, 1);
    vectors << 0.0F, 1.0F;
    const SearchSpace space(test::toyEmbedding(vectors));
    RowMatrixD noise(3, 1);
    noise << 0.5 + 1e-12, 0.5 - 1e-12, 0.5;
    std::vector<Row> outputs(3);
    PointSearch(space, 1.0).nearest(std::vector<Row>{0, 0, 0}, noise, outputs);
    CHECK(outputs == std::vector<Row>{1, 0, 0});  // a tie goes to the lowest row
}

// Origin of the expected words: textbook formulas in 80-bit numbers (poincare_reference).
TEST_CASE("A search for points of the ball finds the words of the reference") {
    const test::OnTarget onTarget(GENERATE(from_range(test::simdTargets())));
    const Eigen::Index words = GENERATE(1, 17, 500, 1040);
    const Eigen::Index dimensions = GENERATE(1, 2, 7);
    CAPTURE(words, dimensions);
    const RowMatrixF vectors = test::poincareVectors(words, dimensions, 0.99999, 6);
    const SearchSpace space(test::toyEmbedding(vectors));
    const engine::PoincareSpace poincare(space);
    const std::vector<Row> inputs = everyWord(space, 25);
    RowMatrixD directions = someNoise(25, dimensions, 12);
    directions.rowwise().normalize();
    for (const double radius : {0.01, 1.0, 4.0, 12.0}) {
        RowMatrixD points(25, dimensions);
        for (std::size_t i = 0; i < inputs.size(); ++i) {
            const Eigen::Index own = space.positionOf(inputs[i]);
            const auto row = static_cast<Eigen::Index>(i);
            points.row(row) = mechanism::noisyPoint(poincare.vectorAt(own), poincare.gapAt(own),
                                                    directions.row(row).data(), dimensions, radius)
                                  .transpose();
        }
        std::vector<Row> outputs(inputs.size());
        engine::PoincarePoints(poincare).nearest(points, outputs);
        for (std::size_t i = 0; i < inputs.size(); ++i) {
            CAPTURE(radius, i);
            const VectorD direction = directions.row(static_cast<Eigen::Index>(i)).transpose();
            CHECK(outputs[i] ==
                  test::bruteForcePoincareNearest(vectors, inputs[i], direction, radius));
        }
    }
}
