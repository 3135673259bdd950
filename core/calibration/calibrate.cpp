#include "core/calibration/calibrate.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "core/base/ordered.h"
#include "core/base/parallel.h"
#include "core/base/stopwatch.h"
#include "core/calibration/exact_statistics.h"
#include "core/calibration/run_results.h"
#include "core/calibration/tem_run.h"
#include "core/calibration/word_comparison.h"
#include "core/calibration/word_steps.h"
#include "core/engine/noise_series.h"
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
// The changes of output of a group of words, all draws, epsilons and variants.
constexpr std::int64_t kChangeBytes = std::int64_t{96} << 20;
// Those of a draw while epsilon falls: two or three on real embeddings.
constexpr std::int64_t kChangesPerDraw = 6;
// The sums over words of the tasks that run at a time, unless each thread needs more.
constexpr std::size_t kSumBytes = std::size_t{64} << 20;
// Words per task of the statistics: fixed, so that sums are added in an order without threads.
constexpr std::size_t kWordsPerTask = 16;

/// What one block of words yields.
struct BlockResults {
    /// Per cell (variant and epsilon), the words of the block in order.
    std::vector<std::vector<WordStatistics>> statistics{};
    std::vector<DrawSums> sums{};  ///< per cell
    /// Per cell, the outputs of the words; empty unless the draws are independent.
    std::vector<std::vector<CountedOutputs>> outputs{};
    /// Median per variant and word; empty unless asked for.
    std::vector<std::vector<double>> critical{};
    bool isDone = false;
};

/// For processes that share a run; see Archive.
template <typename Archive>
void transfer(Archive& archive, BlockResults& results) {
    archive(results.statistics, results.sums, results.outputs, results.critical, results.isDone);
}

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
        const auto measured = std::ssize(sizes);
        cell.deniability = Deniability{*options.deniabilityOdds, calibration::summarize(sizes),
                                       measured, shares / static_cast<double>(measured)};
    }
}

class NoiseRun {
public:
    /// words  in the order of the run
    NoiseRun(const engine::NoiseSeries& series, const CalibrationOptions& options,
             std::vector<Row> words, const JobContext& job)
        : m_series(series),
          m_options(options),
          m_words(std::move(words)),
          m_job(job),
          m_logs(options.draws),
          m_falling(ordered(epsilons(), [&](std::size_t i) { return -options.grid.epsilons[i]; })),
          m_results(static_cast<std::size_t>(blockCount(std::ssize(m_words), options))),
          m_cells(variants() * epsilons(), CellResults(options.draws)),
          m_outputs(m_cells.size()),
          m_critical(variants()) {
        for (CellResults& cell : m_cells) {
            cell.reserve(m_words.size());
        }
    }

