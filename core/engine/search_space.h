#pragma once

#include <memory>
#include <span>
#include <vector>

#include "core/base/eigen.h"
#include "core/embedding/prepared_embedding.h"

namespace epsilens::engine {

using embedding::Row;

/// The possible outputs of a search: the distinct vectors (the lowest of identical rows), padded to
/// whole tiles. Those of outlying norm come last, rising in norm: bounds of rounding errors that
/// hold for all others do not grow with them (rounding_bounds.md). Immutable; built once per
/// embedding and shared.
class SearchSpace {
public:
    /// Copies of the vectors in memory while a search space exists: that of the embedding and its
    /// own.
    static constexpr int kCopiesOfVectors = 2;

    explicit SearchSpace(embedding::EmbeddingHandle embedding);
    SearchSpace(const SearchSpace&) = delete;
    SearchSpace& operator=(const SearchSpace&) = delete;

    [[nodiscard]] const embedding::PreparedEmbedding& embedding() const { return *m_embedding; }
    [[nodiscard]] const embedding::EmbeddingHandle& handle() const { return m_embedding; }
    /// Number of distinct vectors.
    [[nodiscard]] Eigen::Index positions() const { return m_vectors.rows(); }
    /// positions() rounded up to whole tiles; the length of a row of scores.
    [[nodiscard]] Eigen::Index paddedPositions() const;
    [[nodiscard]] Eigen::Index tiles() const;
    /// Distinct vectors in search order, positions() x m.
    [[nodiscard]] const RowMatrixF& vectors() const { return m_vectors; }
    [[nodiscard]] const VectorD& squaredNorms() const { return m_squaredNorms; }
    [[nodiscard]] Row rowAt(Eigen::Index position) const {
        return m_rows[static_cast<std::size_t>(position)];
    }
    /// All rows with the vector of a position, ascending.
    [[nodiscard]] std::span<const Row> rowsAt(Eigen::Index position) const;
    /// Position of the vector of a row; for a duplicate, that of its representative.
    [[nodiscard]] Eigen::Index positionOf(Row row) const {
        return m_positions[static_cast<std::size_t>(row)];
    }
    /// Number of positions that are not of outlying norm, at least 1; they come first.
    [[nodiscard]] Eigen::Index regularPositions() const { return m_regularPositions; }
    [[nodiscard]] double largestRegularNorm() const { return m_largestRegularNorm; }

private:
    void orderRows();

    embedding::EmbeddingHandle m_embedding;
    RowMatrixF m_vectors;
    VectorD m_squaredNorms;
    std::vector<Row> m_rows;
    std::vector<Row> m_rowsByPosition;  ///< rows grouped by position
    std::vector<Eigen::Index> m_positions;
    Eigen::Index m_regularPositions = 0;
    double m_largestRegularNorm = 0.0;
};

/// Order of the distinct rows of an embedding in which tiles of kTileWidth consecutive rows are
/// close in space. The rows are split repeatedly at the median of the coordinate with the largest
/// spread, among the leading principal axes. Each half is a whole number of tiles; rows ascend
/// within a tile.
[[nodiscard]] std::vector<Row> tileOrder(const embedding::PreparedEmbedding& embedding);

using SearchSpaceHandle = std::shared_ptr<const SearchSpace>;

}  // namespace epsilens::engine
