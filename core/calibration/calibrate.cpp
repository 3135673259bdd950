#include "core/calibration/calibrate.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <functional>
#include <iterator>
#include <memory>
#include <numeric>
#include <optional>
#include <utility>

#include "core/base/in_parallel.h"
#include "core/base/job_part.h"
#include "core/base/ordered.h"
#include "core/base/pass_on.h"
#include "core/base/random_stream.h"
#include "core/calibration/exact_statistics.h"
#include "core/calibration/run_results.h"
#include "core/calibration/tem_run.h"
#include "core/calibration/word_blocks.h"
#include "core/calibration/word_comparison.h"
#include "core/engine/create_series.h"
#include "core/engine/draw_tiles.h"
#include "core/io/memory_limit.h"
#include "core/numeric/quantile.h"

namespace epsilens::calibration {
namespace {

// Of a word and a cell in a WordTable.
constexpr double kTableBytes = 2.0 * sizeof(double) + sizeof(float);
// The outputs of a word and the sums of each draw, of two tasks at a time.
constexpr double kBytesPerDraw = 2.0 * (5.0 * sizeof(double) + sizeof(std::int32_t));

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
    return ordered(epsilons.size(),
                   [&](std::size_t a, std::size_t b) { return epsilons[a] > epsilons[b]; });
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

/// What one block of words yields under one variant (lambda).
struct BlockResults {
    /// Per epsilon, the words of the block in order.
    std::vector<std::vector<WordStatistics>> statistics{};
    std::vector<DrawSums> sums{};  ///< per epsilon
    /// Per epsilon, the outputs of the words; empty unless the draws are independent.
    std::vector<std::vector<CountedOutputs>> outputs{};
    std::vector<double> critical{};  ///< words x R when asked for
    std::int64_t rechecked = 0;
};

/// For processes that share a run; see Archive.
template <typename Archive>
void transfer(Archive& archive, BlockResults& results) {
    archive(results.statistics, results.sums, results.outputs, results.critical, results.rechecked);
}

/// Per variant and epsilon.
using CellSums = std::vector<DrawSums>;

/// A block: R draws of its own, shared by its words, for every variant and epsilon.
class BlockRun {
public:
    /// batch     of the series, for the epsilons of the options
    /// share     of the blocks that run at a time
    /// advanced  called with the share of the block that is done, in (0, 1]
    BlockRun(const engine::NoiseSeries& series, const CalibrationOptions& options,
             engine::SearchBatch& batch, std::int64_t block, const BlockShare& share,
             std::span<const Row> words, const JobContext& job,
             const std::function<void(double)>& advanced)
        : m_series(series),
          m_options(options),
          m_batch(batch),
          m_share(share),
          m_source{options.seed, StreamPurpose::unitDraws, static_cast<std::uint32_t>(block)},
          m_words(words),
          m_job(job),
          m_advanced(advanced),
          m_falling(byFallingEpsilon(options.grid.epsilons)) {}

    /// One result per variant, or nothing of use when the job was stopped.

    std::vector<BlockResults> run() {
        std::vector<BlockResults> results(static_cast<std::size_t>(variants()));
        for (BlockResults& result : results) {
            prepare(result);
        }
        const std::int64_t groupSize = wordsAtOnce(m_series, m_options, scratchBytes(), words());
        for (std::int64_t first = 0; first < words() && !stopped(); first += groupSize) {
            runGroup(first, std::min(groupSize, words() - first), results);
        }
        return results;
    }

private:
    [[nodiscard]] std::int64_t words() const { return static_cast<std::int64_t>(m_words.size()); }
    [[nodiscard]] std::int64_t draws() const { return m_options.draws; }
    [[nodiscard]] std::int64_t epsilons() const {
        return static_cast<std::int64_t>(m_options.grid.epsilons.size());
    }
    [[nodiscard]] std::int64_t variants() const { return m_series.variants(); }
    [[nodiscard]] bool stopped() const { return m_job.stopRequested(); }

    [[nodiscard]] std::int64_t scratchBytes() const {
        return kBlockScratchBytes / m_share.together;
    }
    [[nodiscard]] std::int64_t drawsPerChunk() const {
        return std::clamp<std::int64_t>(scratchBytes() / (m_series.rowBytes() * variants()), 1,
                                        draws());
    }