    Result<CalibrationSummary> run(Crew* crew) {
        const std::vector<double> everywhere;
        const auto done = sweepBlocks(
            {m_series, m_options, m_words,
             m_options.criticalEpsilons ? everywhere : m_options.grid.epsilons, "Calibrating",
             kBlockScratchBytes, wordsAtOnce(),
             [this](const WordBlock& block, std::size_t first, std::span<WordSteps> steps,
                    int threads) {
                 BlockResults& results = m_results[static_cast<std::size_t>(block.number)];
                 if (first == block.begin) {
                     results = emptyResults(block.end - block.begin);
                 }
                 countGroup(steps, first - block.begin, threads, results);
                 results.isDone = first + steps.size() == block.end;
             },
             [&]() -> Result<void> {
                 if (crew == nullptr) {
                     takeFinished();
                 }
                 return {};
             },
             [this](Archive& archive, const WordBlock& block) {
                 archive(m_results[static_cast<std::size_t>(block.number)]);
             }},
            crew, m_job);
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
    [[nodiscard]] std::size_t variants() const {
        return static_cast<std::size_t>(m_series.variants());
    }
    [[nodiscard]] std::size_t epsilons() const { return m_options.grid.epsilons.size(); }

    // Calls body(cell) for every cell, several at a time.
    template <typename Body>
    void forEachCell(const Body& body) const {
        parallelFor(std::ssize(m_cells), m_options.threads,
                    [&](std::int64_t cell) { body(static_cast<std::size_t>(cell)); });
    }

    [[nodiscard]] BlockResults emptyResults(std::size_t words) const {
        BlockResults results;
        results.statistics.assign(m_cells.size(), std::vector<WordStatistics>(words));
        results.sums.assign(m_cells.size(), DrawSums(static_cast<std::size_t>(m_options.draws)));
        if (m_options.independentDraws) {
            results.outputs.assign(m_cells.size(), std::vector<CountedOutputs>(words));
        }
        if (m_options.criticalEpsilons) {
            results.critical.assign(variants(), std::vector<double>(words));
        }
        return results;
    }

    // Words whose changes are held at a time.
    [[nodiscard]] std::int64_t wordsAtOnce() const {
        const std::int64_t changes =
            m_options.criticalEpsilons
                ? kChangesPerDraw
                : std::min<std::int64_t>(std::ssize(m_falling), kChangesPerDraw);
        const std::int64_t ofDraw = changes * static_cast<std::int64_t>(sizeof(OutputChange));
        return std::max<std::int64_t>(
            1, kChangeBytes / (m_series.variants() * m_options.draws * ofDraw));
    }

    // Tasks go in waves, so that the sums of few of them are held at a time.
    //
    // place  of the first word in the block
    void countGroup(std::span<const WordSteps> steps, std::size_t place, int threads,
                    BlockResults& results) const {
        const auto tasks =
            static_cast<std::int64_t>((steps.size() + kWordsPerTask - 1) / kWordsPerTask);
        const std::size_t bytesPerTask =
            m_cells.size() * static_cast<std::size_t>(m_options.draws) * DrawSums::kBytesPerDraw;
        const std::int64_t wave =
            std::clamp<std::int64_t>(static_cast<std::int64_t>(kSumBytes / bytesPerTask),
                                     std::min<std::int64_t>(workersOf(threads), tasks), tasks);
        std::vector<std::vector<DrawSums>> sums(static_cast<std::size_t>(wave));
        for (std::int64_t firstTask = 0; firstTask < tasks; firstTask += wave) {
            const std::int64_t together = std::min(wave, tasks - firstTask);
            parallelFor(together, threads, [&](std::int64_t i) {
                auto& own = sums[static_cast<std::size_t>(i)];
                own.assign(m_cells.size(), DrawSums(static_cast<std::size_t>(m_options.draws)));
                const std::size_t begin = static_cast<std::size_t>(firstTask + i) * kWordsPerTask;
                for (std::size_t word = begin; word < std::min(begin + kWordsPerTask, steps.size());
                     ++word) {
                    countWord(steps[word], place + word, own, results);
                }
            });
            for (std::int64_t i = 0; i < together; ++i) {
                for (std::size_t cell = 0; cell < m_cells.size(); ++cell) {
                    results.sums[cell] += sums[static_cast<std::size_t>(i)][cell];
                }
            }
        }
    }

    void countWord(const WordSteps& steps, std::size_t place, std::span<DrawSums> sums,
                   BlockResults& results) const {
        for (std::size_t variant = 0; variant < variants(); ++variant) {
            StepTally tally(steps, m_logs, variant);
            for (const std::size_t epsilon : m_falling) {
                const std::size_t cell = variant * epsilons() + epsilon;
                tally.advanceTo(1.0 / m_options.grid.epsilons[epsilon]);
                tally.addTo(sums[cell]);
                results.statistics[cell][place] = tally.statistics();
                if (!results.outputs.empty()) {
                    results.outputs[cell][place] = tally.countedOutputs();
                }
            }
            if (!results.critical.empty()) {
                results.critical[variant][place] = numeric::quantileOfSorted(
                    steps.criticalEpsilons(m_options.draws, variant), 0.5);
            }
        }
    }

    // Adds finished blocks in their order, on which sums depend, up to the first that is missing.
    void takeFinished() {
        for (; m_taken < m_results.size() && m_results[m_taken].isDone; ++m_taken) {
            BlockResults results = std::exchange(m_results[m_taken], {});
            forEachCell([&](std::size_t cell) {
                m_cells[cell].addBlock(results.statistics[cell], results.sums[cell]);
                if (!results.outputs.empty()) {
                    std::ranges::move(results.outputs[cell], std::back_inserter(m_outputs[cell]));
                }
            });
            for (std::size_t k = 0; k < results.critical.size(); ++k) {
                m_critical[k].insert(m_critical[k].end(), results.critical[k].begin(),
                                     results.critical[k].end());
            }
            m_finished += results.statistics.front().size();
        }
    }

    [[nodiscard]] CalibrationSummary summarize() const {
        const std::int64_t vocabulary = m_series.space().embedding().wordCount();
        const auto finished = static_cast<std::int64_t>(m_finished);
        CalibrationSummary summary = summaryFor(m_options, m_words.size(), finished, vocabulary);
        summary.blockSize = blockSize(std::ssize(m_words), m_options);
        summary.independentDraws = m_options.independentDraws;
        summary.substitutions = summary.words * m_options.draws * std::ssize(m_cells);
        const double sampledShare = static_cast<double>(finished) / static_cast<double>(vocabulary);
        summary.cells.resize(m_cells.size());
        summary.guarantees.resize(m_cells.size());
        forEachCell([&](std::size_t cell) {
            const auto variant = static_cast<std::int64_t>(cell / epsilons());
            const double epsilon = m_options.grid.epsilons[cell % epsilons()];
            summary.cells[cell] =
                m_cells[cell].summarize(epsilon, m_series.lambda(variant), sampledShare);
            summary.guarantees[cell] = m_series.guarantee(variant, epsilon);
            if (m_options.independentDraws) {
                compareWords(m_outputs[cell], m_options, summary.cells[cell]);
            }
        });
        addPerWord(summary.perWord);
        return summary;
    }

    // Finished words in rising order of their rows.
    void addPerWord(WordTable& table) const {
        const auto places = ordered(m_finished, [&](std::size_t i) { return m_words[i]; });
        table.cells = m_cells.size();
        for (const std::size_t place : places) {
            table.words.push_back(m_words[place]);
            for (const CellResults& cell : m_cells) {
                table.nw.push_back(static_cast<double>(cell.values(kKept)[place]));
                table.sw.push_back(static_cast<double>(cell.values(kDistinct)[place]));
                table.near.push_back(cell.near()[place] / static_cast<float>(m_options.draws));
            }
            for (std::size_t k = 0; k < m_critical.size() && m_options.criticalEpsilons; ++k) {
                table.criticalEpsilonMedian.push_back(static_cast<float>(m_critical[k][place]));
            }
        }
    }

    const engine::NoiseSeries& m_series;
    const CalibrationOptions& m_options;
    std::vector<Row> m_words;
    const JobContext& m_job;
    CountLogs m_logs;
    std::vector<std::size_t> m_falling;   ///< indices of the epsilons, from the largest down
    std::vector<BlockResults> m_results;  ///< of blocks, until they are taken
    std::size_t m_taken = 0;
    std::vector<CellResults> m_cells;
    std::vector<std::vector<CountedOutputs>> m_outputs;  ///< per cell, of all words
    std::vector<std::vector<double>> m_critical;         ///< medians per variant
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
    auto summary = NoiseRun(*series, options, inRunOrder(words, options.seed), counting).run(crew);
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
    const double critical = options.criticalEpsilons ? n * lambdas * 8.0 : 0.0;
    return cells * (static_cast<double>(sizeof(Cell)) + draws * kBytesPerDraw + values + ofBlock +
                    outputs) +
           critical;
}

Result<CalibrationSummary> calibrate(const engine::SearchSpace& space,
                                     const CalibrationOptions& options, const JobContext& job,
                                     Crew* crew) {
    const Stopwatch watch;
    ASSIGN_OR_RETURN(auto words, validate(options, space.embedding()));
    RETURN_IF_ERROR(io::MemoryBudget(0).check(resultBytes(options, std::ssize(words)),
                                              "the results",
                                              "ask for fewer words, draws or values in the grid"));
    auto summary = options.grid.mechanism.isExact()
                       ? calibrateTem(space, options, std::move(words), job, crew)
                       : calibrateNoise(space, options, std::move(words), job, crew);
    if (summary) {
        summary->seconds = watch.seconds();
    }
    return summary;
}

}  // namespace epsilens::calibration
