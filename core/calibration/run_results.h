#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/calibration/calibrate.h"
#include "core/calibration/exact_statistics.h"
#include "core/calibration/word_steps.h"
#include "core/engine/noise_series.h"
#include "core/mechanism/truncated_exponential.h"

namespace epsilens::calibration {

/// Sums over outputs, or their expectations.
struct OutputSums {
    double outputs = 0.0;
    double kept = 0.0;
    double near = 0.0;
    double distances = 0.0;
    double cosines = 0.0;
    double withCosine = 0.0;
};

/// Everything a cell gathers over the blocks of a run.
class CellResults {
public:
    static constexpr double kBytesPerWord = (kDrawStatistics + 1.0) * sizeof(float);

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
    /// Of single words, in the order in which they were added; counts out of R.
    [[nodiscard]] std::span<const float> values(DrawStatistic of) const { return m_values[of]; }
    [[nodiscard]] std::span<const float> near() const { return m_near; }

private:
    int m_draws;
    std::array<std::vector<float>, kDrawStatistics> m_values{};
    std::vector<float> m_near{};
    OutputSums m_sums{};
    std::int64_t m_singletons = 0;
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

/// Counts the kRerunWords words of largest N_w of every cell again, with kRerunDraws draws that no
/// run uses. A stopped job leaves the cells without and marks the summary partial.
///
/// series   with the variants of the summary, one per lambda
/// options  of the run that made the summary
void rerunWorstWords(const engine::NoiseSeries& series, const CalibrationOptions& options,
                     CalibrationSummary& summary, const JobContext& job);

}  // namespace epsilens::calibration
