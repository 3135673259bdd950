#include "core/calibration/calibrate.h"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <utility>

#include "core/base/job_part.h"
#include "core/base/parallel.h"
#include "core/base/pass_on.h"
#include "core/calibration/block_run.h"
#include "core/calibration/exact_statistics.h"
#include "core/calibration/run_results.h"
#include "core/calibration/tem_run.h"
#include "core/calibration/word_comparison.h"
#include "core/engine/create_series.h"
#include "core/io/memory_limit.h"
#include "core/numeric/quantile.h"

namespace epsilens::calibration {
namespace {

// Blocks of one word each that a thread works through before their results are put together, and
// that a process takes at a time, where several share them.
constexpr std::int64_t kBlocksPerThread = 4;
constexpr std::int64_t kSharedBlocks = 64;

// Of a word and a cell in a WordTable.
constexpr double kTableBytes = 2.0 * sizeof(double) + sizeof(float);
// The outputs of a word and the sums of each draw, of two tasks at a time.
constexpr double kBytesPerDraw = 2.0 * (5.0 * sizeof(double) + sizeof(std::int32_t));

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
          m_order(shuffledIndices(m_words.size(), options.seed)),
          m_job(job),
          m_batch(series.batch(options.grid.epsilons, options.threads, m_job)),
          m_cells(variants() * options.grid.epsilons.size(), CellResults(options.draws)),
          m_outputs(m_cells.size()),
          m_critical(variants()) {
        for (CellResults& cell : m_cells) {
            cell.reserve(m_words.size());
        }
    }

    // Blocks are added in their order, on which sums depend: with a crew when all are known, up to
    // the first that is missing.
    Result<CalibrationSummary> run(Crew* crew) {
        const std::int64_t atOnce = blocksAtOnce(crew != nullptr);
        std::map<std::int64_t, Results> ofCrew;
        const auto inUnit = [&](std::int64_t unit) {
            return std::min(atOnce, blocks() - unit * atOnce);
        };
        const auto done = inUnits(
            crew, (blocks() + atOnce - 1) / atOnce,
            [&](std::int64_t unit) -> Result<void> {
                const std::int64_t first = unit * atOnce;
                std::vector<Results> results = runBlocks(first, inUnit(unit));
                if (m_job.stopRequested()) {
                    return fail(ErrorCode::cancelled, "cancelled");
                }
                for (std::int64_t i = 0; i < inUnit(unit); ++i) {
                    Results& own = results[static_cast<std::size_t>(i)];
                    if (crew != nullptr) {
                        ofCrew[first + i] = std::move(own);
                    } else {
                        take(first + i, own);
                    }
                }
                return {};
            },
            [&](auto& archive, std::int64_t unit) {
                for (std::int64_t i = 0; i < inUnit(unit); ++i) {
                    archive(ofCrew[unit * atOnce + i]);
                }
            });
        if (!done && done.error().code != ErrorCode::cancelled) {
            return tl::unexpected(done.error());
        }
        std::int64_t next = 0;
        for (auto& [block, results] : ofCrew) {
            if (block != next++) {
                break;
            }
            take(block, results);
        }
        if (m_finished == 0) {
            return fail(ErrorCode::cancelled, "cancelled before the first block of words was done");
        }
        return summarize();
    }

private:
    using Results = std::vector<BlockResults>;  ///< of a block, one per variant

    [[nodiscard]] std::size_t variants() const {
        return static_cast<std::size_t>(m_series.variants());
    }
    [[nodiscard]] int threadsUsed() const {
        return m_options.threads > 0 ? m_options.threads : defaultThreadCount();
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

    [[nodiscard]] std::int64_t wordsPerBlock() const {
        return blockSize(static_cast<std::int64_t>(m_words.size()), m_options);
    }
    [[nodiscard]] std::int64_t blocks() const {
        const auto words = static_cast<std::int64_t>(m_words.size());
        return (words + wordsPerBlock() - 1) / wordsPerBlock();
    }
    [[nodiscard]] std::vector<Row> wordsOf(std::int64_t block) const {
        const auto first = static_cast<std::size_t>(block * wordsPerBlock());
        const std::size_t end =
            std::min(first + static_cast<std::size_t>(wordsPerBlock()), m_words.size());
        std::vector<Row> words;
        for (std::size_t i = first; i < end; ++i) {
            words.push_back(m_words[m_order[i]]);
        }
        return words;
    }
    void report(std::int64_t block, double share) const {
        m_job.progress((static_cast<double>(block) + share) / static_cast<double>(blocks()),
                       "Calibrating");
    }

    // Blocks of one word: too little for several threads, so that each thread takes a block.
    // Processes cut the words alike, whatever their threads.
    [[nodiscard]] std::int64_t blocksAtOnce(bool isShared) const {
        return !m_options.independentDraws ? 1
               : isShared                  ? kSharedBlocks
                                           : kBlocksPerThread * threadsUsed();
    }

    std::vector<Results> runBlocks(std::int64_t first, std::int64_t count) {
        if (!m_options.independentDraws) {
            const std::vector<Row> words = wordsOf(first);
            return {runBlock({m_series, m_options, *m_batch}, static_cast<std::uint32_t>(first),
                             words, m_job, [&](double share) { report(first, share); })};
        }
        CalibrationOptions alone = m_options;
        alone.threads = 1;
        std::vector<Results> results(static_cast<std::size_t>(count));
        parallelFor(count, m_options.threads, [&](std::int64_t i) {
            const std::vector<Row> word = wordsOf(first + i);
            const auto batch = m_series.batch(alone.grid.epsilons, alone.threads, m_job);
            results[static_cast<std::size_t>(i)] =
                runBlock({m_series, alone, *batch, threadsUsed()},
                         static_cast<std::uint32_t>(first + i), word, m_job, [](double) {});
        });
        report(first + count - 1, 1.0);
        return results;
    }

    // Adds a finished block, in the order of the blocks: sums depend on it.
    void take(std::int64_t block, Results& results) {
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
        m_finished += wordsOf(block).size();
    }

    [[nodiscard]] CalibrationSummary summarize() const {
        CalibrationSummary summary;
        summary.grid = m_options.grid.used();
        summary.words = static_cast<std::int64_t>(m_finished);
        summary.wordsAsked = static_cast<std::int64_t>(m_words.size());
        summary.partial = m_finished < m_words.size();
        summary.draws = m_options.draws;
        summary.seed = m_options.seed;
        summary.threads = threadsUsed();
        summary.nearNeighbours = static_cast<int>(std::min<std::int64_t>(
            m_options.nearNeighbours, m_series.space().embedding().wordCount() - 1));
        summary.blockSize = wordsPerBlock();
        summary.independentDraws = m_options.independentDraws;
        summary.substitutions =
            summary.words * m_options.draws * static_cast<std::int64_t>(m_cells.size());
        summary.recheckedInFloat64 = m_rechecked;
        const double sampledShare = static_cast<double>(m_finished) /
                                    static_cast<double>(m_series.space().embedding().wordCount());
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
        std::vector<std::size_t> places(m_finished);
        std::iota(places.begin(), places.end(), std::size_t{0});
        std::sort(places.begin(), places.end(),
                  [&](std::size_t a, std::size_t b) { return m_order[a] < m_order[b]; });
        return places;
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
                const CellValues& values = cell.values();
                table.nw.push_back(values.nw[place]);
                table.sw.push_back(values.sw[place]);
                table.near.push_back(static_cast<float>(values.near[place]) /
                                     static_cast<float>(m_options.draws));
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
    const double values =
        n * (kTableBytes + static_cast<double>(CellValues::bytesPerWord(options.draws)));
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
