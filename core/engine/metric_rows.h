#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/parallel.h"
#include "core/engine/aligned_matrix.h"
#include "core/engine/distance_error.h"
#include "core/engine/metric_space.h"
#include "core/engine/neighbours.h"

namespace epsilens::engine {

/// Distances of one word to the whole vocabulary. The MetricRows that made it owns the data.
struct MetricRow {
    Row word = 0;
    /// V entries, aligned, padded to whole tiles; 0 for the word and for identical vectors.
    const float* distances = nullptr;
    /// Cosines with the vector of the word, 0 for zero vectors and where padded as distances are;
    /// or null.
    const float* cosines = nullptr;
    /// Nearest words without the word itself, decided in float64, ties by lower row.
    Neighbourhood neighbours{};
    /// The words at a computed distance of at most nearestReach, whose distances were formed again
    /// in float64: at least the nearest 100 where there are so many, the word itself among them.
    /// Ascending.
    std::vector<Row> nearest{};
    float nearestReach = 0.0F;  ///< all other words are farther
    /// |computed - true| is at most distanceError for entries >= leastUncertain and 0 below, plus
    /// kDistanceRounding times the entry in both cases.
    double distanceError = 0.0;
    double leastUncertain = 0.0;
};

/// Computes rows of distances for the words of one task. Holds scratch memory.
///
/// A float32 product gives all distances. Distances whose square is small compared with its
/// rounding error, and those of the nearest 100 words (or of the requested neighbours, if more),
/// are recomputed in float64 from differences; angles near pi from sums.
class MetricRows {
public:
    explicit MetricRows(bool withCosines) : m_withCosines(withCosines) {}

    /// Number of words whose rows are computed together; depends only on the size of the
    /// vocabulary.
    [[nodiscard]] static std::int64_t wordsAtOnce(const MetricSpace& space);
    /// Number of nearest words, the word itself among them, whose distances are formed again.
    ///
    /// neighbours  K >= 0; 0: the word alone
    [[nodiscard]] static std::int64_t wordsFormedAgain(const MetricSpace& space, int neighbours);
    /// Loads the products of at most wordsAtOnce words. The space must outlive the rows. Loading
    /// the same words under another lambda keeps the data that do not depend on lambda.
    void load(const MetricSpace& space, std::span<const Row> words);
    /// Computes the distances of words[index] of the last load. May be called once per index,
    /// because products and distances share memory.
    ///
    /// neighbours  K >= 0; 0: no distance is formed again but those that rounding spoils
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
    const embedding::PreparedEmbedding* m_cosinesOf = nullptr;  ///< owner of the loaded cosines
    AlignedMatrix m_distances{};
    AlignedMatrix m_cosines{};    ///< one row per word if they have their own product, else one
    AlignedMatrix m_tileLeast{};  ///< one row
    RowMatrixF m_block{};
};

/// Rows of distances of some words under one or more metrics.
struct RowSweep {
    std::span<const MetricSpace> spaces{};  ///< of one embedding
    std::span<const Row> words{};
    /// Most words that share a product, if MetricRows::wordsAtOnce is not less. Part of the result,
    /// whose last bits depend on the shape of a product.
    std::size_t wordsAtOnce = 0;
    bool withCosines = false;
    int neighbours = 0;  ///< as MetricRows::finish
    int threads = 0;
    std::string_view stage{};  ///< of the progress
};

/// Visits the rows, several at a time.
///
/// makeState  called with the number of each worker: what its calls share, such as scratch memory
/// visit      called with a state, the indices of a word and of a space, and the row; those of a
///            word rise in their space
/// Fails with cancelled.
template <typename MakeState, typename Visit>
[[nodiscard]] Result<void> sweepRows(const RowSweep& sweep, const JobContext& job,
                                     const MakeState& makeState, const Visit& visit) {
    const std::size_t atOnce = std::min(
        sweep.wordsAtOnce, static_cast<std::size_t>(MetricRows::wordsAtOnce(sweep.spaces.front())));
    return inParallel(
        (sweep.words.size() + atOnce - 1) / atOnce, sweep.threads, sweep.stage, job,
        [&](int worker) { return std::pair(MetricRows(sweep.withCosines), makeState(worker)); },
        [&](auto& worker, std::size_t task) {
            auto& [rows, state] = worker;
            const std::size_t first = task * atOnce;
            const auto words = partFrom(sweep.words, first, atOnce);
            for (std::size_t space = 0; space < sweep.spaces.size(); ++space) {
                rows.load(sweep.spaces[space], words);
                for (std::size_t i = 0; i < words.size() && !job.stopRequested(); ++i) {
                    visit(state, first + i, space,
                          rows.finish(static_cast<std::int64_t>(i), sweep.neighbours));
                }
            }
        });
}

}  // namespace epsilens::engine
