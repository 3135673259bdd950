#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/crew.h"
#include "core/base/error.h"
#include "core/base/job_context.h"
#include "core/calibration/options.h"
#include "core/calibration/output_distribution.h"
#include "core/calibration/word_comparison.h"
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

/// What intervals (summary.h) need of each draw: whether it returned the word itself, and the
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

/// A word that some draw returns for another one.
struct StepOutput {
    Row row = 0;
    OutputClass outputClass = OutputClass::far;
    bool hasCosine = false;  ///< not beside a zero vector
    double distance = 0.0;   ///< from the word, as NoiseSeries::distances
    double cosine = 0.0;     ///< 0 without
};

/// From t = 1/epsilon on, a draw returns another output.
struct OutputChange {
    double t = 0.0;
    std::uint32_t draw = 0;
    std::int32_t to = 0;  ///< index into the outputs of the word
};

/// What R draws return for one word under each variant of a series: before any change all of them
/// return outputs[0], the word itself or its lowest identical row.
struct WordSteps {
    Row word = 0;
    std::vector<StepOutput> outputs{};                 ///< distinct
    std::vector<std::vector<OutputChange>> changes{};  ///< of each variant, rising t

    /// Whether a draw can return the word: no lower row has the same vector.
    [[nodiscard]] bool canBeKept() const {
        return outputs.front().outputClass == OutputClass::kept;
    }
    /// The epsilons from which on a draw returns the word, one per draw, rising: 0 where it always
    /// does, infinite where it never does. Of steps that follow paths.
    [[nodiscard]] std::vector<double> criticalEpsilons(int draws, std::size_t variant = 0) const;
    [[nodiscard]] std::size_t bytes() const;
};

/// For other processes; see Archive.
template <typename Archive>
void transfer(Archive& archive, WordSteps& steps) {
    archive(steps.word, steps.outputs, steps.changes);
}

/// Changes of a word under one variant, whose outputs are positions of the search space.
using PositionChanges = std::vector<OutputChange>;

/// Makes the steps of words. Holds a few bytes of scratch memory per word of the vocabulary: one
/// object per task.
class StepMaker {
public:
    /// The series must outlive the object.
    explicit StepMaker(const engine::NoiseSeries& series);
    /// changes  of each variant
    [[nodiscard]] WordSteps make(Row word, const engine::Neighbourhood& neighbours,
                                 std::span<PositionChanges> changes);

private:
    const engine::NoiseSeries& m_series;
    std::vector<std::int32_t> m_places;  ///< per position, -1 between words
};

/// Logarithms of the counts 0 .. R, shared by the tallies of a measurement.
class CountLogs {
public:
    /// Sums of c log2 c are whole numbers of these, so that the order of changes leaves no trace.
    static constexpr double kUnit = 0x1p-36;

    explicit CountLogs(int draws);

    [[nodiscard]] int draws() const { return static_cast<int>(m_log.size()) - 1; }
    /// log2 c; 0 for c = 0
    [[nodiscard]] double log(int count) const { return m_log[static_cast<std::size_t>(count)]; }
    /// c log2 c in units
    [[nodiscard]] std::int64_t countLog(int count) const {
        return m_countLog[static_cast<std::size_t>(count)];
    }

private:
    std::vector<double> m_log;
    std::vector<std::int64_t> m_countLog;
};

/// The counts of the outputs of one word under one variant while epsilon falls.
class StepTally {
public:
    /// Starts before all changes. All must outlive the tally.
    StepTally(const WordSteps& steps, const CountLogs& logs, std::size_t variant = 0);

    /// Applies the changes up to t, which must not be less than before.
    void advanceTo(double t);
    /// Applies the next change, from one output of a draw to another. There must be one.
    std::pair<const StepOutput&, const StepOutput&> advance();
    [[nodiscard]] bool isAtEnd() const { return m_next == m_changes.size(); }

