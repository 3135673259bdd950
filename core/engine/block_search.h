#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/base/job_context.h"
#include "core/engine/aligned_matrix.h"
#include "core/engine/exact_scores.h"
#include "core/engine/score_kernel.h"
#include "core/engine/search_space.h"

namespace epsilens::engine {

/// Squared distances of some words to every position: words x paddedPositions().
/// Own entries are exactly 0, no entry is negative; see distanceErrorBound for the rest.
/// Rows of a cancelled call are undefined.
[[nodiscard]] AlignedMatrix squaredDistances(const SearchSpace& space, std::span<const Row> words,
                                             int threads, const JobContext& job);

/// Projections of every position on each row of noise (draws x m): draws x paddedPositions().
[[nodiscard]] AlignedMatrix noiseProjections(const SearchSpace& space, const RowMatrixF& noise,
                                             int threads, const JobContext& job);

/// Finds the word nearest to a noisy point exactly: a float32 pass over all positions, and a
/// float64 decision among those that the rounding bound cannot tell apart. Ties go to the lowest
/// row. Holds scratch memory: one object per task.
class NearestSearch {
public:
    explicit NearestSearch(const SearchSpace& space);

    /// Chooses the word, by its row and its row of squaredDistances.
    void setWord(Row word, const float* distances);
    /// Chooses the draw, by its noise at epsilon = 1 and its row of noiseProjections.
    void setDraw(const float* noise, const float* projections);
    /// Position nearest under each of the weights.
    void nearest(const std::vector<ScoreWeights>& weights, std::span<std::int32_t> positions);
    /// As above for one setting.
    [[nodiscard]] std::int32_t nearest(const ScoreWeights& weights);

    /// Score line of a position relative to the word, for the chosen draw.
    [[nodiscard]] ScoreLine lineOf(std::int32_t position) const;
    [[nodiscard]] std::int32_t wordPosition() const { return m_wordPosition; }
    [[nodiscard]] Row rowAt(std::int32_t position) const { return m_space.rowAt(position); }

    /// Decisions taken in float64 so far.
    [[nodiscard]] std::int64_t rechecked() const { return m_rechecked; }

private:
    [[nodiscard]] std::int32_t decide(const ScoreWeights& weights, const float* minima);
    [[nodiscard]] std::int32_t decideInFloat64(const ScoreWeights& weights);

    const SearchSpace& m_space;
    std::int64_t m_tiles;
    const float* m_wordVector = nullptr;
    const float* m_distances = nullptr;
    const float* m_noise = nullptr;
    const float* m_projections = nullptr;
    std::int32_t m_wordPosition = 0;
    double m_wordNorm = 0.0;
    double m_noiseNorm = 0.0;
    std::vector<float> m_minima;
    std::vector<std::int32_t> m_found;
    std::vector<ScoreWeights> m_single;
    std::int64_t m_rechecked = 0;
};

}  // namespace epsilens::engine
