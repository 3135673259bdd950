#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/calibration/calibrate.h"
#include "core/calibration/exact_statistics.h"
#include "core/calibration/word_steps.h"
#include "core/mechanism/truncated_exponential.h"

namespace epsilens::calibration {

/// Everything a cell gathers over the blocks of a run.
class CellResults {
public:
    /// Of single words, in the order in which they were finished.
    struct Values {
        std::vector<float> nw{};  ///< counts out of R, as the next two
        std::vector<float> sw{};
        std::vector<float> near{};
        std::vector<float> minEntropy{};
        std::vector<float> shannonEntropy{};
    };
    static constexpr double kBytesPerWord = 5.0 * sizeof(float);

    explicit CellResults(int draws) : m_draws(draws) {}

    /// Makes room for so many words.
    void reserve(std::size_t words);

    /// Adds words without what intervals need.
    void addWords(std::span<const WordStatistics> words);
    /// Adds a finished block: its words and, for R > 1, their sums per draw.
    void addBlock(const std::vector<WordStatistics>& words, const DrawSums& sums);
    [[nodiscard]] Cell summarizeWithoutIntervals(double epsilon, double lambda) const;
    /// Of words that were added in blocks.
    ///
    /// sampledShare  f = n / V
    [[nodiscard]] Cell summarize(double epsilon, double lambda, double sampledShare) const;
    [[nodiscard]] const Values& values() const { return m_values; }

private:
    int m_draws;
    Values m_values{};
    std::int64_t m_kept = 0;
    std::int64_t m_near = 0;
    std::int64_t m_singletons = 0;
    double m_distanceSum = 0.0;
    double m_cosineSum = 0.0;
    std::int64_t m_cosines = 0;
    /// Sums over blocks; divided by n^2 they are V_mc.
    std::array<double, kDrawStatistics> m_variances{};
};

/// What a run was asked for and how much of it is done; without results.
///
/// finished  words;  vocabularySize  V
[[nodiscard]] CalibrationSummary summaryFor(const CalibrationOptions& options, std::size_t asked,
                                            std::int64_t finished, std::int64_t vocabularySize);

/// Adds the 95% interval of the mean: only the choice of words is random (V_mc = 0).
///
/// words  n, of which the summary is;  sampledShare  f = n / V
void addWordInterval(Summary& summary, double words, double sampledShare);

/// The cell of words whose output laws are known; without lambda, radius and error probability.
///
/// words         at least one
/// sampledShare  f = n / V
[[nodiscard]] Cell exactCell(std::span<const ExactStatistics> words,
                             const mechanism::TruncatedExponential& mechanism, double sampledShare);

}  // namespace epsilens::calibration
