#include "core/engine/sorted_search.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <set>
#include <vector>

#include <catch2/catch.hpp>

#include "core/base/random_stream.h"
#include "core/engine/exact_scores.h"
#include "core/engine/neighbours.h"
#include "core/engine/point_search.h"
#include "core/mechanism/hyperbolic_noise.h"
#include "core/mechanism/unit_draws.h"
#include "tests/support/brute_force.h"
#include "tests/support/refusal.h"
#include "tests/support/simd_targets.h"
#include "tests/support/toy_embedding.h"

using namespace epsilens;
using namespace epsilens::engine;

namespace {

RowMatrixF independentVectors(Eigen::Index words, Eigen::Index dimensions, std::uint64_t seed) {
    SeededStream stream(StreamKey{seed, StreamPurpose{1008}, 0, 0});
    return RowMatrixF::NullaryExpr(words, dimensions,
                                   [&] { return static_cast<float>(stream.normal()); });
}

// The sorted lists of some words and draws.
struct SortedColumns {
    SortedColumns(const SearchSpace& space, const std::vector<Row>& rows, const RowMatrixF& noise) {
        words.setWords(space, rows, 1, {});
        draws.setDraws(space, noise, 1, {});
    }

    // The word of the search under a draw.
    [[nodiscard]] std::vector<std::int32_t> nearest(SortedSearch& search, const RowMatrixF& noise,
                                                    Eigen::Index draw,
                                                    const std::vector<double>& epsilons) const {
        std::vector<ScoreWeights> weights;
        for (const double epsilon : epsilons) {
            weights.push_back(ScoreWeights::atEpsilon(epsilon));
        }
        std::vector<std::int32_t> positions(epsilons.size());
        search.setDraw(noise.row(draw).data(), noise.row(draw).cast<double>().norm(), draws, draw);
        search.nearest(weights, positions);
        return positions;
    }

