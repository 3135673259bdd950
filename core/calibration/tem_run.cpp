#include "core/calibration/tem_run.h"

#include <algorithm>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <utility>

#include "core/base/parallel.h"
#include "core/base/pass_on.h"
#include "core/calibration/exact_cell.h"
#include "core/calibration/word_order.h"
#include "core/engine/metric_rows.h"
#include "core/engine/metric_space.h"
#include "core/engine/word_sample.h"
#include "core/mechanism/truncated_exponential.h"
#include "core/statistics/exact_deniability.h"
#include "core/statistics/exact_statistics.h"

namespace epsilens::calibration {
namespace {

using mechanism::Truncation;
using statistics::ExactStatistics;

// Words of a task: enough for the matrix product, few enough that a short run fills all threads.
constexpr std::int64_t kFewestWords = 32;
constexpr std::int64_t kTasks = 32;

/// One column of the grid of a TEM or an exponential mechanism: a lambda and a radius (or beta), at
/// all epsilons.
struct TemColumn {
    std::size_t space = 0;  ///< index of the lambda
    mechanism::Truncation truncation;
    std::vector<mechanism::TruncatedExponential> mechanisms{};  ///< one per epsilon
};

/// How the radius is chosen, one entry per gamma, or per beta if no gamma is given.
Result<std::vector<Truncation>> truncationsOf(const CalibrationOptions& options,
                                              std::int64_t vocabularySize) {
    if (!options.grid.mechanism.hasRadius()) {
        return std::vector{Truncation::none()};
    }
    std::vector<Truncation> truncations;
    const bool byRadius = !options.grid.gammas.empty();
    for (const double value : byRadius ? options.grid.gammas : options.grid.betas) {
        ASSIGN_OR_RETURN(auto truncation,
                         byRadius ? Truncation::byRadius(value)
                                  : Truncation::byErrorProbability(value, vocabularySize));
        truncations.push_back(truncation);
    }
    if (truncations.empty()) {
        return fail(ErrorCode::invalidArgument, "the grid has neither a gamma nor a beta");
    }
    return truncations;
}

/// The distances of every lambda of the grid. Fails as metric::WordMetric::create.
Result<std::vector<engine::MetricSpace>> createSpaces(const embedding::EmbeddingHandle& embedding,
                                                      const CalibrationOptions& options) {
    std::vector<engine::MetricSpace> spaces;
    for (const double lambda : options.grid.usedLambdas()) {
        ASSIGN_OR_RETURN(
            auto space,
            spaces.empty()
                ? metric::WordMetric::create(embedding, options.grid.mechanism.metric(), lambda)
                      .and_then([&](metric::WordMetric&& metric) {
                          return engine::MetricSpace::create(std::move(metric), options.threads);
                      })
                : spaces.front().withLambda(lambda));
        spaces.push_back(std::move(space));
    }
    return spaces;
}

/// All columns of the grid, lambda-major. Fails with invalidArgument for values out of range.
///
/// spaces  number of lambdas
Result<std::vector<TemColumn>> createColumns(const CalibrationOptions& options, std::size_t spaces,
                                             std::int64_t vocabularySize) {
    ASSIGN_OR_RETURN(const auto truncations, truncationsOf(options, vocabularySize));
    std::vector<TemColumn> columns;
    for (std::size_t space = 0; space < spaces; ++space) {
        for (const Truncation& truncation : truncations) {
            TemColumn column{space, truncation, {}};
            for (const double epsilon : options.grid.epsilons) {
                ASSIGN_OR_RETURN(auto mechanism, truncation.at(epsilon));
                column.mechanisms.push_back(mechanism);
            }
            columns.push_back(std::move(column));
        }
    }
    return columns;
}

class TemRun {
public:
    TemRun(const CalibrationOptions& options, std::vector<engine::MetricSpace> spaces,
           std::vector<TemColumn> columns, std::vector<Row> words, const JobContext& job)
        : m_options(options),
          m_spaces(std::move(spaces)),
          m_columns(std::move(columns)),
          m_words(std::move(words)),
          m_job(job),
          m_order(shuffledIndices(m_words.size(), options.seed)),
          m_at(m_words.size()),
          m_near(static_cast<int>(
              std::min<std::int64_t>(options.nearNeighbours, vocabularySize() - 1))),
          m_wordsPerTask(std::min(engine::MetricRows::wordsAtOnce(m_spaces.front()),
                                  std::max(kFewestWords, (wordCount() + kTasks - 1) / kTasks))),
          m_isDone(m_words.size(), 0),
          m_results(m_words.size() * cells()),
          m_critical(m_words.size() * criticals()) {
        for (std::size_t i = 0; i < m_order.size(); ++i) {
            m_at[m_order[i]] = i;
        }
    }

