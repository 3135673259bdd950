#include "core/calibration/block_run.h"

#include <algorithm>
#include <atomic>
#include <memory>

#include "core/base/parallel.h"
#include "core/engine/draw_tiles.h"

namespace epsilens::calibration {
namespace {

// Distances of a group of words and projections of a chunk of draws each take at most this much.
constexpr std::int64_t kBlockScratchBytes = std::int64_t{224} << 20;
// The outputs of a group of words, all draws, epsilons and variants.
constexpr std::int64_t kOutputBytes = std::int64_t{96} << 20;
// Words of a task of the search: a column group, which shares cache lines.
constexpr std::int64_t kWordsAtOnce = engine::kColumnGroup;
// Words per task of the statistics: fixed, so that sums are added in an order without threads.
constexpr std::int64_t kWordsPerTask = 16;

std::int64_t wordsAtOnce(const engine::NoiseSeries& series, const CalibrationOptions& options,
                         std::int64_t scratchBytes, std::int64_t words) {
    const std::int64_t outputBytes =
        series.variants() * static_cast<std::int64_t>(options.grid.epsilons.size()) *
        options.draws * static_cast<std::int64_t>(sizeof(std::int32_t));
    return std::clamp<std::int64_t>(
        std::min(scratchBytes / series.rowBytes(), kOutputBytes / outputBytes), 1, words);
}

// Outputs as positions: words x variants x epsilons x R.
using Positions = std::vector<std::int32_t>;

class BlockRun {
public:
    BlockRun(const BlockPlan& plan, std::uint32_t block, std::span<const Row> words,
             const JobContext& job, const std::function<void(double)>& advanced)
        : m_plan(plan),
          m_source{plan.options.seed, StreamPurpose::unitDraws, block},
          m_words(words),
          m_job(job),
          m_advanced(advanced),
          m_batch(plan.batch) {}

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

    // Place of an output; see Positions.
    [[nodiscard]] std::size_t place(std::int64_t word, std::int64_t variant, std::int64_t epsilon,
                                    std::int64_t draw) const {
        return static_cast<std::size_t>(
            ((word * variants() + variant) * epsilons() + epsilon) * draws() + draw);
    }

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
        result.sums.assign(cells, statistics::DrawSums(static_cast<std::size_t>(draws())));
        if (m_plan.options.independentDraws) {
            result.outputs.assign(cells, std::vector<statistics::CountedOutputs>(m_words.size()));
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
        Positions outputs(place(count, 0, 0, 0));
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
                std::int64_t endDraw, Positions& outputs, std::vector<BlockResults>& results) {
        m_batch.setDraws(m_source, firstDraw, endDraw - firstDraw);
        const std::int64_t tasks = (count + kWordsAtOnce - 1) / kWordsAtOnce;
        std::atomic<std::int64_t> rechecked{0};
        parallelFor(tasks, m_plan.options.threads, [&](std::int64_t task) {
            const std::int64_t begin = task * kWordsAtOnce;
            const std::int64_t end = std::min(begin + kWordsAtOnce, count);
            const std::unique_ptr<engine::DrawSearch> nearest = m_batch.search();
            std::vector<std::int32_t> positions(static_cast<std::size_t>(epsilons()));
            engine::forEachWordAndDraw(
                *nearest, {begin, end, variants(), endDraw - firstDraw}, [&] { return stopped(); },
                [&](std::int64_t word, std::int64_t variant, std::int64_t draw) {
                    nearest->nearestAtAll(positions);
                    for (std::int64_t epsilon = 0; epsilon < epsilons(); ++epsilon) {
                        outputs[place(word, variant, epsilon, firstDraw + draw)] =
                            positions[static_cast<std::size_t>(epsilon)];
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

    void countOutputs(std::span<const Row> group, std::int64_t first, const Positions& outputs,
                      std::vector<BlockResults>& results) const {
        const auto count = static_cast<std::int64_t>(group.size());
        const std::int64_t tasks = (count + kWordsPerTask - 1) / kWordsPerTask;
        const auto perVariant = static_cast<std::size_t>(epsilons());
        const std::size_t cells = results.size() * perVariant;
        std::vector<std::vector<statistics::DrawSums>> sums(
            static_cast<std::size_t>(tasks),
            std::vector(cells, statistics::DrawSums(static_cast<std::size_t>(draws()))));
        parallelFor(tasks, m_plan.options.threads, [&](std::int64_t task) {
            statistics::WordOutputs counter(m_plan.series, m_plan.options.draws);
            const std::int64_t end = std::min(count, (task + 1) * kWordsPerTask);
            for (std::int64_t i = task * kWordsPerTask; i < end && !stopped(); ++i) {
                counter.setWord(group[static_cast<std::size_t>(i)],
                                m_batch.neighbours(i, m_plan.options.nearNeighbours));
                for (std::size_t cell = 0; cell < cells; ++cell) {
                    const auto variant = static_cast<std::int64_t>(cell) / epsilons();
                    const std::size_t epsilon = cell % perVariant;
                    const std::size_t from =
                        place(i, variant, static_cast<std::int64_t>(epsilon), 0);
                    const auto own =
                        std::span(outputs).subspan(from, static_cast<std::size_t>(draws()));
                    const auto word = static_cast<std::size_t>(first + i);
                    BlockResults& result = results[static_cast<std::size_t>(variant)];
                    result.statistics[epsilon][word] =
                        counter.count(own, sums[static_cast<std::size_t>(task)][cell]);
                    if (!result.outputs.empty()) {
                        result.outputs[epsilon][word] = statistics::countOutputs(own);
                    }
                }
            }
        });
        for (const auto& perTask : sums) {
            for (std::size_t cell = 0; cell < cells; ++cell) {
                results[cell / perVariant].sums[cell % perVariant] += perTask[cell];
            }
        }
    }

    const BlockPlan& m_plan;
    engine::DrawSource m_source;
    std::span<const Row> m_words;
    const JobContext& m_job;
    const std::function<void(double)>& m_advanced;
    engine::SearchBatch& m_batch;
};

}  // namespace

std::int64_t blockSize(std::int64_t words, bool independentDraws) {
    if (independentDraws) {
        return 1;
    }
    return std::min(words, std::clamp<std::int64_t>((words + 19) / 20, 64, 1024));
}

std::int64_t blockSize(std::int64_t words, const CalibrationOptions& options) {
    return options.blockSize > 0 && !options.independentDraws
               ? std::min(words, options.blockSize)
               : blockSize(words, options.independentDraws);
}

std::int64_t groupsOf(const engine::NoiseSeries& series, const CalibrationOptions& options,
                      std::int64_t words) {
    const std::int64_t block = blockSize(words, options);
    const auto groups = [&](std::int64_t size) {
        const std::int64_t together = wordsAtOnce(series, options, kBlockScratchBytes, size);
        return (size + together - 1) / together;
    };
    const std::int64_t rest = words % block;
    return words / block * groups(block) + (rest > 0 ? groups(rest) : 0);
}

std::vector<BlockResults> runBlock(const BlockPlan& plan, std::uint32_t block,
                                   std::span<const Row> words, const JobContext& job,
                                   const std::function<void(double)>& advanced) {
    return BlockRun(plan, block, words, job, advanced).run();
}

}  // namespace epsilens::calibration
