#include "core/calibration/calibrate.h"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <memory>
#include <numeric>
#include <optional>
#include <utility>

#include "core/base/job_part.h"
#include "core/base/parallel.h"
#include "core/base/pass_on.h"
#include "core/calibration/block_run.h"
#include "core/calibration/result_size.h"
#include "core/calibration/run_part.h"
#include "core/calibration/run_results.h"
#include "core/calibration/tem_run.h"
#include "core/calibration/word_order.h"
#include "core/engine/create_series.h"
#include "core/numeric/quantile.h"
#include "core/statistics/word_comparison.h"

namespace epsilens::calibration {
namespace {

// Blocks of one word each that a thread works through before their results are put together.
constexpr std::int64_t kBlocksPerThread = 4;

statistics::Summary summaryOf(const std::vector<std::int32_t>& numbers) {
    return statistics::summarize(std::vector<float>(numbers.begin(), numbers.end()));
}

/// The outputs of the words of a run with independent draws, kept until all can be compared.
class ComparedWords {
public:
    /// The options must outlive it.
    ComparedWords(const CalibrationOptions& options, std::size_t cells)
        : m_options(options), m_outputs(cells) {}

    /// Takes over the outputs of further words of a cell.
    void add(std::size_t cell, std::vector<statistics::CountedOutputs> outputs);

    /// K_w of a cell, and deniability where it was asked for and there are draws enough.
    void compare(std::size_t cell, Cell& result) const;

private:
    void addDeniability(const std::vector<statistics::CountedOutputs>& outputs, Cell& result) const;