    Result<CalibrationSummary> run() {
        runBlocks(everyBlock());
        return summarizeFinished();
    }

    RunPart runPart(const NextBlock& next) {
        runBlocks(next);
        RunPart part;
        part.blocks = blocks();
        for (std::int64_t block = 0; block < blocks(); ++block) {
            if (m_isDone[firstOf(block)] != 0) {
                part.finished.emplace(block, outcomeOf(block));
            }
        }
        return part;
    }

    Result<CalibrationSummary> runFrom(const RunPart& all) {
        for (const auto& [block, outcome] : all.finished) {
            take(block, outcome);
        }
        return summarizeFinished();
    }

private:
    [[nodiscard]] std::int64_t wordCount() const {
        return static_cast<std::int64_t>(m_words.size());
    }
    [[nodiscard]] std::int64_t vocabularySize() const { return m_spaces.front().wordCount(); }
    [[nodiscard]] std::size_t epsilons() const { return m_options.grid.epsilons.size(); }
    [[nodiscard]] std::size_t cells() const { return m_columns.size() * epsilons(); }
    [[nodiscard]] std::size_t criticals() const {
        return m_options.criticalEpsilons ? m_columns.size() : 0;
    }
    [[nodiscard]] std::int64_t blocks() const {
        return (wordCount() + m_wordsPerTask - 1) / m_wordsPerTask;
    }
    [[nodiscard]] std::size_t firstOf(std::int64_t block) const {
        return static_cast<std::size_t>(block * m_wordsPerTask);
    }
    [[nodiscard]] std::size_t sizeOf(std::int64_t block) const {
        return std::min(static_cast<std::size_t>(m_wordsPerTask), m_words.size() - firstOf(block));
    }

    void runBlocks(const NextBlock& next) {
        std::mutex asking;
        const auto nextBlock = [&]() -> std::optional<std::int64_t> {
            const std::scoped_lock lock(asking);
            return m_job.stopRequested() ? std::nullopt : next(blocks());
        };
        // A worker takes one block after the other, so that its scratch memory serves them all.
        const int threads = m_options.threads > 0 ? m_options.threads : defaultThreadCount();
        parallelFor(std::min<std::int64_t>(threads, blocks()), threads, [&](std::int64_t) {
            engine::MetricRows rows(true);
            std::vector<statistics::ExactStatisticsOfWords> statistics;
            for (const engine::MetricSpace& space : m_spaces) {
                statistics.emplace_back(space, m_options.draws);
            }
            for (auto block = nextBlock(); block; block = nextBlock()) {
                runBlock(*block, rows, statistics);
            }
        });
    }

    [[nodiscard]] Result<CalibrationSummary> summarizeFinished() const {
        if (m_finished == 0) {
            return fail(ErrorCode::cancelled, "cancelled before the first block of words was done");
        }
        CalibrationSummary summary = summarize();
        if (m_options.deniabilityOdds) {
            addDeniability(summary);
        }
        return summary;
    }

    [[nodiscard]] BlockOutcome outcomeOf(std::int64_t block) const {
        const auto part = [&](const auto& values, std::size_t perWord) {
            const auto first =
                values.begin() + static_cast<std::ptrdiff_t>(firstOf(block) * perWord);
            return std::vector(first, first + static_cast<std::ptrdiff_t>(sizeOf(block) * perWord));
        };
        return {{}, part(m_results, cells()), part(m_critical, criticals())};
    }

    void take(std::int64_t block, const BlockOutcome& outcome) {
        std::copy(outcome.exact.begin(), outcome.exact.end(),
                  m_results.begin() + static_cast<std::ptrdiff_t>(firstOf(block) * cells()));
        std::copy(outcome.critical.begin(), outcome.critical.end(),
                  m_critical.begin() + static_cast<std::ptrdiff_t>(firstOf(block) * criticals()));
        finishBlock(block);
    }

