#include "core/engine/metric_rows.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <catch2/catch.hpp>

#include "core/engine/score_kernel.h"
#include "core/engine/search_space.h"
#include "core/engine/tile_bounds.h"
#include "tests/support/brute_force.h"
#include "tests/support/simd_targets.h"
#include "tests/support/toy_embedding.h"

using namespace epsilens;
using namespace epsilens::engine;
using metric::Metric;

// Reference: metric::WordMetric, float64 from the original vectors.

namespace {

constexpr double kLambda = 0.7;

MetricSpace spaceOf(const RowMatrixF& vectors, Metric metric) {
    return MetricSpace::create(
               metric::WordMetric::create(test::toyEmbedding(vectors), metric, kLambda).value())
        .value();
}

double allowedError(const MetricRow& row, double exact) {
    const bool isUncertain = exact >= row.leastUncertain * (1.0 - 1e-6);
    return exact * kDistanceRounding + (isUncertain ? row.distanceError : 0.0);
}

struct RowInFloat64 {
    std::vector<double> distances{};
    std::vector<Row> nearest{};  ///< all other words
    VectorD cosines{};
};

RowInFloat64 rowInFloat64(const MetricSpace& space, Row word) {
    RowInFloat64 row{test::distancesFrom(space.metric(), word), {}, {}};
    row.nearest = test::rowsBelow(space.wordCount());
    std::erase(row.nearest, word);
    std::ranges::stable_sort(
        row.nearest, {}, [&](Row other) { return row.distances[static_cast<std::size_t>(other)]; });
    const RowMatrixD vectors = space.embedding().vectors().cast<double>();
    const VectorD norms = vectors.row(word).norm() * vectors.rowwise().norm();
    row.cosines = (norms.array() > 0.0)
                      .select((vectors * vectors.row(word).transpose()).cwiseQuotient(norms), 0.0);
    return row;
}

/// On every instruction set.
void compareWithFloat64(const MetricSpace& space, const std::vector<Row>& words, int neighbours) {
    std::vector<RowInFloat64> expected;
    for (const Row word : words) {
        expected.push_back(rowInFloat64(space, word));
        auto& nearest = expected.back().nearest;
        nearest.resize(std::min(nearest.size(), static_cast<std::size_t>(neighbours)));
    }
    for (const std::int64_t target : test::simdTargets()) {
        const test::OnTarget onTarget(target);
        MetricRows rows(true);
        rows.load(space, words);
        for (std::size_t i = 0; i < words.size(); ++i) {
            const MetricRow row = rows.finish(static_cast<std::int64_t>(i), neighbours);
            REQUIRE(row.word == words[i]);
            REQUIRE(row.distances[row.word] == 0.0F);
            for (Row other = 0; other < space.wordCount(); ++other) {
                const double exact = expected[i].distances[static_cast<std::size_t>(other)];
                const auto computed = static_cast<double>(row.distances[other]);
                CAPTURE(metric::metricName(space.metric().metric()), row.word, other,
                        row.distanceError);
                REQUIRE(std::abs(computed - exact) <= allowedError(row, exact));
                REQUIRE(static_cast<double>(row.cosines[other]) ==
                        Approx(expected[i].cosines[other]).margin(2e-5));
            }
            REQUIRE(row.neighbours.rows == expected[i].nearest);
        }
    }
}

void compareWithFloat64(const RowMatrixF& vectors, Metric metric, const std::vector<Row>& words,
                        int neighbours) {
    compareWithFloat64(spaceOf(vectors, metric), words, neighbours);
}

}  // namespace

TEST_CASE("Rows of distances equal float64 within their stated error, for odd sizes") {
    const Metric metric =
        GENERATE(Metric::euclidean, Metric::mahalanobis, Metric::angular, Metric::poincare);
    const Eigen::Index words = GENERATE(2, 63, 64, 65, 700);
    const Eigen::Index m = GENERATE(1, 2, 7, 100);
    const RowMatrixF vectors = metric == Metric::poincare
                                   ? test::poincareVectors(words, m, 0.9996, 21)
                                   : test::anisotropicVectors(words, m, 21);
    if (metric == Metric::angular && m == 1) {
        return;  // all angles are 0 or pi: ties have a test of their own
    }
    compareWithFloat64(vectors, metric,
                       {0, static_cast<Row>(words / 2), static_cast<Row>(words - 1)}, 5);
}

TEST_CASE("Rows of 400 dimensions equal float64 within their stated error") {
    const Metric metric = GENERATE(Metric::euclidean, Metric::mahalanobis, Metric::angular);
    compareWithFloat64(test::anisotropicVectors(300, 400, 22), metric, {0, 150, 299}, 100);
}