    const CalibrationOptions& m_options;
    std::vector<std::vector<statistics::CountedOutputs>> m_outputs;  ///< per cell
};

void ComparedWords::add(std::size_t cell, std::vector<statistics::CountedOutputs> outputs) {
    m_outputs[cell].insert(m_outputs[cell].end(), std::make_move_iterator(outputs.begin()),
                           std::make_move_iterator(outputs.end()));
}

void ComparedWords::compare(std::size_t cell, Cell& result) const {
    const std::vector<statistics::CountedOutputs>& outputs = m_outputs[cell];
    result.kw = summaryOf(statistics::sharedOutputs(outputs));
    if (m_options.deniabilityOdds && m_options.draws >= kLeastDeniabilityDraws) {
        addDeniability(outputs, result);
    }
}

void ComparedWords::addDeniability(const std::vector<statistics::CountedOutputs>& outputs,
                                   Cell& result) const {
    std::vector<float> sizes;
    double shares = 0.0;
    for (const statistics::WordDeniability& word :
         statistics::sampledDeniability(outputs, *m_options.deniabilityOdds)) {
        if (word.size) {
            sizes.push_back(static_cast<float>(*word.size));
            shares += word.share;
        }
    }
    if (sizes.empty()) {
        return;
    }
    const auto measured = static_cast<std::int64_t>(sizes.size());
    result.deniability = Deniability{*m_options.deniabilityOdds, statistics::summarize(sizes),
                                     measured, shares / static_cast<double>(measured)};
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
          m_compared(options, m_cells.size()),
          m_critical(variants()) {
        for (CellResults& cell : m_cells) {
            cell.reserve(m_words.size());
        }
    }

    Result<CalibrationSummary> run() {
        runBlocks(everyBlock(),
                  [this](std::int64_t block, BlockOutcome&& outcome) { take(block, outcome); });
        return summarizeFinished();
    }

    RunPart runPart(const NextBlock& next) {
        RunPart part;
        part.blocks = blocks();
        runBlocks(next, [&](std::int64_t block, BlockOutcome&& outcome) {
            part.finished.insert_or_assign(block, std::move(outcome));
        });
        return part;
    }

    // Takes blocks up to the first that is missing.
    Result<CalibrationSummary> runFrom(RunPart& all) {
        std::int64_t next = 0;
        for (auto& [block, outcome] : all.finished) {
            if (block != next++) {
                break;
            }
            take(block, outcome);
        }
        return summarizeFinished();
    }

private:
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

    [[nodiscard]] Result<CalibrationSummary> summarizeFinished() const {
        if (m_finished == 0) {
            return fail(ErrorCode::cancelled, "cancelled before the first block of words was done");
        }
        return summarize();
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

    // Runs the blocks that `next` gives and hands over the results of each: finish(block, outcome).
    template <typename Finish>
    void runBlocks(const NextBlock& next, const Finish& finish) {
        const auto atOnce = static_cast<std::size_t>(
            m_options.independentDraws ? kBlocksPerThread * threadsUsed() : 1);
        while (!m_job.stopRequested()) {
            std::vector<std::int64_t> numbers;
            while (numbers.size() < atOnce) {
                const auto number = next(blocks());
                if (!number) {
                    break;
                }
                numbers.push_back(*number);
            }
            if (numbers.empty()) {
                return;
            }
            auto results =
                m_options.independentDraws ? runWordsApart(numbers) : runTogether(numbers.front());
            for (std::size_t i = 0; i < numbers.size() && !m_job.stopRequested(); ++i) {
                finish(numbers[i], BlockOutcome{std::move(results[i]), {}, {}});
            }
        }
    }

    // Blocks of one word: too little for several threads, so that each thread takes a block.
    std::vector<std::vector<BlockResults>> runWordsApart(const std::vector<std::int64_t>& numbers) {
        CalibrationOptions alone = m_options;
        alone.threads = 1;
        std::vector<std::vector<BlockResults>> results(numbers.size());
        parallelFor(
            static_cast<std::int64_t>(numbers.size()), m_options.threads, [&](std::int64_t i) {
                const auto place = static_cast<std::size_t>(i);
                const std::vector<Row> word = wordsOf(numbers[place]);
                const auto batch = m_series.batch(alone.grid.epsilons, alone.threads, m_job);
                results[place] = runBlock({m_series, alone, *batch, threadsUsed()},
                                          static_cast<std::uint32_t>(numbers[place]), word, m_job,
                                          [](double) {});
            });
        report(numbers.back(), 1.0);
        return results;
    }

    std::vector<std::vector<BlockResults>> runTogether(std::int64_t block) {
        const std::vector<Row> words = wordsOf(block);
        return {runBlock({m_series, m_options, *m_batch}, static_cast<std::uint32_t>(block), words,
                         m_job, [&](double share) { report(block, share); })};
    }

    // Adds a finished block, in the order of the blocks: sums depend on it.
    void take(std::int64_t block, BlockOutcome& outcome) {
        std::vector<BlockResults>& results = outcome.sampled;
        forEachCell([&](std::size_t cell, std::size_t k, std::size_t e) {
            m_cells[cell].addBlock(results[k].statistics[e], results[k].sums[e]);
            if (!results[k].outputs.empty()) {
                m_compared.add(cell, std::move(results[k].outputs[e]));
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
        });
        addPerWord(summary);
        if (m_options.independentDraws) {
            compareWords(summary);
        }
        return summary;
    }

    void compareWords(CalibrationSummary& summary) const {
        forEachCell([&](std::size_t cell, std::size_t /*k*/, std::size_t /*e*/) {
            m_compared.compare(cell, summary.cells[cell]);
        });
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
    ComparedWords m_compared;
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

/// Makes the summary of a run by `make`, which gets a CalibrationRun, and counts its worst words
/// again if asked for.
template <typename Make>
Result<CalibrationSummary> summarizeNoise(const engine::SearchSpace& space,
                                          const CalibrationOptions& options, std::vector<Row> words,
                                          const JobContext& job, const Make& make) {
    ASSIGN_OR_RETURN(const auto series, engine::createSeries(space, options.grid.mechanism,
                                                             options.grid.usedLambdas()));
    const double first = options.rerunWorst ? 1.0 - rerunShare(options, words.size()) : 1.0;
    const JobContext counting = partOf(job, 0.0, first);
    CalibrationRun run(*series, options, std::move(words), counting);
    Result<CalibrationSummary> summary = make(run);
    if (summary && options.rerunWorst && !summary->partial) {
        rerunWorstWords(*series, options, *summary, partOf(job, first, 1.0));
    }
    return summary;
}

Result<std::vector<Row>> wordsOf(const engine::SearchSpace& space,
                                 const CalibrationOptions& options) {
    if (auto error = validate(options, space.embedding())) {
        return tl::unexpected(*error);
    }
    ASSIGN_OR_RETURN(auto words,
                     selectWords(options.words, space.embedding().wordCount(), options.seed));
    RETURN_IF_ERROR(checkMemory(options, static_cast<std::int64_t>(words.size())));
    return words;
}

double secondsSince(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

Result<CalibrationSummary> calibrate(const engine::SearchSpace& space,
                                     const CalibrationOptions& options, const JobContext& job) {
    const auto start = std::chrono::steady_clock::now();
    ASSIGN_OR_RETURN(auto words, wordsOf(space, options));
    auto summary = options.grid.mechanism.isExact()
                       ? calibrateTem(space, options, std::move(words), job)
                       : summarizeNoise(space, options, std::move(words), job,
                                        [](CalibrationRun& run) { return run.run(); });
    if (summary) {
        summary->seconds = secondsSince(start);
    }
    return summary;
}

Result<RunPart> calibratePart(const engine::SearchSpace& space, const CalibrationOptions& options,
                              const NextBlock& next, const JobContext& job) {
    const auto start = std::chrono::steady_clock::now();
    ASSIGN_OR_RETURN(auto words, wordsOf(space, options));
    RunPart part;
    if (options.grid.mechanism.isExact()) {
        ASSIGN_OR_RETURN(part, calibrateTemPart(space, options, std::move(words), next, job));
    } else {
        ASSIGN_OR_RETURN(const auto series, engine::createSeries(space, options.grid.mechanism,
                                                                 options.grid.usedLambdas()));
        part = CalibrationRun(*series, options, std::move(words), job).runPart(next);
    }
    part.seconds = secondsSince(start);
    return part;
}

Result<CalibrationSummary> calibrateFromParts(const engine::SearchSpace& space,
                                              const CalibrationOptions& options, RunPart all,
                                              const JobContext& job) {
    const auto start = std::chrono::steady_clock::now();
    ASSIGN_OR_RETURN(auto words, wordsOf(space, options));
    auto summary = options.grid.mechanism.isExact()
                       ? calibrateTemFromParts(space, options, std::move(words), all, job)
                       : summarizeNoise(space, options, std::move(words), job,
                                        [&](CalibrationRun& run) { return run.runFrom(all); });
    if (summary) {
        summary->seconds = all.seconds + secondsSince(start);
    }
    return summary;
}

}  // namespace epsilens::calibration
