#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/base/job_context.h"
#include "core/engine/power_kernel.h"
#include "core/engine/word_blocks.h"
#include "core/mechanism/truncated_exponential.h"
#include "core/statistics/exact_statistics.h"
#include "core/statistics/row_sums.h"

namespace epsilens::statistics {

/// Exact statistics of all words of a Euclidean space. A distance is the same from either word:
/// blocks of words meet in pairs, and each product of two blocks serves the words of both.
///
/// No row of distances is ever whole. The first block that a word meets sets how far its near words
/// reach; they are listed, and all others are summed by powers, block after block. The few words
/// whose lists turn out too short or too long are measured by their rows. Derivation:
/// exact_statistics.md
class PairedStatistics {
public:
    /// Chosen by measurement; tests take others. They change results only within their error.
    struct Layout {
        std::int64_t wordsPerBlock = 1024;  ///< a multiple of 64
        std::int64_t nearWords = 360;       ///< that a list is meant to have
    };
    /// Statistics of the words of a block in the order of the run, words x mechanisms.
    using Finished = std::function<void(std::int64_t block, std::vector<ExactStatistics> results)>;

    /// Whether pairs are faster than rows and their sums need little memory.
    ///
    /// mechanisms  their number;  neighbours  K
    [[nodiscard]] static bool suits(const engine::MetricSpace& space, std::size_t mechanisms,
                                    int neighbours);

    /// space       Euclidean; must outlive this
    /// order       every word once, without order in space: the first block stands for all words
    /// draws       R >= 1
    /// neighbours  K >= 1
    PairedStatistics(const engine::MetricSpace& space, std::vector<engine::Row> order,
                     std::vector<mechanism::TruncatedExponential> mechanisms, int draws,
                     int neighbours, const Layout& layout);

    [[nodiscard]] std::int64_t blocks() const { return m_blocks.count(); }
    [[nodiscard]] std::int64_t wordsPerBlock() const { return m_blocks.wordsPerBlock(); }
    /// Number of words so far that were measured by their rows.
    [[nodiscard]] std::int64_t measuredByRows() const { return m_byRows; }

    /// Measures all blocks; they finish one after the other, faster and faster. A stopped run ends
    /// after those that it has finished. Progress counts pairs of blocks. Results are the same for
    /// any number of threads.
    ///
    /// finished  called by one thread at a time
    void measureAll(int threads, const JobContext& job, const Finished& finished);
    /// The same statistics of one block alone, bit by bit, on the calling thread: it meets every
    /// other block. Nothing when stopped. Several threads may measure different blocks.
    [[nodiscard]] std::optional<std::vector<ExactStatistics>> measure(std::int64_t block,
                                                                      const JobContext& job);

private:
    struct NearWord {
        std::int32_t position;  ///< in the order; lists are rising
        float cosine;
        double distance;
    };
    /// What the first block tells about the distances of a word.
    struct Limits {
        float reach = 0.0F;    ///< words up to here are listed
        float standIn = 0.0F;  ///< where listed words stand in the sums of far ones
        std::int64_t far = 0;  ///< words of the first block between the two
    };
    /// Of the words of one block, from all the blocks that they have met.
    struct Sums {
        std::vector<std::vector<NearWord>> near{};
        std::vector<engine::PowerSums> far{};  ///< words x mechanisms
    };
    /// The same from one block alone.
    struct PairSums {
        std::vector<NearWord> near{};
        std::vector<std::size_t> nearCounts{};  ///< of each word, one after the other
        std::vector<engine::PowerSums> far{};
    };
    struct Scratch;

    [[nodiscard]] Sums noSums(std::int64_t block) const;
    [[nodiscard]] PairSums ofRows(std::int64_t block, std::int64_t other, Scratch& scratch);
    void addColumns(std::int64_t block, std::int64_t other, Scratch& scratch, Sums& sums);
    void add(std::int64_t position, std::int64_t other, float* products, Scratch& scratch,
             std::vector<NearWord>& near, std::span<engine::PowerSums> far);
    [[nodiscard]] float reachOf(engine::Row word, const float* distances, std::int64_t count,
                                Scratch& scratch) const;
    static void addPair(const PairSums& pair, Sums& sums);
    [[nodiscard]] std::optional<std::vector<ExactStatistics>> finish(std::int64_t block, Sums& sums,
                                                                     int threads,
                                                                     const JobContext& job) const;
    [[nodiscard]] std::optional<float> formAgainUpTo(std::int64_t position,
                                                     std::span<const NearWord> near) const;
    [[nodiscard]] std::int64_t standInsFor(std::span<const NearWord> near) const;
    void formAgain(std::int64_t block, std::int64_t other,
                   std::span<const std::optional<float>> upTo, Sums& sums) const;
    [[nodiscard]] bool finishWord(std::int64_t position, float formedAgainTo,
                                  std::span<const NearWord> near,
                                  std::span<const engine::PowerSums> far, NearWords& nearWords,
                                  ExactStatisticsOfWords& statistics,
                                  std::span<ExactStatistics> results) const;
    [[nodiscard]] bool measureRows(std::int64_t block, std::span<const std::int64_t> indices,
                                   int threads, const JobContext& job,
                                   std::vector<ExactStatistics>& results) const;

    engine::WordBlocks m_blocks;
    std::vector<mechanism::TruncatedExponential> m_mechanisms;
    std::vector<PowerLaw> m_laws;  ///< of the mechanisms
    int m_draws;
    int m_neighbours;
    Layout m_layout;
    std::vector<Limits> m_limits;  ///< one per word, in the order
    mutable std::atomic<std::int64_t> m_byRows = 0;
};

}  // namespace epsilens::statistics
