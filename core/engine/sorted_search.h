#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/engine/path_search.h"
#include "core/engine/score_columns.h"

namespace epsilens::engine {

/// Finds the word nearest to a noisy point exactly, for several epsilons in one walk along the
/// sorted lists of the word and of the draw: float32 scores, then a float64 decision among those
/// that the rounding bound cannot separate. Ties go to the lowest row. Holds scratch memory: one
/// object per task.
class SortedSearch final : public LineSearch {
public:
    explicit SortedSearch(const SearchSpace& space);

    /// Selects the word: column `index` of its batch.
    void setWord(Row word, const ScoreColumns& words, std::int64_t index);
    /// Selects the draw: column `index` of its batch.
    ///
    /// noise  at epsilon = 1, m entries;  norm  of the noise
    void setDraw(const float* noise, double norm, const ScoreColumns& draws, std::int64_t index);

    /// Nearest position under each of the weights.
    void nearest(std::span<const ScoreWeights> weights, std::span<std::int32_t> positions);

    void nearestAtRates(std::span<const double> rates, std::span<std::int32_t> positions) override;
    [[nodiscard]] std::size_t ratesAtOnce() const override { return kWalkWidth; }
    [[nodiscard]] ScoreLine lineOf(std::int32_t position) const override;
    /// The same from the float32 tables, rounded as they are.
    [[nodiscard]] ScoreLine roughLineOf(std::int32_t position) const;

    /// Entries of either list looked at so far, and walks that had to look at all positions.
    [[nodiscard]] std::int64_t walked() const { return m_findings.walked; }
    [[nodiscard]] std::int64_t scans() const { return m_findings.scans; }

private:
    void boundByWord();
    [[nodiscard]] std::int32_t decideInFloat64(const ScoreWeights& weights, std::size_t lane);

    WalkTables m_tables{};
    WalkFindings m_findings{};
    const float* m_wordVector = nullptr;
    const float* m_noise = nullptr;
    double m_wordNorm = 0.0;
    double m_noiseNorm = 0.0;
    std::vector<ScoreWeights> m_weights{};
    std::vector<std::int32_t> m_compared{};
};

}  // namespace epsilens::engine
