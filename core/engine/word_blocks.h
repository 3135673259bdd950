#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/engine/aligned_matrix.h"
#include "core/engine/metric_kernel.h"
#include "core/engine/metric_space.h"

namespace epsilens::engine {

/// All words of a Euclidean space in an order of choice, cut into blocks, and the products of pairs
/// of blocks, which give the distances of the words of either block to those of the other.
class WordBlocks {
public:
    /// space          Euclidean; must outlive the blocks
    /// order          every word once
    /// wordsPerBlock  a multiple of 64; only the last block may have fewer
    WordBlocks(const MetricSpace& space, std::vector<Row> order, std::int64_t wordsPerBlock);

    [[nodiscard]] const MetricSpace& space() const { return m_space; }
    [[nodiscard]] std::int64_t count() const;
    [[nodiscard]] std::int64_t wordsPerBlock() const { return m_wordsPerBlock; }
    [[nodiscard]] std::span<const Row> words(std::int64_t block) const;
    /// The word at a position of the order.
    [[nodiscard]] Row wordAt(std::int64_t position) const {
        return m_order[static_cast<std::size_t>(position)];
    }
    /// Words of a block, padded to groups of four vectors.
    [[nodiscard]] std::int64_t paddedWords(std::int64_t block) const;

    /// Room for the products of two blocks.
    [[nodiscard]] AlignedMatrix noProducts() const;
    /// Fills `products` with those of the words of one block, one row each, with the words of
    /// another.
    void multiply(std::int64_t first, std::int64_t second, AlignedMatrix& products) const;
    /// The distance of the words at two positions of the order, as the space has it in float64.
    [[nodiscard]] double distance(std::int64_t a, std::int64_t b) const;
    /// Norms of the words of a block, with those of the word at a position of the order.
    [[nodiscard]] ProductRow productRow(std::int64_t position, std::int64_t block) const;

private:
    const MetricSpace& m_space;
    std::vector<Row> m_order;
    std::int64_t m_wordsPerBlock;
    RowMatrixF m_vectors;          ///< in the order
    AlignedMatrix m_squaredNorms;  ///< one row each, in the order
    AlignedMatrix m_inverseNorms;
};

/// Distance between rows of so many entries that do not all begin at the same place of a cache.
[[nodiscard]] constexpr std::int64_t spreadStride(std::int64_t entries) {
    constexpr std::int64_t kLine = 16;
    return entries + kLine;
}

/// Copies columns [first, first + to.rows()) of the products of `rows` words into rows of `to`.
///
/// from   `rows` rows, rounded up to 4; at least first + to.rows() columns
/// first  a multiple of 4
/// to     at least `rows` entries a row, rounded up to 4; a multiple of 4 rows, one for each column
void transposeColumns(const AlignedMatrix& from, std::int64_t rows, std::int64_t first,
                      AlignedMatrix& to);

}  // namespace epsilens::engine