TEST_CASE("Words with the same bits are at distance 0, neighbours tie by lower row") {
    const Metric metric =
        GENERATE(Metric::euclidean, Metric::mahalanobis, Metric::angular, Metric::poincare);
    RowMatrixF vectors = test::poincareVectors(400, 5, 0.99, 23);
    for (Eigen::Index row = 100; row < 400; ++row) {
        vectors.row(row) = vectors.row(row - 100);
    }
    compareWithFloat64(vectors, metric, {0, 99, 100, 399}, 10);
    const MetricSpace space = spaceOf(vectors, metric);
    MetricRows rows(false);
    rows.load(space, std::vector<Row>{250});
    const MetricRow row = rows.finish(0, 3);
    CHECK(row.cosines == nullptr);
    CHECK(row.neighbours.rows == std::vector<Row>{50, 150, 350});
    CHECK(row.neighbours.distances == std::vector<double>{0.0, 0.0, 0.0});
    CHECK(row.distances[50] == 0.0F);
}

TEST_CASE("Words that differ in the last bit have the distance that float64 gives them") {
    const Metric metric = GENERATE(Metric::euclidean, Metric::angular, Metric::poincare);
    RowMatrixF vectors = test::poincareVectors(200, 6, 0.9, 24);
    for (Eigen::Index row = 100; row < 200; ++row) {
        vectors.row(row) = vectors.row(row - 100);
        vectors(row, 3) = std::nextafter(vectors(row, 3), 2.0F);
    }
    const MetricSpace space = spaceOf(vectors, metric);
    // Without neighbours the word itself alone is looked for, and what could be as near is formed
    // again all the same.
    const int neighbours = GENERATE(0, 1);
    MetricRows rows(false);
    const std::vector<Row> words = test::rowsBelow(100);
    rows.load(space, words);
    for (const Row word : words) {
        const MetricRow row = rows.finish(word, neighbours);
        const double exact = space.metric().distance(word, word + 100);
        CAPTURE(word);
        CHECK(exact > 0.0);
        CHECK(static_cast<double>(row.distances[word + 100]) == Approx(exact).epsilon(1e-6));
        CHECK((neighbours == 0 || row.neighbours.rows == std::vector<Row>{word + 100}));
    }
}

TEST_CASE("Opposite and nearly opposite vectors have angles near pi") {
    RowMatrixF vectors = test::anisotropicVectors(300, 8, 25);
    for (Eigen::Index row = 150; row < 300; ++row) {
        vectors.row(row) = -3.0F * vectors.row(row - 150);
        vectors(row, 0) += 1e-4F * static_cast<float>(row - 150);
    }
    compareWithFloat64(vectors, Metric::angular, {0, 1, 40, 149, 299}, 5);
}

TEST_CASE("Zero vectors and norms from 1e-6 to 1e6 are within the stated error") {
    const test::OnTarget onTarget(GENERATE(from_range(test::simdTargets())));
    const Metric metric = GENERATE(Metric::euclidean, Metric::mahalanobis);
    RowMatrixF vectors = test::anisotropicVectors(500, 7, 26);
    for (Eigen::Index row = 0; row < 500; ++row) {
        vectors.row(row) *= static_cast<float>(std::pow(10.0, static_cast<double>(row % 13) - 6.0));
    }
    vectors.row(40).setZero();
    vectors.row(41).setZero();
    const MetricSpace space = spaceOf(vectors, metric);
    MetricRows rows(false);
    const std::vector<Row> words{0, 6, 12, 40};
    rows.load(space, words);
    for (std::size_t i = 0; i < words.size(); ++i) {
        const MetricRow row = rows.finish(static_cast<std::int64_t>(i), 1);
        for (Row other = 0; other < 500; ++other) {
            const double exact = space.metric().distance(row.word, other);
            CAPTURE(row.word, other);
            REQUIRE(std::abs(static_cast<double>(row.distances[other]) - exact) <=
                    allowedError(row, exact) + exact * 1e-6);
        }
    }
}

TEST_CASE("Rows of outlying norm leave the other distances their error") {
    const Metric metric = GENERATE(Metric::euclidean, Metric::mahalanobis, Metric::angular);
    const Eigen::Index count = GENERATE(1, 64, 200);
    const RowMatrixF vectors = test::withOutlyingRows(test::anisotropicVectors(700, 12, 28), count);
    compareWithFloat64(vectors, metric,
                       {0, 350, test::outlyingRow(vectors, count, 0),
                        test::outlyingRow(vectors, count, count - 1)},
                       5);
}

TEST_CASE("A row of outlying norm has no other words formed again") {
    const RowMatrixF vectors = test::anisotropicVectors(3000, 50, 29);
    const auto formedAgain = [](const RowMatrixF& all) {
        const MetricSpace space = spaceOf(all, Metric::euclidean);
        MetricRows rows(false);
        rows.load(space, std::vector<Row>{0});
        return rows.finish(0, 1).nearest.size();
    };
    CHECK(formedAgain(test::withOutlyingRows(vectors, 64)) <= formedAgain(vectors) + 5);
}

