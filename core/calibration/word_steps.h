#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/base/crew.h"
#include "core/base/error.h"
#include "core/base/job_context.h"
#include "core/calibration/options.h"
#include "core/calibration/output_distribution.h"
#include "core/calibration/word_comparison.h"
#include "core/calibration/word_outputs.h"
#include "core/engine/noise_series.h"
#include "core/engine/search_space.h"

namespace epsilens::calibration {

/// A word that some draw returns for another one.
struct StepOutput {
    Row row = 0;
    OutputClass outputClass = OutputClass::far;
    Reach reach{};
};

/// From t = 1/epsilon on, one draw returns another output. Both are indices into the outputs.
struct OutputChange {
    double t = 0.0;
    std::uint32_t from = 0;
    std::uint32_t to = 0;
};

/// What R draws return for one word, at every epsilon: at t -> 0 all of them return outputs[0], the
/// word itself or its lowest identical row; each change then moves one draw.
struct WordSteps {
    Row word = 0;
    std::vector<StepOutput> outputs{};    ///< distinct
    std::vector<OutputChange> changes{};  ///< rising t

    /// Whether a draw can return the word: no lower row has the same vector.
    [[nodiscard]] bool canBeKept() const {
        return outputs.front().outputClass == OutputClass::kept;
    }
    /// The epsilons from which on a draw returns the word, one per draw, rising: 0 where it always
    /// does, infinite where it never does.
    [[nodiscard]] std::vector<double> criticalEpsilons(int draws) const;
    [[nodiscard]] std::size_t bytes() const;
};

/// For other processes; see Archive.
template <typename Archive>
void transfer(Archive& archive, WordSteps& steps) {
    archive(steps.word, steps.outputs, steps.changes);
}

/// c log2 c for c = 0 .. R, shared by the tallies of a measurement.
class CountLogs {
public:
    explicit CountLogs(int draws);

    [[nodiscard]] int draws() const { return static_cast<int>(m_log.size()) - 1; }
    [[nodiscard]] double log(int count) const { return m_log[static_cast<std::size_t>(count)]; }
    [[nodiscard]] double countLog(int count) const {
        return static_cast<double>(count) * log(count);
    }

private:
    std::vector<double> m_log;  ///< log2 c; 0 for c = 0
};

/// The counts of the outputs of one word while epsilon falls.
class StepTally {
public:
    /// Starts at t -> 0. All must outlive the tally.
    StepTally(const WordSteps& steps, const CountLogs& logs);

    /// Applies the changes up to t, which must not be less than before.
    void advanceTo(double t);
    /// Applies the next change. There must be one.
    void advance();
    [[nodiscard]] bool isAtEnd() const { return m_next == m_steps->changes.size(); }

    [[nodiscard]] int kept() const { return m_steps->canBeKept() ? m_counts.front() : 0; }
    [[nodiscard]] int near() const { return m_near; }
    [[nodiscard]] int distinct() const { return m_distinct; }
    [[nodiscard]] double minEntropy() const;
    [[nodiscard]] double shannonEntropy() const;
    /// How often each of the outputs is returned, in their order.
    [[nodiscard]] std::span<const int> counts() const { return m_counts; }
    /// All statistics of the word here, as calibration::WordOutputs counts them.
    [[nodiscard]] WordStatistics statistics() const;
    [[nodiscard]] CountedOutputs countedOutputs() const;

private:
    [[nodiscard]] int draws() const { return m_logs->draws(); }
    void add(std::uint32_t output, int change);

    const WordSteps* m_steps;
    const CountLogs* m_logs;
    std::size_t m_next = 0;
    std::vector<int> m_counts;
    int m_near = 0;
    int m_distinct = 0;
    double m_countLogSum = 0.0;
};

/// The steps of all words of a run under the draws that calibrate() takes with the same options.
///
/// series  of one variant, with paths
/// words   rows in the order of the run (shuffledIndices)
/// crew    processes that share the blocks, and all of which have the steps; null: this one alone
/// Returns them in that order. Fails with cancelled, and with resourceLimit when they take more
/// than 4 GiB.
[[nodiscard]] Result<std::vector<WordSteps>> gatherSteps(const engine::NoiseSeries& series,
                                                         const Sampling& options,
                                                         std::span<const Row> words, Crew* crew,
                                                         const JobContext& job);

}  // namespace epsilens::calibration
