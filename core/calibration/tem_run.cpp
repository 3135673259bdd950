#include "core/calibration/tem_run.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <utility>

#include "core/base/parallel.h"
#include "core/base/pass_on.h"
#include "core/calibration/exact_cell.h"
#include "core/calibration/word_order.h"
#include "core/engine/metric_rows.h"
#include "core/engine/word_sample.h"
#include "core/statistics/exact_deniability.h"
#include "core/statistics/exact_statistics.h"

namespace epsilens::calibration {
namespace {

using mechanism::TruncatedExponential;
using mechanism::Truncation;
using statistics::ExactStatistics;

// Words of a task: enough for the matrix product, few enough that a short run fills all threads.
constexpr std::int64_t kFewestWords = 32;
constexpr std::int64_t kTasks = 32;

// The results of one column of the grid: a lambda and a radius (or beta), all epsilons.
struct Column {
    std::size_t space = 0;  ///< index of the lambda
    Truncation truncation;
    std::vector<TruncatedExponential> mechanisms{};  ///< one per epsilon
};

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

Result<std::vector<Column>> createColumns(const CalibrationOptions& options, std::size_t spaces,
                                          std::int64_t vocabularySize) {
    ASSIGN_OR_RETURN(const auto truncations, truncationsOf(options, vocabularySize));
    std::vector<Column> columns;
    for (std::size_t space = 0; space < spaces; ++space) {
        for (const Truncation& truncation : truncations) {
            Column column{space, truncation, {}};
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
           std::vector<Column> columns, std::vector<Row> words, const JobContext& job)
        : m_options(options),
          m_spaces(std::move(spaces)),
          m_columns(std::move(columns)),
          m_words(std::move(words)),
          m_job(job),
          m_order(shuffledIndices(m_words.size(), options.seed)),
          m_near(static_cast<int>(
              std::min<std::int64_t>(options.nearNeighbours, vocabularySize() - 1))),
          m_wordsPerTask(std::min(engine::MetricRows::wordsAtOnce(m_spaces.front()),
                                  std::max(kFewestWords, (wordCount() + kTasks - 1) / kTasks))),
          m_isDone(m_words.size(), 0),
          m_results(m_words.size() * cells()),
          m_critical(options.criticalEpsilons ? m_words.size() * m_columns.size() : 0) {}

    Result<CalibrationSummary> run() {
        const std::int64_t tasks = (wordCount() + m_wordsPerTask - 1) / m_wordsPerTask;
        std::atomic<std::int64_t> next{0};
        // A worker takes one task after the other, so that its scratch memory serves them all.
        const int threads = m_options.threads > 0 ? m_options.threads : defaultThreadCount();
        parallelFor(std::min<std::int64_t>(threads, tasks), threads, [&](std::int64_t) {
            engine::MetricRows rows(true);
            std::vector<statistics::ExactStatisticsOfWords> statistics;
            for (const engine::MetricSpace& space : m_spaces) {
                statistics.emplace_back(space, m_options.draws);
            }
            for (std::int64_t task = next++; task < tasks && !m_job.stopRequested();
                 task = next++) {
                runTask(task, rows, statistics);
            }
        });
        if (m_finished == 0) {
            return fail(ErrorCode::cancelled, "cancelled before the first block of words was done");
        }
        CalibrationSummary summary = summarize();
        if (m_options.deniabilityOdds) {
            addDeniability(summary);
        }
        return summary;
    }

private:
    [[nodiscard]] std::int64_t wordCount() const {
        return static_cast<std::int64_t>(m_words.size());
    }
    [[nodiscard]] std::int64_t vocabularySize() const { return m_spaces.front().wordCount(); }
    [[nodiscard]] std::size_t epsilons() const { return m_options.grid.epsilons.size(); }
    [[nodiscard]] std::size_t cells() const { return m_columns.size() * epsilons(); }

    void runTask(std::int64_t task, engine::MetricRows& rows,
                 std::vector<statistics::ExactStatisticsOfWords>& statistics) {
        const std::int64_t first = task * m_wordsPerTask;
        const std::int64_t count = std::min(m_wordsPerTask, wordCount() - first);
        std::vector<Row> words;
        for (std::int64_t i = first; i < first + count; ++i) {
            words.push_back(m_words[m_order[static_cast<std::size_t>(i)]]);
        }
        for (std::size_t space = 0; space < m_spaces.size(); ++space) {
            rows.load(m_spaces[space], words);
            for (std::int64_t i = 0; i < count; ++i) {
                if (m_job.stopRequested()) {
                    return;
                }
                fillWord(rows.finish(i, m_near), m_order[static_cast<std::size_t>(first + i)],
                         space, statistics[space]);
            }
        }
        finishTask(first, count);
    }

    // Results are kept by the place of a word in m_words, which is rising in its row.
    void fillWord(const engine::MetricRow& row, std::size_t place, std::size_t space,
                  statistics::ExactStatisticsOfWords& statistics) {
        for (std::size_t c = 0; c < m_columns.size(); ++c) {
            if (m_columns[c].space != space) {
                continue;
            }
            for (std::size_t e = 0; e < epsilons(); ++e) {
                m_results[place * cells() + c * epsilons() + e] =
                    statistics.compute(row, m_columns[c].mechanisms[e]);
            }
            if (!m_critical.empty()) {
                m_critical[place * m_columns.size() + c] =
                    statistics.criticalEpsilon(row, m_columns[c].truncation);
            }
        }
    }

    void finishTask(std::int64_t first, std::int64_t count) {
        const std::scoped_lock lock(m_mutex);
        for (std::int64_t i = first; i < first + count; ++i) {
            m_isDone[m_order[static_cast<std::size_t>(i)]] = 1;
        }
        m_finished += count;
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
            const Column& column = m_columns[index / epsilons()];
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
            if (m_isDone[place] != 0) {
                words.push_back(m_results[place * cells() + index]);
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
            if (m_isDone[place] == 0) {
                continue;
            }
            table.words.push_back(m_words[place]);
            for (std::size_t cell = 0; cell < cells(); ++cell) {
                table.nw.push_back(m_results[place * cells() + cell].nw);
                table.sw.push_back(m_results[place * cells() + cell].sw);
                table.near.push_back(static_cast<float>(m_results[place * cells() + cell].near));
            }
            for (std::size_t c = 0; c < m_columns.size() && !m_critical.empty(); ++c) {
                table.criticalEpsilonMedian.push_back(
                    static_cast<float>(m_critical[place * m_columns.size() + c]));
            }
        }
    }

    const CalibrationOptions& m_options;
    std::vector<engine::MetricSpace> m_spaces;
    std::vector<Column> m_columns;
    std::vector<Row> m_words;
    const JobContext& m_job;
    std::vector<std::size_t> m_order;
    int m_near;
    std::int64_t m_wordsPerTask;
    std::vector<std::uint8_t> m_isDone;
    std::vector<ExactStatistics> m_results;  ///< words x cells
    std::vector<double> m_critical;          ///< words x columns when asked for
    std::mutex m_mutex{};
    std::int64_t m_finished = 0;
};

}  // namespace

Result<CalibrationSummary> calibrateTem(const engine::SearchSpace& space,
                                        const CalibrationOptions& options, std::vector<Row> words,
                                        const JobContext& job) {
    ASSIGN_OR_RETURN(auto spaces, createSpaces(space.handle(), options));
    ASSIGN_OR_RETURN(auto columns,
                     createColumns(options, spaces.size(), space.embedding().wordCount()));
    return TemRun(options, std::move(spaces), std::move(columns), std::move(words), job).run();
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