TEST_CASE("Small and large vectors have distances") {
    const float scale = GENERATE(1e-11F, 1e-5F, 1e15F);
    const RowMatrixF vectors = scale * test::anisotropicVectors(100, 4, 27);
    for (const Metric metric : {Metric::euclidean, Metric::angular}) {
        compareWithFloat64(vectors, metric, {3, 50}, 4);
    }
    // All vectors zero: all words are one.
    compareWithFloat64(RowMatrixF::Zero(70, 3), Metric::euclidean, {0, 69}, 5);
}

TEST_CASE("Another lambda shares the table and gives its own distances") {
    const auto handle = test::toyEmbedding(test::anisotropicVectors(120, 6, 29));
    const auto at = [&](double lambda) {
        return metric::WordMetric::create(handle, Metric::mahalanobis, lambda).value();
    };
    const MetricSpace first = MetricSpace::create(at(0.2)).value();
    const MetricSpace second = first.withLambda(0.9).value();
    CHECK(&first.table() == &second.table());
    compareWithFloat64(second, {5}, 1);
    CHECK_FALSE(first.withLambda(1.2));
}

TEST_CASE("Rows are the same whether or not their words were loaded under another lambda before") {
    const auto handle = test::toyEmbedding(test::anisotropicVectors(90, 5, 30));
    const MetricSpace first =
        MetricSpace::create(metric::WordMetric::create(handle, Metric::mahalanobis, 0.1).value())
            .value();
    const MetricSpace second = first.withLambda(0.9).value();
    const std::vector<Row> words{3, 80};
    MetricRows fresh(true);
    fresh.load(second, words);
    MetricRows used(true);
    used.load(first, std::vector<Row>{7, 8, 9});
    used.load(first, words);
    static_cast<void>(used.finish(0, 3));
    used.load(second, words);
    for (const std::int64_t index : {0, 1}) {
        const MetricRow expected = fresh.finish(index, 3);
        const MetricRow row = used.finish(index, 3);
        CHECK(row.neighbours.rows == expected.neighbours.rows);
        for (Row other = 0; other < 90; ++other) {
            REQUIRE(row.distances[other] == expected.distances[other]);
            REQUIRE(row.cosines[other] == expected.cosines[other]);
        }
    }
}

// Sums over rows run over their padding, and must not depend on what was in memory before.
TEST_CASE("Cosines are 0 where rows are padded, whatever was loaded before") {
    const auto metric =
        GENERATE(Metric::euclidean, Metric::mahalanobis, Metric::angular, Metric::poincare);
    const MetricSpace space = spaceOf(test::anisotropicVectors(700, 5, 83) * 0.15F, metric);
    MetricRows rows(true);
    for (const Row word : {3, 11, 3}) {
        rows.load(space, std::vector<Row>{word});
        const MetricRow row = rows.finish(0, 10);
        for (std::int64_t place = space.wordCount(); place < space.paddedWords(); ++place) {
            REQUIRE(row.cosines[place] == 0.0F);
        }
    }
}

// Reference: metric::WordMetric, float64 from the original vectors.

namespace {

/// Distance of the nearest other word of each tile; infinite where there is none.
std::vector<double> leastOfTiles(const MetricSpace& space, Row word) {
    std::vector<double> least(static_cast<std::size_t>(tileCount(space.wordCount())),
                              std::numeric_limits<double>::infinity());
    for (Row other = 0; other < space.wordCount(); ++other) {
        double& ofTile = least[static_cast<std::size_t>(other / kTileWidth)];
        if (other != word) {
            ofTile = std::min(ofTile, space.metric().distance(word, other));
        }
    }
    return least;
}

/// Bounds lie below, but for distances near 0 (angles: and near pi) by no more than a fiftieth if
/// the words are not of outlying norm.
void checkBounds(const MetricSpace& space, const std::vector<Row>& words,
                 bool areOutlying = false) {
    const TileBounds bounds(space, words, 2);
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::vector<double> least = leastOfTiles(space, words[i]);
        const float* found = bounds.of(static_cast<std::int64_t>(i));
        for (std::size_t tile = 0; tile < least.size(); ++tile) {
            const auto bound = static_cast<double>(found[tile]);
            CAPTURE(metric::metricName(space.metric().metric()), words[i], tile, least[tile]);
            REQUIRE(bound >= 0.0);
            REQUIRE(bound <= least[tile]);
            const bool isPlain = least[tile] > 0.5 && least[tile] < 3.0;
            REQUIRE((!isPlain || areOutlying || bound >= 0.98 * least[tile]));
        }
    }
}

}  // namespace

