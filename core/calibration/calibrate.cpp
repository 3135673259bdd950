#include "core/calibration/calibrate.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <numeric>
#include <utility>

#include "core/base/job_part.h"
#include "core/base/parallel.h"
#include "core/base/pass_on.h"
#include "core/calibration/block_run.h"
#include "core/calibration/compared_words.h"
#include "core/calibration/run_results.h"
#include "core/calibration/tem_run.h"
#include "core/calibration/word_order.h"
#include "core/engine/create_series.h"
#include "core/numeric/quantile.h"

namespace epsilens::calibration {
namespace {

// Blocks of one word each that a thread works through before their results are put together.
constexpr std::int64_t kBlocksPerThread = 4;

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
          m_compared(series.space(), options, m_cells.size()),
          m_critical(variants()) {}

    Result<CalibrationSummary> run() {
        if (m_options.independentDraws) {
            runWordsApart();
        } else {
            runBlocks();
        }
        if (m_finished == 0) {
            return fail(ErrorCode::cancelled, "cancelled before the first block of words was done");
        }
        return summarize();
    }

private:
    [[nodiscard]] std::size_t variants() const {
        return static_cast<std::size_t>(m_series.variants());
    }
    [[nodiscard]] int threadsUsed() const {
        return m_options.threads > 0 ? m_options.threads : defaultThreadCount();
    }

    void runBlocks() {
        const auto size = static_cast<std::size_t>(
            blockSize(static_cast<std::int64_t>(m_words.size()), m_options));
        std::uint32_t block = 0;
        for (std::size_t first = 0; first < m_words.size() && !m_job.stopRequested();
             first += size, ++block) {
            runOneBlock(block, first, std::min(size, m_words.size() - first));
        }
    }

    // Blocks of one word: too little for several threads, so that each thread takes a block.
    void runWordsApart() {
        CalibrationOptions alone = m_options;
        alone.threads = 1;
        const std::int64_t threads = threadsUsed();
        const auto atOnce = static_cast<std::size_t>(kBlocksPerThread * threads);
        for (std::size_t first = 0; first < m_words.size() && !m_job.stopRequested();
             first += atOnce) {
            const std::size_t count = std::min(atOnce, m_words.size() - first);
            std::vector<std::vector<BlockResults>> results(count);
            parallelFor(static_cast<std::int64_t>(count), m_options.threads, [&](std::int64_t i) {
                const std::size_t block = first + static_cast<std::size_t>(i);
                const std::vector<Row> word{m_words[m_order[block]]};
                const auto batch = m_series.batch(alone.grid.epsilons, alone.threads, m_job);
                results[static_cast<std::size_t>(i)] =
                    runBlock({m_series, alone, *batch, threads}, static_cast<std::uint32_t>(block),
                             word, m_job, [](double) {});
            });
            if (m_job.stopRequested()) {
                return;
            }
            for (std::vector<BlockResults>& block : results) {
                take(block, 1);
            }
            m_job.progress(static_cast<double>(m_finished) / static_cast<double>(m_words.size()),
                           "Calibrating");
        }
    }

    void runOneBlock(std::uint32_t block, std::size_t first, std::size_t count) {
        std::vector<Row> words;
        for (std::size_t i = first; i < first + count; ++i) {
            words.push_back(m_words[m_order[i]]);
        }
        const auto advanced = [&](double share) {
            m_job.progress((static_cast<double>(first) + share * static_cast<double>(count)) /
                               static_cast<double>(m_words.size()),
                           "Calibrating");
        };
        std::vector<BlockResults> results =
            runBlock({m_series, m_options, *m_batch}, block, words, m_job, advanced);
        if (!m_job.stopRequested()) {
            take(results, count);
        }
    }

    // Adds a finished block of words.
    void take(std::vector<BlockResults>& results, std::size_t count) {
        for (std::size_t k = 0; k < results.size(); ++k) {
            for (std::size_t e = 0; e < m_options.grid.epsilons.size(); ++e) {
                const std::size_t cell = k * m_options.grid.epsilons.size() + e;
                m_cells[cell].addBlock(results[k].statistics[e], results[k].sums[e]);
                if (!results[k].outputs.empty()) {
                    m_compared.add(cell, std::move(results[k].outputs[e]));
                }
            }
            m_critical[k].insert(m_critical[k].end(), results[k].critical.begin(),
                                 results[k].critical.end());
            m_rechecked += results[k].rechecked;
        }
        m_finished += count;
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
        summary.blockSize = blockSize(summary.wordsAsked, m_options);
        summary.independentDraws = m_options.independentDraws;
        summary.substitutions =
            summary.words * m_options.draws * static_cast<std::int64_t>(m_cells.size());
        summary.recheckedInFloat64 = m_rechecked;
        const double sampledShare = static_cast<double>(m_finished) /
                                    static_cast<double>(m_series.space().embedding().wordCount());
        for (std::size_t k = 0; k < variants(); ++k) {
            const auto variant = static_cast<std::int64_t>(k);
            for (std::size_t e = 0; e < m_options.grid.epsilons.size(); ++e) {
                const double epsilon = m_options.grid.epsilons[e];
                summary.cells.push_back(m_cells[k * m_options.grid.epsilons.size() + e].summarize(
                    epsilon, m_series.lambda(variant), sampledShare));
                summary.guarantees.push_back(m_series.guarantee(variant, epsilon));
            }
        }
        addPerWord(summary);
        if (m_options.independentDraws) {
            compareWords(summary);
        }
        return summary;
    }