    ScoreColumns words{};
    ScoreColumns draws{};
};

// Compares every word of `words` under some draws and epsilons with the float64 reference, on every
// instruction set.
void compareWithBruteForce(const RowMatrixF& vectors, const std::vector<Row>& words,
                           std::uint64_t seed,
                           const std::vector<double>& epsilons = {1e-3, 0.3, 3.0, 30.0, 300.0, 1e6},
                           double lambda = 0.0) {
    const SearchSpace space(test::toyEmbedding(vectors));
    const Eigen::Index m = vectors.cols();
    const auto noise =
        mechanism::EllipticalNoise::create({space.handle(), &space.handle()->basis}, lambda)
            .value();
    const RowMatrixF z = mechanism::noiseAtUnitEpsilon(
        mechanism::unitDraws(seed, StreamPurpose::unitDraws, 0, 0, 6, m), noise);
    std::vector<Row> expected;
    for (const Row word : words) {
        for (Eigen::Index draw = 0; draw < z.rows(); ++draw) {
            for (const double epsilon : epsilons) {
                expected.push_back(
                    test::bruteForceNearest(vectors, word, z.row(draw).transpose(), epsilon));
            }
        }
    }
    for (const std::int64_t target : test::simdTargets()) {
        const test::OnTarget onTarget(target);
        const SortedColumns columns(space, words, z);
        SortedSearch search(space);
        auto next = expected.begin();
        for (std::size_t word = 0; word < words.size(); ++word) {
            search.setWord(words[word], columns.words, static_cast<std::int64_t>(word));
            for (Eigen::Index draw = 0; draw < z.rows(); ++draw) {
                for (const std::int32_t found : columns.nearest(search, z, draw, epsilons)) {
                    CAPTURE(word, draw, next - expected.begin());
                    REQUIRE(space.rowAt(found) == *next++);
                }
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

TEST_CASE("The search equals float64 brute force under noise of any shape") {
    const double lambda = GENERATE(0.1, 0.3, 0.5, 0.7, 0.9, 1.0);
    compareWithBruteForce(test::anisotropicVectors(3000, 20, 21), test::rowsBelow(3000, 60), 23,
                          {1.0, 3.0, 10.0, 30.0, 100.0, 300.0}, lambda);
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

TEST_CASE("Rows of outlying norm are searched exactly, as words and as outputs") {
    const Eigen::Index count = GENERATE(1, 64, 200);
    const RowMatrixF vectors =
        test::withOutlyingRows(test::anisotropicVectors(1000, 12, 35), count);
    const SearchSpace space(test::toyEmbedding(vectors));
    REQUIRE(space.positions() - space.regularPositions() == count);
    compareWithBruteForce(
        vectors,
        {0, 500, test::outlyingRow(vectors, count, 0), test::outlyingRow(vectors, count, count / 2),
         test::outlyingRow(vectors, count, count - 1)},
        36, {1e-5, 3e-5, 1e-4, 3e-4, 1e-3, 0.3, 3.0, 30.0, 1e6});
}

// Work: what a walk looks at, and what float64 decides.
TEST_CASE("A row of outlying norm leaves the work on other words as it is") {
    const Eigen::Index count = GENERATE(1, 64);
    const RowMatrixF vectors = independentVectors(5'000, 50, 37);
    const RowMatrixF outlying = test::withOutlyingRows(vectors, count);
    const auto worked = [&](const RowMatrixF& searched) {
        const SearchSpace space(test::toyEmbedding(searched));
        const RowMatrixF z = independentVectors(40, 50, 38) * std::sqrt(50.0F);
        std::vector<Row> words;
        for (Row word = 0; words.size() < 20; ++word) {
            if (searched.row(word) == vectors.row(word)) {
                words.push_back(word);
            }
        }
        const SortedColumns columns(space, words, z);
        SortedSearch search(space);
        for (std::size_t word = 0; word < words.size(); ++word) {
            search.setWord(words[word], columns.words, static_cast<std::int64_t>(word));
            for (Eigen::Index draw = 0; draw < z.rows(); ++draw) {
                static_cast<void>(columns.nearest(search, z, draw, {5.0, 10.0, 20.0, 40.0}));
            }
        }
        return std::array<std::int64_t, 3>{search.walked(), search.scans(), search.rechecked()};
    };
    const auto without = worked(vectors);
    const auto with = worked(outlying);
    CHECK(static_cast<double>(with[0]) <= 1.1 * static_cast<double>(without[0]));
    CHECK(with[1] <= without[1] + 1);
    CHECK(with[2] <= without[2] + 8);
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

TEST_CASE("Walks along sorted lists equal float64 brute force whatever the lists hold") {
    // Lists of 40,000 points in 20 dimensions end too early for some walks, those of 5,000 points
    // in 300 dimensions for none. More epsilons than a walk serves.
    const bool isClustered = GENERATE(true, false);
    const RowMatrixF vectors =
        isClustered ? test::clusteredVectors(40'000, 20, 31) : independentVectors(5'000, 300, 32);
    const SearchSpace space(test::toyEmbedding(vectors));
    const auto noise =
        mechanism::EllipticalNoise::create({space.handle(), &space.handle()->basis}, 0.5).value();
    const RowMatrixF z = mechanism::noiseAtUnitEpsilon(
        mechanism::unitDraws(33, StreamPurpose::unitDraws, 0, 0, 20, vectors.cols()), noise);
    const auto rows = static_cast<Row>(vectors.rows());
    const std::vector<Row> words = test::rowsBelow(rows, rows / 40);
    std::vector<double> epsilons;
    for (int i = 0; i < 11; ++i) {
        epsilons.push_back(0.5 * std::pow(2.0, i));
    }
    const SortedColumns columns(space, words, z);
    SortedSearch search(space);
    const std::vector<Row> expected = test::bruteForceNearest(vectors, words, z, epsilons);
    auto next = expected.begin();
    std::set<std::int32_t> outputs;
    for (std::size_t word = 0; word < words.size(); ++word) {
        search.setWord(words[word], columns.words, static_cast<std::int64_t>(word));
        for (Eigen::Index draw = 0; draw < z.rows(); ++draw) {
            for (const std::int32_t walked : columns.nearest(search, z, draw, epsilons)) {
                CAPTURE(word, draw, next - expected.begin());
                REQUIRE(space.rowAt(walked) == *next++);
                outputs.insert(walked);
            }
        }
    }
    CHECK(outputs.size() > 50);
    CHECK((search.scans() > 0) == isClustered);
}

TEST_CASE("A list holds the least values of its column in order, and bounds what it leaves out") {
    const test::OnTarget onTarget(GENERATE(from_range(test::simdTargets())));
    const Eigen::Index count = GENERATE(2, 3, 1000, 1025, 3000);
    // Whole numbers: many equal values.
    const RowMatrixF vectors = independentVectors(count, 3, 34).unaryExpr([](float value) {
        return std::round(2.0F * value);
    });
    const SearchSpace space(test::toyEmbedding(vectors));
    const Eigen::Index last = count - 1;
    ScoreColumns columns;
    columns.setWords(space, std::vector<Row>{0, static_cast<Row>(last)}, 1, {});
    for (const std::int64_t index : {0, 1}) {
        const ColumnList list = columns.list(index);
        const Eigen::Index own = space.positionOf(static_cast<Row>(index * last));
        VectorF expected = (space.vectors().rowwise() - space.vectors().row(own))
                               .rowwise()
                               .squaredNorm();  // exact: small whole numbers
        std::set<std::int32_t> seen;
        for (std::int64_t i = 0; i < list.count; ++i) {
            REQUIRE(list.values[i] == expected[list.positions[i]]);
            REQUIRE((i == 0 || list.values[i - 1] <= list.values[i]));
            seen.insert(list.positions[i]);
        }
        REQUIRE(list.isWhole == (static_cast<Eigen::Index>(seen.size()) == space.positions()));
        REQUIRE(seen.size() > static_cast<std::size_t>(list.count - kWalkStep));
        for (Eigen::Index position = 0; position < space.positions(); ++position) {
            REQUIRE((seen.count(static_cast<std::int32_t>(position)) == 1 ||
                     expected[position] >= list.values[list.count]));
        }
    }
}

TEST_CASE("Distances of a word are exactly 0 to itself and stay within their bound") {
    const SearchSpace space(test::toyEmbedding(test::anisotropicVectors(300, 50, 21)));
    const std::vector<Row> words{3, 250};
    ScoreColumns columns;
    columns.setWords(space, words, 2, {});
    for (std::size_t i = 0; i < words.size(); ++i) {
        const Column column = columns.column(static_cast<std::int64_t>(i));
        const Eigen::Index own = space.positionOf(words[i]);
        const double bound = squaredDistanceErrorBound(50, std::sqrt(space.squaredNorms()[own]),
                                                       space.largestRegularNorm());
        for (Eigen::Index position = 0; position < space.positions(); ++position) {
            const float computed =
                (column.norms[position] + column.ownNorm) + column.table[position * column.stride];
            const double exact = (space.vectors().row(position).cast<double>() -
                                  space.vectors().row(own).cast<double>())
                                     .squaredNorm();
            CHECK((position != own || computed == 0.0F));
            REQUIRE(std::fabs(static_cast<double>(computed) - exact) <= bound);
        }
    }
    // In the least favourable order a scalar product errs by m u (Higham 2002, 3.1).
    CHECK(scoreErrorPerTau(50, 3.0, 2.0) > 50.0 * 0x1p-24 * 6.0);
}

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
        std::vector<Row> expected;
        for (const Row word : words) {
            const VectorF one = noise.row(std::ssize(expected)).cast<float>().transpose();
            expected.push_back(test::bruteForceNearest(vectors, word, one, epsilon));
        }
        for (const std::int64_t target : test::simdTargets()) {
            const test::OnTarget onTarget(target);
            std::vector<Row> outputs(words.size());
            PointSearch(space, epsilon).nearest(words, noise, outputs);
            CAPTURE(epsilon);
            CHECK(outputs == expected);
        }
    }
}

}  // namespace

// Origin of the expected words: textbook distances in float64 (tests/support/brute_force).
TEST_CASE("A search for points finds the words of the reference") {
    // Sizes around whole tiles and slabs of positions.
    const Eigen::Index words = GENERATE(1, 2, 15, 16, 17, 333, 1023, 1024, 1025, 2100);
    const Eigen::Index dimensions = GENERATE(1, 3, 24);
    CAPTURE(words, dimensions);
    checkAgainstReference(test::anisotropicVectors(words, dimensions, 5), 3);
}

TEST_CASE("A search for points finds rows of outlying norm") {
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
    CHECK(*std::ranges::max_element(outputs) < 40);
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
        std::vector<Row> expected;
        for (const Row input : inputs) {
            const VectorD direction = directions.row(std::ssize(expected)).transpose();
            expected.push_back(test::bruteForcePoincareNearest(vectors, input, direction, radius));
        }
        for (const std::int64_t target : test::simdTargets()) {
            const test::OnTarget onTarget(target);
            std::vector<Row> outputs(inputs.size());
            engine::PoincarePoints(poincare).nearest(points, outputs);
            CAPTURE(radius);
            CHECK(outputs == expected);
        }
    }
}

namespace {

/// Of each vector the distance to its nearest other one: float64 over all pairs, the textbook way.
std::vector<double> bruteForceDistances(const RowMatrixD& vectors) {
    std::vector<double> distances(static_cast<std::size_t>(vectors.rows()),
                                  std::numeric_limits<double>::infinity());
    for (Eigen::Index a = 0; a < vectors.rows(); ++a) {
        for (Eigen::Index b = 0; b < a; ++b) {
            const double distance = (vectors.row(a) - vectors.row(b)).norm();
            for (const Eigen::Index row : {a, b}) {
                double& least = distances[static_cast<std::size_t>(row)];
                least = std::min(least, distance);
            }
        }
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
    // Around the number of words at once, 128, and beyond the length of a list, 1,024.
    const Eigen::Index dimensions = GENERATE(1, 2, 7, 50);
    for (const Eigen::Index words : {2, 3, 127, 128, 129, dimensions == 7 ? 2500 : 1100}) {
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
