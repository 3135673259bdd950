#pragma once

#include <cstdint>
#include <span>

#include "core/engine/aligned_matrix.h"
#include "core/engine/metric_space.h"

namespace epsilens::engine {

/// Lower bounds of the distances between some words and the words of each tile of the vocabulary,
/// for proposals that exact distances correct later. Tiles are in the order of the rows. A word
/// does not count in its own tile, but words with an identical vector do.
///
/// A float32 product gives the distances to a slab of the vocabulary. Only the least distance of
/// each tile is stored, minus its rounding error. All words share the product of a slab, so that
/// the vocabulary is prepared only once. Derivation: rounding_bounds.md
class TileBounds {
public:
    /// Number of words whose bounds are computed together; depends only on the size of the
    /// vocabulary.
    [[nodiscard]] static std::int64_t wordsAtOnce(const MetricSpace& space);

    /// words    at most wordsAtOnce
    /// threads  0: all
    TileBounds(const MetricSpace& space, std::span<const Row> words, int threads);

    /// Bounds of words[index]: 0 <= bound <= d(word, u) for every other word u of the tile.
    /// tileCount(V) finite entries, aligned and padded to paddedRowLength().
    [[nodiscard]] const float* of(std::int64_t index) const { return m_bounds.row(index); }

private:
    void addSlabs(const MetricSpace& space, std::span<const Row> words, const RowMatrixF& factors,
                  std::int64_t begin, std::int64_t end);
    void takeOffErrors(const MetricSpace& space, std::span<const Row> words, int threads);

    AlignedMatrix m_bounds;
};

}  // namespace epsilens::engine
