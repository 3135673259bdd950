#include "core/engine/tile_bounds.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <vector>

#include <catch2/catch.hpp>

#include "core/engine/score_kernel.h"
#include "core/engine/search_space.h"
#include "tests/support/simd_targets.h"
#include "tests/support/toy_embedding.h"

// Reference: metric::WordMetric, float64 from the original vectors.

using namespace epsilens;
using namespace epsilens::engine;
using metric::Metric;

namespace {

MetricSpace tiledSpace(const RowMatrixF& vectors, Metric metric) {
    return MetricSpace::create(
               metric::WordMetric::create(test::toyEmbedding(vectors), metric, 0.7).value())
        .value();
}

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
void compareBounds(const MetricSpace& space, const std::vector<Row>& words,
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
    compareBounds(tiledSpace(vectors, metric),
                  {0, static_cast<Row>(words / 2), static_cast<Row>(words - 1)});
}

// 5,000 words: ten slabs in four tasks, the last of them with a part of a tile.
TEST_CASE("Bounds are right across slabs and where the last one is short") {
    const MetricSpace space = tiledSpace(test::anisotropicVectors(5'000, 5, 32), Metric::euclidean);
    compareBounds(space, {0, 511, 512, 1'535, 1'536, 4'999});
    CHECK(TileBounds::wordsAtOnce(space) == 1024);
}

TEST_CASE("Bounds are right and close where rows have outlying norms") {
    const Metric metric = GENERATE(Metric::euclidean, Metric::mahalanobis);
    const Eigen::Index count = GENERATE(1, 64, 200);
    const RowMatrixF vectors =
        test::withOutlyingRows(test::anisotropicVectors(1'500, 12, 35), count);
    const MetricSpace space = tiledSpace(vectors, metric);
    compareBounds(space, {0, 700});
    compareBounds(space, {test::outlyingRow(vectors, count, count - 1)}, true);
}

TEST_CASE("Bounds do not depend on the number of threads") {
    const MetricSpace space = tiledSpace(test::anisotropicVectors(900, 5, 34), Metric::angular);
    std::vector<Row> all(900);
    std::iota(all.begin(), all.end(), 0);
    const TileBounds one(space, all, 1);
    const TileBounds four(space, all, 4);
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
    const MetricSpace space = tiledSpace(vectors, metric);
    const TileBounds bounds(space, std::vector<Row>{3}, 1);
    CHECK(bounds.of(0)[2] == 0.0F);
    CHECK(bounds.of(0)[3] == 0.0F);
    CHECK(bounds.of(0)[0] > 0.0F);
    compareBounds(space, {3});
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
    std::sort(sorted.begin(), sorted.end());
    CHECK(sorted == handle->duplicates.distinctRows);
    // 2,000 points in 125 cells of an anisotropic cloud: far tighter than cells at random.
    CHECK(spread(vectors, order) < 0.3 * spread(vectors, handle->duplicates.distinctRows));
}

TEST_CASE("A vocabulary smaller than a tile keeps its order") {
    const auto handle = test::toyEmbedding(test::anisotropicVectors(15, 3, 92));
    CHECK(tileOrder(*handle) == handle->duplicates.distinctRows);
}
