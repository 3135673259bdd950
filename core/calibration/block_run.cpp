#include "core/calibration/block_run.h"

#include <algorithm>
#include <atomic>
#include <memory>
#include <numeric>
#include <utility>

#include "core/base/parallel.h"
#include "core/base/random_stream.h"
#include "core/engine/draw_tiles.h"

namespace epsilens::calibration {
namespace {

// Distances of a group of words and projections of a chunk of draws each take at most this much.
constexpr std::int64_t kBlockScratchBytes = std::int64_t{224} << 20;
// The outputs of a group of words, all draws, epsilons and variants.
constexpr std::int64_t kOutputBytes = std::int64_t{96} << 20;
// Outputs that a draw runs through while epsilon falls: three or four on real embeddings.
constexpr std::int64_t kOutputsPerDraw = 6;
// The sums over words of the tasks that run at a time, unless each thread needs more.
constexpr std::size_t kSumBytes = std::size_t{64} << 20;
// Words of a task of the search: a column group, which shares cache lines.
constexpr std::int64_t kWordsAtOnce = engine::kColumnGroup;
// Words per task of the statistics: fixed, so that sums are added in an order without threads.
constexpr std::int64_t kWordsPerTask = 16;

/// From an epsilon down, numbered from the largest one, a draw returns another output.
struct OutputChange {
    std::uint32_t epsilon = 0;
    std::uint32_t draw = 0;
    std::int32_t position = 0;
};
/// Of every word under every variant (words x variants); the first of each draw is at 0.
using OutputChanges = std::vector<std::vector<OutputChange>>;

/// The outputs of one word from the largest epsilon down.
class FallingOutputs {
public:
    FallingOutputs(std::size_t epsilons, std::size_t draws)
        : m_begins(epsilons + 1), m_positions(draws) {}

    /// Stands before the largest epsilon.
    void set(const std::vector<OutputChange>& changes) {
        std::fill(m_begins.begin(), m_begins.end(), 0);
        for (const OutputChange& change : changes) {
            ++m_begins[change.epsilon + 1];
        }
        std::partial_sum(m_begins.begin(), m_begins.end(), m_begins.begin());
        m_places.assign(m_begins.begin(), m_begins.end());
        m_ordered.resize(changes.size());
        for (const OutputChange& change : changes) {
            m_ordered[m_places[change.epsilon]++] = change;
        }
    }

    /// Goes on to an epsilon; returns whether any output changes there.
    [[nodiscard]] bool advanceTo(std::size_t epsilon) {
        for (std::size_t i = m_begins[epsilon]; i < m_begins[epsilon + 1]; ++i) {
            m_positions[m_ordered[i].draw] = m_ordered[i].position;
        }
        return m_begins[epsilon] < m_begins[epsilon + 1];
    }
    [[nodiscard]] std::span<const std::int32_t> positions() const { return m_positions; }

private:
    std::vector<std::size_t> m_begins;  ///< of the changes of an epsilon among the ordered ones
    std::vector<std::size_t> m_places{};
    std::vector<OutputChange> m_ordered{};
    std::vector<std::int32_t> m_positions;  ///< per draw
};

/// Indices of epsilons, from the largest down.
std::vector<std::size_t> byFallingEpsilon(const std::vector<double>& epsilons) {
    std::vector<std::size_t> order(epsilons.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(),
              [&](std::size_t a, std::size_t b) { return epsilons[a] > epsilons[b]; });
    return order;
}

std::int64_t wordsAtOnce(const engine::NoiseSeries& series, const CalibrationOptions& options,
                         std::int64_t scratchBytes, std::int64_t words) {
    const std::int64_t changes =
        std::min(static_cast<std::int64_t>(options.grid.epsilons.size()), kOutputsPerDraw);
    const std::int64_t outputBytes = series.variants() * options.draws * changes *
                                     static_cast<std::int64_t>(sizeof(OutputChange));
    return std::clamp<std::int64_t>(
        std::min(scratchBytes / series.rowBytes(), kOutputBytes / outputBytes), 1, words);
}

/// Per variant and epsilon.
using CellSums = std::vector<DrawSums>;

class BlockRun {
public:
    BlockRun(const BlockPlan& plan, std::uint32_t block, std::span<const Row> words,
             const JobContext& job, const std::function<void(double)>& advanced)
        : m_plan(plan),
          m_source{plan.options.seed, StreamPurpose::unitDraws, block},
          m_words(words),
          m_job(job),
          m_advanced(advanced),
          m_batch(plan.batch),
          m_falling(byFallingEpsilon(plan.options.grid.epsilons)) {}

