#include "core/engine/tile_order.h"

#include <algorithm>

#include <catch2/catch.hpp>

#include "core/engine/score_kernel.h"
#include "tests/support/toy_embedding.h"

using namespace epsilens;
using namespace epsilens::engine;

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