    void prepare(BlockResults& result) const {
        const auto cells = static_cast<std::size_t>(epsilons());
        result.statistics.resize(cells);
        for (auto& perWord : result.statistics) {
            perWord.resize(m_words.size());
        }
        result.sums.assign(cells, DrawSums(static_cast<std::size_t>(draws())));
        if (m_options.independentDraws) {
            result.outputs.assign(cells, std::vector<CountedOutputs>(m_words.size()));
        }
        if (m_options.criticalEpsilons) {
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
        parallelFor(tasks, m_share.threads, [&](std::int64_t task) {
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
            parallelFor(together, m_share.threads, [&](std::int64_t i) {
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
                                         static_cast<std::size_t>(m_options.draws) *
                                         DrawSums::kBytesPerDraw;
        const int threads = workersOf(m_share.threads);
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
        WordOutputs counter(m_series, m_options.draws);
        FallingOutputs falling(m_falling.size(), static_cast<std::size_t>(draws()));
        for (std::int64_t i = words.first; i < words.second && !stopped(); ++i) {
            counter.setWord(group[static_cast<std::size_t>(i)],
                            m_batch.neighbours(i, m_options.nearNeighbours));
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

    const engine::NoiseSeries& m_series;
    const CalibrationOptions& m_options;
    engine::SearchBatch& m_batch;
    BlockShare m_share;
    engine::DrawSource m_source;
    std::span<const Row> m_words;
    const JobContext& m_job;
    const std::function<void(double)>& m_advanced;
    std::vector<std::size_t> m_falling;  ///< indices of the epsilons, from the largest down
};

/// K_w of a cell, and deniability where it was asked for and there are draws enough.
///
/// outputs  of all words, with independent draws
void compareWords(const std::vector<CountedOutputs>& outputs, const CalibrationOptions& options,
                  Cell& cell) {
    const std::vector<std::int32_t> shared = sharedOutputs(outputs);
    cell.kw = calibration::summarize(std::vector<float>(shared.begin(), shared.end()));
    if (!options.deniabilityOdds || options.draws < kLeastDeniabilityDraws) {
        return;
    }
    std::vector<float> sizes;
    double shares = 0.0;
    for (const WordDeniability& word : sampledDeniability(outputs, *options.deniabilityOdds)) {
        if (word.size) {
            sizes.push_back(static_cast<float>(*word.size));
            shares += word.share;
        }
    }
    if (!sizes.empty()) {
        const auto measured = static_cast<std::int64_t>(sizes.size());
        cell.deniability = Deniability{*options.deniabilityOdds, calibration::summarize(sizes),
                                       measured, shares / static_cast<double>(measured)};
    }
}

class CalibrationRun {
public:
    CalibrationRun(const engine::NoiseSeries& series, const CalibrationOptions& options,
                   std::vector<Row> words, const JobContext& job)
        : m_series(series),
          m_options(options),
          m_words(std::move(words)),
          m_order(shuffledIndices(m_words.size(), {options.seed, StreamPurpose::blockPermutation})),
          m_job(job),
          m_batch(series.batch(options.grid.epsilons, options.threads, m_job)),
          m_blockSize(blockSize(wordCount(), options)),
          m_results(static_cast<std::size_t>(blockCount(wordCount(), options))),
          m_cells(variants() * options.grid.epsilons.size(), CellResults(options.draws)),
          m_outputs(m_cells.size()),
          m_critical(variants()) {
        for (CellResults& cell : m_cells) {
            cell.reserve(m_words.size());
        }
    }

    Result<CalibrationSummary> run(Crew* crew) {
        const auto done = inBlocks(
            crew, wordCount(), m_options, m_job,
            [&](std::int64_t block, const BlockShare& share) { runBlock(block, share); },
            [&](std::int64_t end) -> Result<void> {
                if (crew == nullptr) {
                    takeFinished();
                }
                report(end, 0.0);
                return {};
            },
            [&](auto& archive, std::int64_t block) {
                archive(m_results[static_cast<std::size_t>(block)]);
            });
        if (!done && done.error().code != ErrorCode::cancelled) {
            return tl::unexpected(done.error());
        }
        takeFinished();
        if (m_finished == 0) {
            return fail(ErrorCode::cancelled, "cancelled before the first block of words was done");
        }
        return summarize();
    }

private:
    [[nodiscard]] std::int64_t wordCount() const {
        return static_cast<std::int64_t>(m_words.size());
    }
    [[nodiscard]] std::size_t variants() const {
        return static_cast<std::size_t>(m_series.variants());
    }

    // Calls body(cell, variant, epsilon) for every cell, several at a time.
    template <typename Body>
    void forEachCell(const Body& body) const {
        const std::size_t epsilons = m_options.grid.epsilons.size();
        parallelFor(static_cast<std::int64_t>(m_cells.size()), m_options.threads,
                    [&](std::int64_t i) {
                        const auto cell = static_cast<std::size_t>(i);
                        body(cell, cell / epsilons, cell % epsilons);
                    });
    }

    [[nodiscard]] std::vector<Row> wordsOf(std::int64_t block) const {
        const auto size = static_cast<std::size_t>(m_blockSize);
        const std::size_t first = static_cast<std::size_t>(block) * size;
        const std::size_t end = std::min(first + size, m_words.size());
        std::vector<Row> words;
        for (std::size_t i = first; i < end; ++i) {
            words.push_back(m_words[m_order[i]]);
        }
        return words;
    }
    void report(std::int64_t block, double share) const {
        m_job.progress((static_cast<double>(block) + share) / static_cast<double>(m_results.size()),
                       "Calibrating");
    }

    void runBlock(std::int64_t block, const BlockShare& share) {
        const std::vector<Row> words = wordsOf(block);
        const auto own = share.together > 1
                             ? m_series.batch(m_options.grid.epsilons, share.threads, m_job)
                             : nullptr;
        std::vector<BlockResults> results =
            BlockRun(m_series, m_options, own ? *own : *m_batch, block, share, words, m_job,
                     [&](double done) {
                         if (share.together == 1) {
                             report(block, done);
                         }
                     })
                .run();
        if (!m_job.stopRequested()) {
            m_results[static_cast<std::size_t>(block)] = std::move(results);
        }
    }

    // Adds finished blocks in their order, on which sums depend, up to the first that is missing.
    void takeFinished() {
        for (; m_taken < m_results.size() && !m_results[m_taken].empty(); ++m_taken) {
            take(m_taken, std::exchange(m_results[m_taken], {}));
        }
    }

    void take(std::size_t block, std::vector<BlockResults> results) {
        forEachCell([&](std::size_t cell, std::size_t k, std::size_t e) {
            m_cells[cell].addBlock(results[k].statistics[e], results[k].sums[e]);
            if (!results[k].outputs.empty()) {
                std::ranges::move(results[k].outputs[e], std::back_inserter(m_outputs[cell]));
            }
        });
        for (std::size_t k = 0; k < results.size(); ++k) {
            m_critical[k].insert(m_critical[k].end(), results[k].critical.begin(),
                                 results[k].critical.end());
            m_rechecked += results[k].rechecked;
        }
        m_finished += wordsOf(static_cast<std::int64_t>(block)).size();
    }

    [[nodiscard]] CalibrationSummary summarize() const {
        const std::int64_t vocabulary = m_series.space().embedding().wordCount();
        const auto finished = static_cast<std::int64_t>(m_finished);
        CalibrationSummary summary = summaryFor(m_options, m_words.size(), finished, vocabulary);
        summary.blockSize = m_blockSize;
        summary.independentDraws = m_options.independentDraws;
        summary.substitutions =
            summary.words * m_options.draws * static_cast<std::int64_t>(m_cells.size());
        summary.recheckedInFloat64 = m_rechecked;
        const double sampledShare = static_cast<double>(finished) / static_cast<double>(vocabulary);
        summary.cells.resize(m_cells.size());
        summary.guarantees.resize(m_cells.size());
        forEachCell([&](std::size_t cell, std::size_t k, std::size_t e) {
            const auto variant = static_cast<std::int64_t>(k);
            const double epsilon = m_options.grid.epsilons[e];
            summary.cells[cell] =
                m_cells[cell].summarize(epsilon, m_series.lambda(variant), sampledShare);
            summary.guarantees[cell] = m_series.guarantee(variant, epsilon);
            if (m_options.independentDraws) {
                compareWords(m_outputs[cell], m_options, summary.cells[cell]);
            }
        });
        addPerWord(summary);
        return summary;
    }

    // Finished words in rising order of their rows, as indices into the order of the run.
    [[nodiscard]] std::vector<std::size_t> byRow() const {
        return ordered(m_finished,
                       [&](std::size_t a, std::size_t b) { return m_order[a] < m_order[b]; });
    }

    void addPerWord(CalibrationSummary& summary) const {
        const std::vector<std::size_t> places = byRow();
        WordTable& table = summary.perWord;
        table.cells = m_cells.size();
        table.nw.reserve(places.size() * table.cells);
        table.sw.reserve(places.size() * table.cells);
        table.near.reserve(places.size() * table.cells);
        for (const std::size_t place : places) {
            table.words.push_back(m_words[m_order[place]]);
            for (const CellResults& cell : m_cells) {
                const CellResults::Values& values = cell.values();
                table.nw.push_back(static_cast<double>(values.nw[place]));
                table.sw.push_back(static_cast<double>(values.sw[place]));
                table.near.push_back(values.near[place] / static_cast<float>(m_options.draws));
            }
        }
        if (m_options.criticalEpsilons) {
            addCritical(summary, places);
        }
    }

    void addCritical(CalibrationSummary& summary, const std::vector<std::size_t>& places) const {
        const auto draws = static_cast<std::size_t>(m_options.draws);
        summary.perWord.criticalEpsilonMedian.resize(places.size() * variants());
        for (std::size_t k = 0; k < variants(); ++k) {
            for (std::size_t i = 0; i < places.size(); ++i) {
                const auto first =
                    m_critical[k].begin() + static_cast<std::ptrdiff_t>(places[i] * draws);
                std::vector<double> sorted(first, first + static_cast<std::ptrdiff_t>(draws));
                std::sort(sorted.begin(), sorted.end());
                summary.perWord.criticalEpsilonMedian[i * variants() + k] =
                    static_cast<float>(numeric::quantileOfSorted(sorted, 0.5));
            }
        }
    }

    const engine::NoiseSeries& m_series;
    const CalibrationOptions& m_options;
    std::vector<Row> m_words;
    std::vector<std::size_t> m_order;
    const JobContext& m_job;
    std::unique_ptr<engine::SearchBatch> m_batch;
    std::int64_t m_blockSize;
    std::vector<std::vector<BlockResults>> m_results;  ///< blocks x variants, until they are taken
    std::size_t m_taken = 0;
    std::vector<CellResults> m_cells;
    std::vector<std::vector<CountedOutputs>> m_outputs;  ///< per cell, of all words
    std::vector<std::vector<double>> m_critical;
    std::int64_t m_rechecked = 0;
    std::size_t m_finished = 0;
};

/// Share of its searches that a run spends on counting the worst words again: one answers all
/// epsilons of the run, but only one when words are counted again.
double rerunShare(const CalibrationOptions& options, std::size_t words) {
    const auto epsilons = static_cast<double>(options.grid.epsilons.size());
    const double first = static_cast<double>(words) * options.draws;
    const double again = epsilons * kRerunDraws * static_cast<double>(std::min(words, kRerunWords));
    return again / (first + again);
}

Result<CalibrationSummary> calibrateNoise(const engine::SearchSpace& space,
                                          const CalibrationOptions& options, std::vector<Row> words,
                                          const JobContext& job, Crew* crew) {
    ASSIGN_OR_RETURN(const auto series, engine::createSeries(space, options.grid.mechanism,
                                                             options.grid.usedLambdas()));
    const double first = options.rerunWorst ? 1.0 - rerunShare(options, words.size()) : 1.0;
    const JobContext counting = partOf(job, 0.0, first);
    auto summary = CalibrationRun(*series, options, std::move(words), counting).run(crew);
    if (summary && options.rerunWorst && !summary->partial) {
        rerunWorstWords(*series, options, *summary, partOf(job, first, 1.0));
    }
    return summary;
}

}  // namespace

double resultBytes(const CalibrationOptions& options, std::int64_t words) {
    const auto n = static_cast<double>(words);
    if (options.grid.mechanism.isExact()) {
        const auto cells =
            static_cast<double>(options.grid.mechanisms().size() * options.grid.epsilons.size());
        return cells * (static_cast<double>(sizeof(Cell)) +
                        n * static_cast<double>(sizeof(ExactStatistics)));
    }
    const auto lambdas = static_cast<double>(options.grid.usedLambdas().size());
    const double cells = lambdas * static_cast<double>(options.grid.epsilons.size());
    const double draws = options.draws;
    const double values = n * (kTableBytes + CellResults::kBytesPerWord);
    const double ofBlock = static_cast<double>(blockSize(words, options)) *
                           static_cast<double>(sizeof(WordStatistics));
    const double outputs =
        options.independentDraws ? n * draws * static_cast<double>(sizeof(CountedOutput)) : 0.0;
    const double critical = options.criticalEpsilons ? n * lambdas * draws * 8.0 : 0.0;
    return cells * (static_cast<double>(sizeof(Cell)) + draws * kBytesPerDraw + values + ofBlock +
                    outputs) +
           critical;
}

Result<CalibrationSummary> calibrate(const engine::SearchSpace& space,
                                     const CalibrationOptions& options, const JobContext& job,
                                     Crew* crew) {
    const auto start = std::chrono::steady_clock::now();
    if (auto error = validate(options, space.embedding())) {
        return tl::unexpected(*std::move(error));
    }
    ASSIGN_OR_RETURN(auto words,
                     selectWords(options.words, space.embedding().wordCount(), options.seed));
    RETURN_IF_ERROR(io::MemoryBudget(0).check(
        resultBytes(options, static_cast<std::int64_t>(words.size())), "the results",
        "ask for fewer words, draws or values in the grid"));
    auto summary = options.grid.mechanism.isExact()
                       ? calibrateTem(space, options, std::move(words), job, crew)
                       : calibrateNoise(space, options, std::move(words), job, crew);
    if (summary) {
        summary->seconds =
            std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    }
    return summary;
}

}  // namespace epsilens::calibration
