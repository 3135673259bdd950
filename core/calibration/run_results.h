#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/calibration/calibrate.h"
#include "core/calibration/exact_statistics.h"
#include "core/calibration/word_outputs.h"
#include "core/mechanism/truncated_exponential.h"

namespace epsilens::calibration {

/// Counts from 0 to a largest one, in as many bytes each as that takes: 1, 2 or 4.
class CountList {
public:
    explicit CountList(int largest) : m_width(widthFor(largest)) {}

    [[nodiscard]] static std::size_t widthFor(int largest) {
        return largest <= 0xFF ? 1 : largest <= 0xFFFF ? 2 : 4;
    }

    void reserve(std::size_t counts) { m_bytes.reserve(counts * m_width); }
    /// count  in [0, largest]
    void add(int count) {
        const auto value = static_cast<std::uint32_t>(count);
        for (std::size_t byte = 0; byte < m_width; ++byte) {
            m_bytes.push_back(static_cast<std::uint8_t>(value >> (8 * byte)));
        }
    }
    [[nodiscard]] std::size_t size() const { return m_bytes.size() / m_width; }
    [[nodiscard]] int operator[](std::size_t index) const {
        std::uint32_t value = 0;
        for (std::size_t byte = m_width; byte-- > 0;) {
            value = value << 8U | m_bytes[index * m_width + byte];
        }
        return static_cast<int>(value);
    }

private:
    std::size_t m_width;
    std::vector<std::uint8_t> m_bytes{};  ///< lowest byte first
};

/// Per-word values of one cell, in the order in which words were finished.
struct CellValues {
    explicit CellValues(int draws) : nw(draws), sw(draws), near(draws) {}

    /// Bytes of one word.
    [[nodiscard]] static std::size_t bytesPerWord(int draws) {
        return 3 * CountList::widthFor(draws) + 2 * sizeof(float);
    }
    void reserve(std::size_t words);
    void add(const WordStatistics& word);

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
    void addWords(std::span<const WordStatistics> words);
    /// Adds a finished block: its words and, for R > 1, their sums per draw.
    void addBlock(const std::vector<WordStatistics>& words, const DrawSums& sums);
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
