#pragma once

#include <cstdint>
#include <span>

#include "core/engine/aligned_matrix.h"
#include "core/engine/metric_space.h"

namespace epsilens::engine {

/// How near, at least, the words of each tile of the vocabulary are to some words: for proposals
/// that are corrected by exact distances later. Tiles in order of the rows; a word counts in no
/// tile of its own, words with its bits do.
///
/// A float32 product gives the distances to a slab of the vocabulary, of which only the least of
/// each tile is kept; their rounding error is taken off. All words share the product of a slab, so
/// that the vocabulary is prepared for it once. Derivation: rounding_bounds.md
class TileBounds {
public:
    /// Number of words whose bounds are computed together, by the size of the vocabulary alone.
    [[nodiscard]] static std::int64_t wordsAtOnce(const MetricSpace& space);

    /// words    at most wordsAtOnce
    /// threads  0: all
    TileBounds(const MetricSpace& space, std::span<const Row> words, int threads);

    /// Of words[index]: 0 <= bound <= d(word, u) for every other word u of a tile; tileCount(V)
    /// finite entries, aligned and padded to paddedRowLength().
    [[nodiscard]] const float* of(std::int64_t index) const { return m_bounds.row(index); }

private:
    void addProducts(const MetricSpace& space, std::span<const Row> words, int threads);
    void addSlab(const MetricSpace& space, std::span<const Row> words, std::int64_t first,
                 std::int64_t width, AlignedMatrix& products);
    void addPoincare(const MetricSpace& space, std::span<const Row> words, int threads);
    void takeOffErrors(const MetricSpace& space, std::span<const Row> words, int threads);

    AlignedMatrix m_bounds;
};

}  // namespace epsilens::engine
