#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/engine/aligned_matrix.h"
#include "core/engine/distance_error.h"
#include "core/engine/metric_space.h"
#include "core/engine/neighbours.h"

namespace epsilens::engine {

/// Distances of one word to the whole vocabulary. What it points at belongs to the MetricRows it
/// comes from.
struct MetricRow {
    Row word = 0;
    /// V entries, aligned, padded to whole tiles; 0 for the word and for words with its bits.
    const float* distances = nullptr;
    const float* cosines =
        nullptr;  ///< cosines with the word's vector, 0 for zero vectors; or null
    /// Nearest words without the word itself, decided in float64, ties by lower row.
    Neighbourhood neighbours{};
    /// |computed - true| is at most distanceError for entries from leastUncertain on, and nothing
    /// below, beside kDistanceRounding times the entry.
    double distanceError = 0.0;
    double leastUncertain = 0.0;
};

/// Computes rows of distances for the words of one task; scratch memory.
///
/// A float32 product gives all distances. Those whose square is small beside its rounding error,
/// and those of the nearest 100 words (or the neighbours asked for, if more), are computed again in
/// float64 from differences, near the far end of the angle from sums.
class MetricRows {
public:
    explicit MetricRows(bool withCosines) : m_withCosines(withCosines) {}

    /// Number of words whose rows are computed together, by the size of the vocabulary alone.
    [[nodiscard]] static std::int64_t wordsAtOnce(const MetricSpace& space);
    /// Loads the products of some words; at most wordsAtOnce. The space must outlive the rows.
    /// Loading the same words under another lambda keeps what does not depend on it.
    void load(const MetricSpace& space, std::span<const Row> words);
    /// Makes the distances of words[index] of the last load: once per index, as products and
    /// distances share their memory.
    ///
    /// neighbours  K >= 1
    [[nodiscard]] MetricRow finish(std::int64_t index, int neighbours);

private:
    [[nodiscard]] bool hasOwnCosineProduct() const;
    void allocate(std::int64_t count);
    void loadProducts();
    void loadCosines();
    [[nodiscard]] const float* fillDistances(Row word, float* distances, std::int64_t index);
    [[nodiscard]] double refineNear(MetricRow& row, float* distances, const DistanceError& error,
                                    int neighbours);
    [[nodiscard]] double refineOpposite(Row word, float* distances, const DistanceError& error);

    const MetricSpace* m_space = nullptr;
    bool m_withCosines;
    std::vector<Row> m_words{};
    const embedding::PreparedEmbedding* m_cosinesOf = nullptr;  ///< whose cosines are loaded
    AlignedMatrix m_distances{};
    AlignedMatrix m_cosines{};    ///< a row per word if they have a product of their own, else one
    AlignedMatrix m_tileLeast{};  ///< one row
    AlignedMatrix m_tileLargest{};  ///< one row
    RowMatrixF m_block{};
};

}  // namespace epsilens::engine