    void runBlock(std::int64_t block, engine::MetricRows& rows,
                  std::vector<statistics::ExactStatisticsOfWords>& statistics) {
        std::vector<Row> words;
        for (std::size_t i = firstOf(block); i < firstOf(block) + sizeOf(block); ++i) {
            words.push_back(m_words[m_order[i]]);
        }
        for (std::size_t space = 0; space < m_spaces.size(); ++space) {
            rows.load(m_spaces[space], words);
            for (std::size_t i = 0; i < words.size(); ++i) {
                if (m_job.stopRequested()) {
                    return;
                }
                fillWord(rows.finish(static_cast<std::int64_t>(i), m_near), firstOf(block) + i,
                         space, statistics[space]);
            }
        }
        finishBlock(block);
    }

    void fillWord(const engine::MetricRow& row, std::size_t at, std::size_t space,
                  statistics::ExactStatisticsOfWords& statistics) {
        for (std::size_t c = 0; c < m_columns.size(); ++c) {
            if (m_columns[c].space != space) {
                continue;
            }
            statistics.compute(
                row, m_columns[c].mechanisms,
                std::span(m_results).subspan(at * cells() + c * epsilons(), epsilons()));
            if (!m_critical.empty()) {
                m_critical[at * m_columns.size() + c] =
                    statistics.criticalEpsilon(row, m_columns[c].truncation);
            }
        }
    }

    void finishBlock(std::int64_t block) {
        const std::scoped_lock lock(m_mutex);
        std::fill_n(m_isDone.begin() + static_cast<std::ptrdiff_t>(firstOf(block)), sizeOf(block),
                    std::uint8_t{1});
        m_finished += static_cast<std::int64_t>(sizeOf(block));
        m_job.progress(static_cast<double>(m_finished) / static_cast<double>(wordCount()),
                       "Calibrating");
    }

    [[nodiscard]] CalibrationSummary summarize() const {
        CalibrationSummary summary;
        summary.grid = m_options.grid.used();
        summary.words = m_finished;
        summary.wordsAsked = wordCount();
        summary.partial = m_finished < wordCount();
        summary.draws = m_options.draws;
        summary.seed = m_options.seed;
        summary.threads = m_options.threads > 0 ? m_options.threads : defaultThreadCount();
        summary.nearNeighbours = m_near;
        for (std::size_t c = 0; c < m_columns.size(); ++c) {
            const metric::WordMetric& metric = m_spaces[m_columns[c].space].metric();
            for (std::size_t e = 0; e < epsilons(); ++e) {
                summary.cells.push_back(summarizeCell(c, e));
                summary.guarantees.push_back(m_columns[c].mechanisms[e].guarantee(metric));
            }
        }
        addPerWord(summary);
        return summary;
    }

    // Cells that were not reached before the job was stopped stay without.
    void addDeniability(CalibrationSummary& summary) const {
        const std::vector<Row>& words = summary.perWord.words;
        const auto count = static_cast<double>(words.size());
        for (std::size_t index = 0; index < summary.cells.size(); ++index) {
            const TemColumn& column = m_columns[index / epsilons()];
            const auto sizes = statistics::exactDeniability(
                m_spaces[column.space], column.mechanisms[index % epsilons()], words,
                *m_options.deniabilityOdds, m_options.threads, m_job);
            if (!sizes) {
                summary.partial = true;
                return;
            }
            Deniability deniability{*m_options.deniabilityOdds, statistics::summarize(*sizes),
                                    static_cast<std::int64_t>(words.size()), 1.0};
            addWordInterval(deniability.sizes, count,
                            count / static_cast<double>(vocabularySize()));
            summary.cells[index].deniability = deniability;
        }
    }

    [[nodiscard]] Cell summarizeCell(std::size_t column, std::size_t epsilon) const {
        const std::size_t index = column * epsilons() + epsilon;
        std::vector<ExactStatistics> words;
        words.reserve(static_cast<std::size_t>(m_finished));
        for (std::size_t place = 0; place < m_words.size(); ++place) {
            if (m_isDone[m_at[place]] != 0) {
                words.push_back(m_results[m_at[place] * cells() + index]);
            }
        }
        Cell cell =
            exactCell(words, m_columns[column].mechanisms[epsilon],
                      static_cast<double>(m_finished) / static_cast<double>(vocabularySize()));
        cell.lambda = m_spaces[m_columns[column].space].metric().lambda();
        cell.beta = m_columns[column].truncation.beta();
        return cell;
    }