    [[nodiscard]] int kept() const { return m_steps->canBeKept() ? m_counts.front() : 0; }
    [[nodiscard]] int near() const { return m_near; }
    [[nodiscard]] int distinct() const { return m_distinct; }
    [[nodiscard]] double minEntropy() const;
    [[nodiscard]] double shannonEntropy() const;
    /// How often each of the outputs is returned, in their order.
    [[nodiscard]] std::span<const int> counts() const { return m_counts; }
    [[nodiscard]] WordStatistics statistics() const;
    [[nodiscard]] CountedOutputs countedOutputs() const;
    /// Adds what the draws contribute; nothing if R = 1.
    void addTo(DrawSums& sums);

private:
    /// What a draw adds to the sums; the same for all draws whose outputs occur equally often.
    using Contribution = std::array<double, kDrawStatistics>;

    [[nodiscard]] int draws() const { return m_logs->draws(); }
    void add(std::int32_t output, int change);
    [[nodiscard]] Contribution contributionOf(int count) const;

    const WordSteps* m_steps;
    const CountLogs* m_logs;
    std::span<const OutputChange> m_changes;
    std::size_t m_next = 0;
    std::vector<int> m_counts;                    ///< per output
    std::vector<std::int32_t> m_outputOf{};       ///< per draw
    std::vector<int> m_often;                     ///< per count, the outputs returned so often
    std::vector<Contribution> m_contributions{};  ///< per count that occurs
    int m_largest = 0;                            ///< count
    int m_near = 0;
    int m_distinct = 0;
    int m_cosines = 0;
    std::int64_t m_countLogSum = 0;  ///< over outputs
};

/// Words [begin, end) of a run, which share their draws.
struct WordBlock {
    std::int64_t number = 0;
    std::size_t begin = 0;
    std::size_t end = 0;
};

/// How the steps of all words of a run are found.
struct BlockSweep {
    const engine::NoiseSeries& series;
    const Sampling& options;
    std::span<const Row> words;  ///< in the order of the run (inRunOrder)
    /// Where changes are looked for; nothing: at every epsilon.
    std::span<const double> epsilons;
    std::string_view stage;     ///< of the progress
    std::int64_t scratchBytes;  ///< as engine::DrawSweep, as the next one
    std::int64_t wordsAtOnce;
    /// Takes the steps of words [first, first + steps.size()), group by group of a block; blocks of
    /// one word come several at a time. May use so many threads.
    std::function<void(const WordBlock& block, std::size_t first, std::span<WordSteps> steps,
                       int threads)>
        use;
    /// Called when all blocks that were begun are done; its error ends the run.
    std::function<Result<void>()> finished;
    /// Packs or reads what was made of a block.
    std::function<void(Archive& archive, const WordBlock& block)> transfer;
};

/// Works through the blocks of a run: large ones one after the other, as each keeps all threads
/// busy, those of one word several at a time, on one thread each. Processes cut the words alike,
/// whatever their threads.
///
/// crew  processes that share the blocks; null: this one alone
/// Fails as inRanges.
[[nodiscard]] Result<void> sweepBlocks(const BlockSweep& sweep, Crew* crew, const JobContext& job);

/// The words of a run in the order in which it does them: a part of it is a random sample.
[[nodiscard]] std::vector<Row> inRunOrder(std::span<const Row> words, std::uint64_t seed);

/// The steps of all words of a run under the draws that calibrate() takes with the same options,
/// at every epsilon.
///
/// series  of one variant
/// words   rows in the order of the run
/// crew    processes that share the blocks, and all of which have the steps; null: this one alone
/// Returns them in that order. Fails with cancelled, and with resourceLimit when they and what a
/// search adds to them take more than 4 GiB.
[[nodiscard]] Result<std::vector<WordSteps>> gatherSteps(const engine::NoiseSeries& series,
                                                         const Sampling& options,
                                                         std::span<const Row> words, Crew* crew,
                                                         const JobContext& job);

}  // namespace epsilens::calibration