TEST_CASE("Bounds of tiles lie below the distances of their words and close to them") {
    const test::OnTarget onTarget(GENERATE(from_range(test::simdTargets())));
    const Metric metric =
        GENERATE(Metric::euclidean, Metric::mahalanobis, Metric::angular, Metric::poincare);
    const Eigen::Index words = GENERATE(2, 16, 17, 700);
    const Eigen::Index m = GENERATE(2, 50);
    const RowMatrixF vectors = metric == Metric::poincare ? test::poincareVectors(words, m, 0.9, 31)
                                                          : test::anisotropicVectors(words, m, 31);
    checkBounds(spaceOf(vectors, metric),
                {0, static_cast<Row>(words / 2), static_cast<Row>(words - 1)});
}

// 5,000 words: ten slabs in four tasks, the last of them with a part of a tile.
TEST_CASE("Bounds are right across slabs and where the last one is short") {
    const MetricSpace space = spaceOf(test::anisotropicVectors(5'000, 5, 32), Metric::euclidean);
    checkBounds(space, {0, 511, 512, 1'535, 1'536, 4'999});
    CHECK(TileBounds::wordsAtOnce(space) == 1024);
}

TEST_CASE("Bounds are right and close where rows have outlying norms") {
    const Metric metric = GENERATE(Metric::euclidean, Metric::mahalanobis);
    const Eigen::Index count = GENERATE(1, 64, 200);
    const RowMatrixF vectors =
        test::withOutlyingRows(test::anisotropicVectors(1'500, 12, 35), count);
    const MetricSpace space = spaceOf(vectors, metric);
    checkBounds(space, {0, 700});
    checkBounds(space, {test::outlyingRow(vectors, count, count - 1)}, true);
}

TEST_CASE("Bounds do not depend on the number of threads") {
    const MetricSpace space = spaceOf(test::anisotropicVectors(900, 5, 34), Metric::angular);
    const TileBounds one(space, test::rowsBelow(900), 1);
    const TileBounds four(space, test::rowsBelow(900), 4);
    for (std::int64_t word = 0; word < 900; ++word) {
        REQUIRE(std::equal(one.of(word), one.of(word) + tileCount(900), four.of(word)));
    }
}

TEST_CASE("Words with equal or almost equal vectors bring the bound to 0") {
    const Metric metric = GENERATE(Metric::euclidean, Metric::mahalanobis, Metric::angular);
    RowMatrixF vectors = test::anisotropicVectors(64, 6, 33);
    vectors.row(40) = vectors.row(3);
    vectors.row(60) = vectors.row(3);
    vectors(60, 2) = std::nextafter(vectors(60, 2), 10.0F);
    const MetricSpace space = spaceOf(vectors, metric);
    const TileBounds bounds(space, std::vector<Row>{3}, 1);
    CHECK(bounds.of(0)[2] == 0.0F);
    CHECK(bounds.of(0)[3] == 0.0F);
    CHECK(bounds.of(0)[0] > 0.0F);
    checkBounds(space, {3});
}

namespace {

// Mean squared distance of a row to the centre of its tile.
double spread(const RowMatrixF& vectors, const std::vector<embedding::Row>& order) {
    double total = 0.0;
    const auto width = static_cast<std::size_t>(kTileWidth);
    for (std::size_t first = 0; first < order.size(); first += width) {
        const std::size_t end = std::min(first + width, order.size());
        VectorD centre = VectorD::Zero(vectors.cols());
        for (std::size_t i = first; i < end; ++i) {
            centre += vectors.row(order[i]).cast<double>().transpose();
        }
        centre /= static_cast<double>(end - first);
        for (std::size_t i = first; i < end; ++i) {
            total += (vectors.row(order[i]).cast<double>().transpose() - centre).squaredNorm();
        }
    }
    return total;
}

}  // namespace

TEST_CASE("The order holds every distinct row once and brings neighbours together") {
    RowMatrixF vectors = test::anisotropicVectors(2000, 4, 91);
    vectors.row(1999) = vectors.row(0);
    const auto handle = test::toyEmbedding(vectors);
    const auto order = tileOrder(*handle);
    auto sorted = order;
    std::ranges::sort(sorted);
    CHECK(sorted == handle->duplicates.distinctRows);
    // 2,000 points in 125 cells of an anisotropic cloud: far tighter than cells at random.
    CHECK(spread(vectors, order) < 0.3 * spread(vectors, handle->duplicates.distinctRows));
}

TEST_CASE("A vocabulary smaller than a tile keeps its order") {
    const auto handle = test::toyEmbedding(test::anisotropicVectors(15, 3, 92));
    CHECK(tileOrder(*handle) == handle->duplicates.distinctRows);
}
