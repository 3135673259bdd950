#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/engine/neighbours.h"
#include "core/engine/noise_series.h"

namespace epsilens::calibration {

/// Statistics of the R outputs of one word at one setting. Plug-in entropies, in bits.
struct WordStatistics {
    int kept = 0;             ///< N_w
    int distinct = 0;         ///< S_w
    int near = 0;             ///< outputs among the K nearest neighbours
    int singletons = 0;       ///< words returned exactly once
    double minEntropy = 0.0;  ///< -log2 of the largest share
    double shannonEntropy = 0.0;
    double distanceSum = 0.0;  ///< sum over draws of d(w, M(w))
    double cosineSum = 0.0;    ///< sum over draws where the cosine exists
    int cosines = 0;
};

/// How far an output lies from its word.
struct Reach {
    double distance = 0.0;
    double cosine = 0.0;     ///< 0 without
    bool hasCosine = false;  ///< not beside a zero vector
};

/// Between two positions of the search space of a series.
[[nodiscard]] Reach reachBetween(const engine::NoiseSeries& series, std::int32_t own,
                                 std::int32_t position);

/// What intervals (mean_interval.h) need of each draw: whether it returned the word itself, and the
/// other statistics without it.
enum DrawStatistic : std::size_t { kKept, kDistinct, kHartley, kMinEntropy, kShannonEntropy };
inline constexpr std::size_t kDrawStatistics = 5;

/// Sums over words for each of R draws.
struct DrawSums {
    static constexpr std::size_t kBytesPerDraw = kDrawStatistics * sizeof(double);
    explicit DrawSums(std::size_t draws = 0) { of.fill(std::vector<double>(draws)); }
    DrawSums& operator+=(const DrawSums& other);

    std::array<std::vector<double>, kDrawStatistics> of{};
};

/// For processes that share a run; see Archive.
template <typename Archive>
void transfer(Archive& archive, DrawSums& sums) {
    for (std::vector<double>& values : sums.of) {
        archive(values);
    }
}

/// Counts the outputs of one word after another. Holds a few bytes of scratch memory per word of
/// the vocabulary: one object per task.
class WordOutputs {
public:
    /// The series must outlive the object.
    WordOutputs(const engine::NoiseSeries& series, int draws);

    /// Selects the word for the next calls.
    void setWord(engine::Row word, const engine::Neighbourhood& neighbours);
    /// Counts the outputs of a word.
    ///
    /// positions  R outputs of the word as positions of the search space
    /// sums       the contribution of this word is added; nothing if R = 1
    [[nodiscard]] WordStatistics count(std::span<const std::int32_t> positions, DrawSums& sums);
    /// Adds to other sums what the last call of count added.
    void addAgain(DrawSums& sums) const;

private:
    /// What a draw adds to the sums; the same for all draws whose outputs occur equally often.
    using Contribution = std::array<double, kDrawStatistics>;

    [[nodiscard]] const Reach& reachOf(std::int32_t position);
    void tally(std::span<const std::int32_t> positions);
    [[nodiscard]] WordStatistics statisticsOfTally(std::size_t draws);
    void addReaches(WordStatistics& statistics);
    void clearTally();
    void findContributions(std::span<const std::int32_t> positions,
                           const WordStatistics& statistics);
    [[nodiscard]] Contribution contributionOf(int count, int distinct, std::size_t draws) const;

    const engine::NoiseSeries& m_series;
    const engine::SearchSpace& m_space;
    std::int32_t m_ownPosition = 0;
    bool m_canBeKept = true;
    std::vector<std::int32_t> m_counts;    ///< per position, zero between words
    std::vector<std::int32_t> m_distinct;  ///< positions with a count
    std::vector<std::uint8_t> m_isNear;    ///< per position
    std::vector<std::int32_t> m_nearPositions;
    std::vector<std::int32_t> m_reachIndex;  ///< per position, -1 where not computed yet
    std::vector<std::int32_t> m_reached;
    std::vector<Reach> m_reaches;
    std::vector<double> m_countLog;             ///< c log2 c
    std::vector<double> m_log;                  ///< log2 c
    std::vector<Contribution> m_contributions;  ///< by count; of kept draws R + 1 entries behind
    std::vector<std::uint32_t> m_contributionOf{};  ///< index per draw; none if R = 1
    int m_largest = 0;
    int m_largestOften = 0;
    double m_countLogSum = 0.0;
};

}  // namespace epsilens::calibration
