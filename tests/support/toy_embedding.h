#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/base/eigen.h"
#include "core/embedding/prepared_embedding.h"

namespace epsilens::test {

using embedding::Row;

/// Every `step`-th row below a number, the first included.
[[nodiscard]] std::vector<Row> rowsBelow(Row end, Row step = 1);

/// Embedding with words "w0", "w1", … and the given vectors, prepared.
[[nodiscard]] embedding::EmbeddingHandle toyEmbedding(RowMatrixF vectors);

/// The basis of an embedding, which it keeps alive.
[[nodiscard]] inline std::shared_ptr<const embedding::PcaBasis> basisOf(
    const embedding::EmbeddingHandle& handle) {
    return {handle, &handle->basis};
}

/// Standard normal entries times 1 / (1 + column), so that the principal axes differ.
[[nodiscard]] RowMatrixF anisotropicVectors(Eigen::Index words, Eigen::Index dimensions,
                                            std::uint64_t seed);

/// Points around 2,000 centres that are themselves anisotropicVectors: as real vectors, and unlike
/// random points, they leave near and far neighbours to tell apart. Uses all processors.
[[nodiscard]] RowMatrixF clusteredVectors(Eigen::Index words, Eigen::Index dimensions,
                                          std::uint64_t seed);

/// The vectors with some rows, spread over all, whose first coordinate lost its decimal point: it
/// is
/// +-40,000 to +-120,000. Pairs of neighbours among them have the same.
[[nodiscard]] RowMatrixF withOutlyingRows(RowMatrixF vectors, Eigen::Index count);
/// The row that has number `index` among these.
[[nodiscard]] Row outlyingRow(const RowMatrixF& vectors, Eigen::Index count, Eigen::Index index);

/// Points of the unit ball with uniform directions and norms uniform up to the given one.
[[nodiscard]] RowMatrixF poincareVectors(Eigen::Index words, Eigen::Index dimensions,
                                         double largestNorm, std::uint64_t seed);

}  // namespace epsilens::test