    std::vector<BlockResults> run() {
        std::vector<BlockResults> results(static_cast<std::size_t>(variants()));
        for (BlockResults& result : results) {
            prepare(result);
        }
        const std::int64_t groupSize =
            wordsAtOnce(m_plan.series, m_plan.options, scratchBytes(), words());
        for (std::int64_t first = 0; first < words() && !stopped(); first += groupSize) {
            runGroup(first, std::min(groupSize, words() - first), results);
        }
        return results;
    }

private:
    [[nodiscard]] std::int64_t words() const { return static_cast<std::int64_t>(m_words.size()); }
    [[nodiscard]] std::int64_t draws() const { return m_plan.options.draws; }
    [[nodiscard]] std::int64_t epsilons() const {
        return static_cast<std::int64_t>(m_plan.options.grid.epsilons.size());
    }
    [[nodiscard]] std::int64_t variants() const { return m_plan.series.variants(); }
    [[nodiscard]] bool stopped() const { return m_job.stopRequested(); }

    [[nodiscard]] std::int64_t scratchBytes() const {
        return kBlockScratchBytes / m_plan.blocksAtOnce;
    }
    [[nodiscard]] std::int64_t drawsPerChunk() const {
        return std::clamp<std::int64_t>(scratchBytes() / (m_plan.series.rowBytes() * variants()), 1,
                                        draws());
    }

    void prepare(BlockResults& result) const {
        const auto cells = static_cast<std::size_t>(epsilons());
        result.statistics.resize(cells);
        for (auto& perWord : result.statistics) {
            perWord.resize(m_words.size());
        }
        result.sums.assign(cells, DrawSums(static_cast<std::size_t>(draws())));
        if (m_plan.options.independentDraws) {
            result.outputs.assign(cells, std::vector<CountedOutputs>(m_words.size()));
        }
        if (m_plan.options.criticalEpsilons) {
            result.critical.resize(m_words.size() * static_cast<std::size_t>(draws()));
        }
    }

    void runGroup(std::int64_t first, std::int64_t count, std::vector<BlockResults>& results) {
        const auto group =
            m_words.subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(count));
        m_batch.setWords(group);
        if (stopped()) {
            return;
        }
        OutputChanges outputs(static_cast<std::size_t>(count * variants()));
        const std::int64_t chunk = drawsPerChunk();
        for (std::int64_t draw = 0; draw < draws() && !stopped(); draw += chunk) {
            const std::int64_t end = std::min(draw + chunk, draws());
            search(first, count, draw, end, outputs, results);
            m_advanced((static_cast<double>(first) + static_cast<double>(count) *
                                                         static_cast<double>(end) /
                                                         static_cast<double>(draws())) /
                       static_cast<double>(words()));
        }
        countOutputs(group, first, outputs, results);
    }

    void search(std::int64_t first, std::int64_t count, std::int64_t firstDraw,
                std::int64_t endDraw, OutputChanges& outputs, std::vector<BlockResults>& results) {
        m_batch.setDraws(m_source, firstDraw, endDraw - firstDraw);
        const std::int64_t tasks = (count + kWordsAtOnce - 1) / kWordsAtOnce;
        std::atomic<std::int64_t> rechecked{0};
        parallelFor(tasks, m_plan.options.threads, [&](std::int64_t task) {
            const std::int64_t begin = task * kWordsAtOnce;
            const std::int64_t end = std::min(begin + kWordsAtOnce, count);
            const std::unique_ptr<engine::DrawSearch> nearest = m_batch.search();
            std::vector<engine::OutputRun> runs;
            engine::forEachWordAndDraw(
                *nearest, {begin, end, variants(), endDraw - firstDraw}, [&] { return stopped(); },
                [&](std::int64_t word, std::int64_t variant, std::int64_t draw) {
                    nearest->runsAtAll(runs);
                    for (const engine::OutputRun& run : runs) {
                        outputs[static_cast<std::size_t>(word * variants() + variant)].push_back(
                            {run.first, static_cast<std::uint32_t>(firstDraw + draw),
                             run.position});
                    }
                    std::vector<double>& critical =
                        results[static_cast<std::size_t>(variant)].critical;
                    if (!critical.empty()) {
                        critical[static_cast<std::size_t>((first + word) * draws() + firstDraw +
                                                          draw)] = nearest->criticalEpsilon();
                    }
                });
            rechecked += nearest->rechecked();
        });
        results.front().rechecked += rechecked;
    }

