#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/calibration/calibrate.h"
#include "core/calibration/count_list.h"
#include "core/statistics/word_outputs.h"

namespace epsilens::calibration {

/// Per-word values of one cell, in the order in which words were finished.
struct CellValues {
    explicit CellValues(int draws) : nw(draws), sw(draws), near(draws) {}

    /// Bytes of one word.
    [[nodiscard]] static std::size_t bytesPerWord(int draws) {
        return 3 * CountList::widthFor(draws) + 2 * sizeof(float);
    }
    void reserve(std::size_t words);
    void add(const statistics::WordStatistics& word);

    CountList nw;  ///< counts out of R, as the next two
    CountList sw;
    CountList near;
    std::vector<float> minEntropy{};
    std::vector<float> shannonEntropy{};
};

/// Everything a cell gathers over the blocks of a run.
class CellResults {
public:
    explicit CellResults(int draws) : m_draws(draws), m_values(draws) {}

    /// Makes room for so many words.
    void reserve(std::size_t words) { m_values.reserve(words); }

    /// Adds words without what intervals need.
    void addWords(std::span<const statistics::WordStatistics> words);
    /// Adds a finished block: its words and, for R > 1, their sums per draw.
    void addBlock(const std::vector<statistics::WordStatistics>& words,
                  const statistics::DrawSums& sums);
    [[nodiscard]] Cell summarizeWithoutIntervals(double epsilon, double lambda) const;
    /// Of words that were added in blocks.
    ///
    /// sampledShare  f = n / V
    [[nodiscard]] Cell summarize(double epsilon, double lambda, double sampledShare) const;
    [[nodiscard]] const CellValues& values() const { return m_values; }

private:
    int m_draws;
    CellValues m_values;
    std::int64_t m_kept = 0;
    std::int64_t m_near = 0;
    std::int64_t m_singletons = 0;
    double m_distanceSum = 0.0;
    double m_cosineSum = 0.0;
    std::int64_t m_cosines = 0;
    double m_keptVariance = 0.0;  ///< sums over blocks; divided by n^2 they are V_mc
    double m_distinctVariance = 0.0;
    double m_hartleyVariance = 0.0;
    double m_minVariance = 0.0;
    double m_shannonVariance = 0.0;
};

}  // namespace epsilens::calibration
