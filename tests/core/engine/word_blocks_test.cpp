#include "core/engine/word_blocks.h"

#include <numeric>
#include <vector>

#include <catch2/catch.hpp>

#include "tests/support/toy_embedding.h"

// Reference: the products and norms themselves in float64.

using namespace epsilens;
using namespace epsilens::engine;

TEST_CASE("Blocks of words in an order have their products and norms") {
    const RowMatrixF vectors = test::anisotropicVectors(150, 9, 93);
    const MetricSpace space =
        MetricSpace::create(
            metric::WordMetric::create(test::toyEmbedding(vectors), metric::Metric::euclidean, 0.0)
                .value())
            .value();
    std::vector<Row> order(150);
    std::iota(order.rbegin(), order.rend(), 0);
    const WordBlocks blocks(space, order, 64);
    REQUIRE(blocks.count() == 3);
    CHECK(blocks.words(2).size() == 22);
    CHECK(blocks.paddedWords(1) == 64);
    CHECK(blocks.paddedWords(2) == 64);
    CHECK(blocks.wordAt(0) == 149);
    AlignedMatrix products = blocks.noProducts();
    blocks.multiply(1, 2, products);
    for (std::size_t i = 0; i < 64; ++i) {
        const Row word = blocks.words(1)[i];
        const ProductRow row = blocks.productRow(64 + static_cast<std::int64_t>(i), 2);
        REQUIRE(row.count == 22);
        CHECK(static_cast<double>(row.wordSquaredNorm) ==
              Approx(vectors.row(word).cast<double>().squaredNorm()).epsilon(1e-6));
        for (std::size_t k = 0; k < 22; ++k) {
            REQUIRE(blocks.distance(64 + static_cast<std::int64_t>(i),
                                    128 + static_cast<std::int64_t>(k)) ==
                    space.distance(word, blocks.words(2)[k]));
            const VectorD other = vectors.row(blocks.words(2)[k]).cast<double>().transpose();
            CHECK(static_cast<double>(products.row(static_cast<std::int64_t>(i))[k]) ==
                  Approx(vectors.row(word).cast<double>().dot(other)).margin(1e-5));
            CHECK(static_cast<double>(row.squaredNorms[k]) ==
                  Approx(other.squaredNorm()).epsilon(1e-6));
            CHECK(static_cast<double>(row.inverseNorms[k]) ==
                  Approx(1.0 / other.norm()).epsilon(1e-6));
        }
    }
}

TEST_CASE("Columns of products become rows") {
    AlignedMatrix products(64, spreadStride(64));
    for (std::int64_t i = 0; i < 64; ++i) {
        std::iota(products.row(i), products.row(i) + products.stride(),
                  static_cast<float>(1000 * i));
    }
    AlignedMatrix columns(16, products.stride());
    const std::int64_t rows = GENERATE(1, 22, 64);
    const std::int64_t first = GENERATE(0, 48);
    transposeColumns(products, rows, first, columns);
    for (std::int64_t k = 0; k < 16; ++k) {
        for (std::int64_t i = 0; i < rows; ++i) {
            CHECK(columns.row(k)[i] == products.row(i)[first + k]);
        }
    }
}