    void compareWords(CalibrationSummary& summary) const {
        std::vector<Row> finished;
        for (std::size_t place = 0; place < m_finished; ++place) {
            finished.push_back(m_words[m_order[place]]);
        }
        parallelFor(static_cast<std::int64_t>(m_cells.size()), m_options.threads,
                    [&](std::int64_t i) {
                        const auto cell = static_cast<std::size_t>(i);
                        m_compared.compare(cell, finished, summary.cells[cell]);
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
        for (const std::size_t place : places) {
            table.words.push_back(m_words[m_order[place]]);
            for (const CellResults& cell : m_cells) {
                table.nw.push_back(static_cast<double>(cell.values().nw[place]));
                table.sw.push_back(static_cast<double>(cell.values().sw[place]));
                table.near.push_back(cell.values().near[place] /
                                     static_cast<float>(m_options.draws));
            }
        }
        if (m_options.criticalEpsilons) {
            addCritical(summary, places);
        }
    }

    void addCritical(CalibrationSummary& summary, const std::vector<std::size_t>& places) const {
        const auto draws = static_cast<std::size_t>(m_options.draws);
        summary.critical.resize(variants());
        summary.perWord.criticalEpsilonMedian.resize(places.size() * variants());
        for (std::size_t k = 0; k < variants(); ++k) {
            summary.critical[k].lambda = m_series.lambda(static_cast<std::int64_t>(k));
            std::vector<double>& values = summary.critical[k].values;
            values.reserve(places.size() * draws);
            for (std::size_t i = 0; i < places.size(); ++i) {
                const auto first =
                    m_critical[k].begin() + static_cast<std::ptrdiff_t>(places[i] * draws);
                std::vector<double> sorted(first, first + static_cast<std::ptrdiff_t>(draws));
                std::sort(sorted.begin(), sorted.end());
                values.insert(values.end(), sorted.begin(), sorted.end());
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

/// Share of its time that a run spends on counting the worst words again.
double rerunShare(const engine::SearchSpace& space, const CalibrationOptions& options) {
    CalibrationOptions once = options;
    once.rerunWorst = false;
    const auto all = estimateCost(space, options);
    const auto first = estimateCost(space, once);
    return all && first && all->seconds > 0.0 ? 1.0 - first->seconds / all->seconds : 0.5;
}

Result<CalibrationSummary> calibrateNoise(const engine::SearchSpace& space,
                                          const CalibrationOptions& options, std::vector<Row> words,
                                          const JobContext& job) {
    ASSIGN_OR_RETURN(const auto series, engine::createSeries(space, options.grid.mechanism,
                                                             options.grid.usedLambdas()));
    const double first = options.rerunWorst ? 1.0 - rerunShare(space, options) : 1.0;
    const JobContext counting = partOf(job, 0.0, first);
    auto summary = CalibrationRun(*series, options, std::move(words), counting).run();
    if (summary && options.rerunWorst && !summary->partial) {
        rerunWorstWords(*series, options, *summary, partOf(job, first, 1.0));
    }
    return summary;
}

}  // namespace

Result<CalibrationSummary> calibrate(const engine::SearchSpace& space,
                                     const CalibrationOptions& options, const JobContext& job) {
    const auto start = std::chrono::steady_clock::now();
    if (auto error = validate(options, space.embedding())) {
        return tl::unexpected(*error);
    }
    ASSIGN_OR_RETURN(auto words,
                     selectWords(options.words, space.embedding().wordCount(), options.seed));
    auto summary = options.grid.mechanism.isExact()
                       ? calibrateTem(space, options, std::move(words), job)
                       : calibrateNoise(space, options, std::move(words), job);
    if (summary) {
        summary->seconds =
            std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    }
    return summary;
}

}  // namespace epsilens::calibration