    // Tasks go in waves, so that the sums of few of them are held at a time.
    void countOutputs(std::span<const Row> group, std::int64_t first, const OutputChanges& outputs,
                      std::vector<BlockResults>& results) const {
        const auto count = static_cast<std::int64_t>(group.size());
        const std::int64_t tasks = (count + kWordsPerTask - 1) / kWordsPerTask;
        const std::int64_t wave = tasksAtOnce(results.size(), tasks);
        std::vector<CellSums> sums(static_cast<std::size_t>(wave));
        for (std::int64_t firstTask = 0; firstTask < tasks; firstTask += wave) {
            const std::int64_t together = std::min(wave, tasks - firstTask);
            parallelFor(together, m_plan.options.threads, [&](std::int64_t i) {
                const std::int64_t begin = (firstTask + i) * kWordsPerTask;
                const std::int64_t end = std::min(count, begin + kWordsPerTask);
                sums[static_cast<std::size_t>(i)] =
                    countWords(group, {begin, end}, first, outputs, results);
            });
            for (std::int64_t i = 0; i < together; ++i) {
                add(sums[static_cast<std::size_t>(i)], results);
            }
        }
    }

    [[nodiscard]] std::int64_t tasksAtOnce(std::size_t variants, std::int64_t tasks) const {
        const std::size_t bytesPerTask = variants * m_falling.size() *
                                         static_cast<std::size_t>(m_plan.options.draws) *
                                         DrawSums::kBytesPerDraw;
        const int threads =
            m_plan.options.threads > 0 ? m_plan.options.threads : defaultThreadCount();
        return std::clamp<std::int64_t>(static_cast<std::int64_t>(kSumBytes / bytesPerTask),
                                        std::min<std::int64_t>(threads, tasks), tasks);
    }

    // Words [words.first, words.second) of the group.
    [[nodiscard]] CellSums countWords(std::span<const Row> group,
                                      std::pair<std::int64_t, std::int64_t> words,
                                      std::int64_t first, const OutputChanges& outputs,
                                      std::vector<BlockResults>& results) const {
        CellSums sums(results.size() * m_falling.size(),
                      DrawSums(static_cast<std::size_t>(draws())));
        WordOutputs counter(m_plan.series, m_plan.options.draws);
        FallingOutputs falling(m_falling.size(), static_cast<std::size_t>(draws()));
        for (std::int64_t i = words.first; i < words.second && !stopped(); ++i) {
            counter.setWord(group[static_cast<std::size_t>(i)],
                            m_batch.neighbours(i, m_plan.options.nearNeighbours));
            for (std::size_t variant = 0; variant < results.size(); ++variant) {
                falling.set(outputs[static_cast<std::size_t>(i) * results.size() + variant]);
                countWord(falling, counter,
                          std::span(sums).subspan(variant * m_falling.size(), m_falling.size()),
                          static_cast<std::size_t>(first + i), results[variant]);
            }
        }
        return sums;
    }

    void countWord(FallingOutputs& outputs, WordOutputs& counter, std::span<DrawSums> sums,
                   std::size_t word, BlockResults& result) const {
        WordStatistics statistics;
        for (std::size_t number = 0; number < m_falling.size(); ++number) {
            const std::size_t epsilon = m_falling[number];
            if (outputs.advanceTo(number)) {
                statistics = counter.count(outputs.positions(), sums[epsilon]);
            } else {
                counter.addAgain(sums[epsilon]);
            }
            result.statistics[epsilon][word] = statistics;
            if (!result.outputs.empty()) {
                result.outputs[epsilon][word] = calibration::countOutputs(outputs.positions());
            }
        }
    }

    void add(const CellSums& sums, std::vector<BlockResults>& results) const {
        for (std::size_t cell = 0; cell < sums.size(); ++cell) {
            results[cell / m_falling.size()].sums[cell % m_falling.size()] += sums[cell];
        }
    }

    const BlockPlan& m_plan;
    engine::DrawSource m_source;
    std::span<const Row> m_words;
    const JobContext& m_job;
    const std::function<void(double)>& m_advanced;
    engine::SearchBatch& m_batch;
    std::vector<std::size_t> m_falling;  ///< indices of the epsilons, from the largest down
};

}  // namespace

std::int64_t blockSize(std::int64_t words, const CalibrationOptions& options) {
    if (options.independentDraws) {
        return 1;
    }
    return std::min(words, options.blockSize > 0
                               ? options.blockSize
                               : std::clamp<std::int64_t>((words + 19) / 20, 64, 1024));
}

std::vector<std::size_t> shuffledIndices(std::size_t count, std::uint64_t seed) {
    std::vector<std::size_t> indices(count);
    std::iota(indices.begin(), indices.end(), std::size_t{0});
    SeededStream stream(StreamKey{seed, StreamPurpose::blockPermutation, 0, 0});
    for (std::size_t last = count; last > 1; --last) {
        std::swap(indices[last - 1], indices[stream.below(last)]);
    }
    return indices;
}

std::vector<BlockResults> runBlock(const BlockPlan& plan, std::uint32_t block,
                                   std::span<const Row> words, const JobContext& job,
                                   const std::function<void(double)>& advanced) {
    return BlockRun(plan, block, words, job, advanced).run();
}

}  // namespace epsilens::calibration