    void addPerWord(CalibrationSummary& summary) const {
        WordTable& table = summary.perWord;
        table.cells = cells();
        for (std::size_t place = 0; place < m_words.size(); ++place) {
            if (m_isDone[m_at[place]] == 0) {
                continue;
            }
            table.words.push_back(m_words[place]);
            for (std::size_t cell = 0; cell < cells(); ++cell) {
                table.nw.push_back(m_results[m_at[place] * cells() + cell].nw);
                table.sw.push_back(m_results[m_at[place] * cells() + cell].sw);
                table.near.push_back(
                    static_cast<float>(m_results[m_at[place] * cells() + cell].near));
            }
            for (std::size_t c = 0; c < m_columns.size() && !m_critical.empty(); ++c) {
                table.criticalEpsilonMedian.push_back(
                    static_cast<float>(m_critical[m_at[place] * m_columns.size() + c]));
            }
        }
    }

    const CalibrationOptions& m_options;
    std::vector<engine::MetricSpace> m_spaces;
    std::vector<TemColumn> m_columns;
    std::vector<Row> m_words;
    const JobContext& m_job;
    std::vector<std::size_t> m_order;  ///< places in m_words, in the order of the run
    std::vector<std::size_t> m_at;     ///< where a place stands in this order
    int m_near;
    std::int64_t m_wordsPerTask;
    std::vector<std::uint8_t> m_isDone;
    std::vector<ExactStatistics> m_results;  ///< words x cells, in the order of the run
    std::vector<double> m_critical;          ///< words x columns, likewise, when asked for
    std::mutex m_mutex{};
    std::int64_t m_finished = 0;
};

Result<std::unique_ptr<TemRun>> createRun(const engine::SearchSpace& space,
                                          const CalibrationOptions& options, std::vector<Row> words,
                                          const JobContext& job) {
    ASSIGN_OR_RETURN(auto spaces, createSpaces(space.handle(), options));
    ASSIGN_OR_RETURN(auto columns,
                     createColumns(options, spaces.size(), space.embedding().wordCount()));
    return std::make_unique<TemRun>(options, std::move(spaces), std::move(columns),
                                    std::move(words), job);
}

}  // namespace

Result<CalibrationSummary> calibrateTem(const engine::SearchSpace& space,
                                        const CalibrationOptions& options, std::vector<Row> words,
                                        const JobContext& job) {
    ASSIGN_OR_RETURN(const auto run, createRun(space, options, std::move(words), job));
    return run->run();
}

Result<RunPart> calibrateTemPart(const engine::SearchSpace& space,
                                 const CalibrationOptions& options, std::vector<Row> words,
                                 const NextBlock& next, const JobContext& job) {
    ASSIGN_OR_RETURN(const auto run, createRun(space, options, std::move(words), job));
    return run->runPart(next);
}

Result<CalibrationSummary> calibrateTemFromParts(const engine::SearchSpace& space,
                                                 const CalibrationOptions& options,
                                                 std::vector<Row> words, const RunPart& all,
                                                 const JobContext& job) {
    ASSIGN_OR_RETURN(const auto run, createRun(space, options, std::move(words), job));
    return run->runFrom(all);
}

Result<engine::EpsilonRange> estimateTemRange(const engine::SearchSpace& space,
                                              const CalibrationOptions& options,
                                              const JobContext& job) {
    CalibrationOptions sample = options;
    sample.grid.epsilons = {1.0};
    sample.draws = 1;
    sample.criticalEpsilons = true;
    const JobContext renamed{
        job.stop, [&](const Progress& progress) { job.progress(progress.fraction, "Range of ε"); }};
    ASSIGN_OR_RETURN(const auto run,
                     calibrateTem(space, sample,
                                  engine::sampleWords(space.embedding().wordCount(),
                                                      engine::kRangeWords, options.seed),
                                  renamed));
    if (run.partial) {
        return fail(ErrorCode::cancelled, "cancelled");
    }
    const std::vector<float>& critical = run.perWord.criticalEpsilonMedian;
    return engine::rangeOfCriticals({critical.begin(), critical.end()}, run.words);
}

}  // namespace epsilens::calibration
