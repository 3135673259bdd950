#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/base/job_context.h"
#include "core/engine/exact_scores.h"
#include "core/engine/line_search.h"
#include "core/engine/score_kernel.h"
#include "core/engine/search_space.h"
#include "core/engine/tiled_rows.h"

namespace epsilens::engine {

/// Squared distances of some words to every position. The entry of the word itself is exactly 0,
/// and no entry is negative; distanceErrorBound bounds the error of the others. Rows of a cancelled
/// call are undefined.
[[nodiscard]] TiledRows squaredDistances(const SearchSpace& space, std::span<const Row> words,
                                         int threads, const JobContext& job);
/// The same into `result`, whose memory is reused if its shape fits.
void squaredDistances(const SearchSpace& space, std::span<const Row> words, int threads,
                      const JobContext& job, TiledRows& result);

/// Noise at epsilon = 1 with the projections that every search under it needs.
struct NoiseBatch {
    RowMatrixF noise{};       ///< draws x m
    VectorD norms{};          ///< of the draws
    TiledRows projections{};  ///< projection of every position on each draw
};

/// noise  draws x m
[[nodiscard]] NoiseBatch projectNoise(const SearchSpace& space, RowMatrixF noise, int threads,
                                      const JobContext& job);
/// The same into `batch`, whose memory is reused if its shape fits.
void projectNoise(const SearchSpace& space, RowMatrixF noise, int threads, const JobContext& job,
                  NoiseBatch& batch);

/// Finds the word nearest to a noisy point exactly: a float32 pass over all positions, then a
/// float64 decision among those that the rounding bound cannot separate. Ties go to the lowest row.
/// Holds scratch memory: one object per task.
class NearestSearch final : public LineSearch {
public:
    explicit NearestSearch(const SearchSpace& space);

    /// Selects the word: row `index` of squaredDistances.
    void setWord(Row word, const TiledRows& distances, std::int64_t index);
    /// Selects the draw: row `index` of the batch.
    void setDraw(const NoiseBatch& batch, std::int64_t index);
    /// Nearest position under the weights. `guess` may be any position; a good guess saves time.
    [[nodiscard]] std::int32_t nearest(const ScoreWeights& weights, std::int32_t guess);
    /// As above, starting from the word itself.
    [[nodiscard]] std::int32_t nearest(const ScoreWeights& weights) {
        return nearest(weights, m_wordPosition);
    }

    [[nodiscard]] std::int32_t wordPosition() const override { return m_wordPosition; }
    [[nodiscard]] Row rowAt(std::int32_t position) const override {
        return m_space.rowAt(position);
    }
    [[nodiscard]] std::int32_t nearestAtRate(double rate, std::int32_t guess) override {
        return nearest(ScoreWeights::atEpsilon(rate), guess);
    }
    [[nodiscard]] ScoreLine lineOf(std::int32_t position) const override;

    /// Number of float64 decisions so far.
    [[nodiscard]] std::int64_t rechecked() const { return m_rechecked; }
    /// Number of visited tiles so far.
    [[nodiscard]] std::int64_t visitedTiles() const { return m_candidates.visitedTiles; }

private:
    [[nodiscard]] std::int32_t decideInFloat64(const ScoreWeights& weights);

    const SearchSpace& m_space;
    ScoreRows<float> m_rows{};
    const float* m_wordVector = nullptr;
    const float* m_noise = nullptr;
    std::int32_t m_wordPosition = 0;
    double m_distanceError = 0.0;    ///< of the word's scores, per unit of alpha
    double m_projectionError = 0.0;  ///< of the draw's scores, per unit of tau
    Candidates<float> m_candidates{};
    std::int64_t m_rechecked = 0;
};

}  // namespace epsilens::engine
