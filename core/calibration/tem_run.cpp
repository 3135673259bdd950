#include "core/calibration/tem_run.h"

#include <algorithm>
#include <span>
#include <utility>
#include <variant>

#include "core/base/job_part.h"
#include "core/base/ordered.h"
#include "core/base/pass_on.h"
#include "core/calibration/exact_statistics.h"
#include "core/calibration/run_results.h"
#include "core/calibration/word_comparison.h"
#include "core/calibration/word_steps.h"
#include "core/engine/metric_rows.h"
#include "core/engine/word_sample.h"
#include "core/mechanism/form.h"

namespace epsilens::calibration {
namespace {

// Words of a task: enough for the matrix product, few enough that a short run fills all threads.
constexpr std::size_t kFewestWords = 32;
constexpr std::size_t kTasks = 32;

/// What is known of one word.
struct ExactWord {
    bool isDone = false;
    std::vector<ExactStatistics> cells{};
    std::vector<double> critical{};  ///< of each column, when asked for
};

/// For processes that share a run; see Archive.
template <typename Archive>
void transfer(Archive& archive, ExactWord& word) {
    archive(word.isDone, word.cells, word.critical);
}

class TemRun {
public:
    /// laws   columns x epsilons
    /// words  in the order of the run
    TemRun(const CalibrationOptions& options, SelectionGrid grid,
           std::vector<mechanism::TruncatedExponential> laws, std::vector<Row> words,
           const JobContext& job)
        : m_options(options),
          m_spaces(std::move(grid.spaces)),
          m_columns(std::move(grid.columns)),
          m_laws(std::move(laws)),
          m_words(std::move(words)),
          m_job(job),
          m_results(m_words.size()) {}

    Result<CalibrationSummary> run(Crew* crew) {
        const std::size_t perTask =
            std::min(static_cast<std::size_t>(engine::MetricRows::wordsAtOnce(m_spaces.front())),
                     std::max(kFewestWords, (m_words.size() + kTasks - 1) / kTasks));
        const std::size_t tasks = (m_words.size() + perTask - 1) / perTask;
        // Two units for each process, so that a slow one does not hold up the others.
        const std::size_t atOnce =
            crew != nullptr
                ? std::max(std::size_t{1}, tasks / (2 * static_cast<std::size_t>(crew->size())))
                : tasks;
        const auto done = inRanges(
            crew, std::ssize(m_words), static_cast<std::int64_t>(atOnce * perTask),
            [&](std::int64_t begin, std::int64_t end) { return runWords(begin, end, perTask); },
            [&](Archive& archive, std::int64_t word) {
                archive(m_results[static_cast<std::size_t>(word)]);
            });
        if (!done && done.error().code != ErrorCode::cancelled) {
            return tl::unexpected(done.error());
        }
        // Rising rows.
        for (const std::size_t place : ordered(m_words.size(), [&](std::size_t a, std::size_t b) {
                 return m_words[a] < m_words[b];
             })) {
            if (m_results[place].isDone) {
                m_finished.push_back(place);
            }
        }
        if (m_finished.empty()) {
            return fail(ErrorCode::cancelled, "cancelled before the first block of words was done");
        }
        CalibrationSummary summary = summarize();
        if (m_options.deniabilityOdds) {
            addDeniability(summary);
        }
        return summary;
    }

private:
    [[nodiscard]] std::int64_t vocabularySize() const { return m_spaces.front().wordCount(); }
    [[nodiscard]] std::size_t epsilons() const { return m_options.grid.epsilons.size(); }

    Result<void> runWords(std::int64_t begin, std::int64_t end, std::size_t perTask) {
        const auto all = static_cast<double>(m_words.size());
        const auto first = static_cast<std::size_t>(begin);
        return engine::sweepRows(
            {m_spaces, std::span(m_words).subspan(first, static_cast<std::size_t>(end - begin)),
             perTask, true, m_options.nearNeighbours, m_options.threads, "Calibrating"},
            partOf(m_job, static_cast<double>(begin) / all, static_cast<double>(end) / all),
            [&](int /*worker*/) {
                std::vector<ExactStatisticsOfWords> ofSpaces;
                for (const engine::MetricSpace& space : m_spaces) {
                    ofSpaces.emplace_back(space, m_options.draws);
                }
                return ofSpaces;
            },
            [&](std::vector<ExactStatisticsOfWords>& ofSpaces, std::size_t word, std::size_t space,
                const engine::MetricRow& row) {
                fillWord(row, space, ofSpaces[space], m_results[first + word]);
            });
    }

    // The last of the spaces completes a word.
    void fillWord(const engine::MetricRow& row, std::size_t space,
                  ExactStatisticsOfWords& statistics, ExactWord& word) const {
        word.cells.resize(m_laws.size());
        word.critical.resize(m_options.criticalEpsilons ? m_columns.size() : 0);
        for (std::size_t c = 0; c < m_columns.size(); ++c) {
            if (m_columns[c].space != space) {
                continue;
            }
            statistics.compute(row, std::span(m_laws).subspan(c * epsilons(), epsilons()),
                               std::span(word.cells).subspan(c * epsilons(), epsilons()));
            if (m_options.criticalEpsilons) {
                word.critical[c] = statistics.criticalEpsilon(row, m_columns[c].truncation);
            }
        }
        word.isDone = space + 1 == m_spaces.size();
    }

    [[nodiscard]] CalibrationSummary summarize() const {
        CalibrationSummary summary =
            summaryFor(m_options, m_words.size(), std::ssize(m_finished), vocabularySize());
        const double share =
            static_cast<double>(m_finished.size()) / static_cast<double>(vocabularySize());
        for (std::size_t index = 0; index < m_laws.size(); ++index) {
            const SelectionGrid::Column& column = m_columns[index / epsilons()];
            const metric::WordMetric& metric = m_spaces[column.space].metric();
            std::vector<ExactStatistics> words;
            for (const std::size_t place : m_finished) {
                words.push_back(m_results[place].cells[index]);
            }
            Cell& cell = summary.cells.emplace_back(exactCell(words, m_laws[index], share));
            cell.lambda = metric.lambda();
            cell.beta = column.truncation.beta();
            summary.guarantees.push_back(m_laws[index].guarantee(metric));
        }
        WordTable& table = summary.perWord;
        table.cells = m_laws.size();
        for (const std::size_t place : m_finished) {
            table.words.push_back(m_words[place]);
            for (const ExactStatistics& result : m_results[place].cells) {
                table.nw.push_back(result.nw);
                table.sw.push_back(result.sw);
                table.near.push_back(static_cast<float>(result.near));
            }
            for (const double critical : m_results[place].critical) {
                table.criticalEpsilonMedian.push_back(static_cast<float>(critical));
            }
        }
        return summary;
    }

    // Cells that were not reached before the job was stopped stay without.
    void addDeniability(CalibrationSummary& summary) const {
        const std::vector<Row>& words = summary.perWord.words;
        const auto count = static_cast<double>(words.size());
        for (std::size_t index = 0; index < summary.cells.size(); ++index) {
            const auto sizes =
                exactDeniability(m_spaces[m_columns[index / epsilons()].space], m_laws[index],
                                 words, *m_options.deniabilityOdds, m_options.threads, m_job);
            if (!sizes) {
                summary.partial = true;
                return;
            }
            Deniability deniability{*m_options.deniabilityOdds, calibration::summarize(*sizes),
                                    static_cast<std::int64_t>(words.size()), 1.0};
            addWordInterval(deniability.sizes, count,
                            count / static_cast<double>(vocabularySize()));
            summary.cells[index].deniability = deniability;
        }
    }

    const CalibrationOptions& m_options;
    std::vector<engine::MetricSpace> m_spaces;
    std::vector<SelectionGrid::Column> m_columns;
    std::vector<mechanism::TruncatedExponential> m_laws;
    std::vector<Row> m_words;
    const JobContext& m_job;
    std::vector<ExactWord> m_results;       ///< of the words
    std::vector<std::size_t> m_finished{};  ///< their places, by rising row
};

}  // namespace

Result<SelectionGrid> selectionGrid(const embedding::EmbeddingHandle& embedding,
                                    const mechanism::Grid& grid, int threads) {
    SelectionGrid result;
    for (const mechanism::Mechanism& mechanism : grid.mechanisms()) {
        ASSIGN_OR_RETURN(auto form, mechanism.on(embedding));
        auto& weights = std::get<mechanism::SelectionWeights>(form);
        const auto known =
            std::ranges::find(result.spaces, weights.metric.lambda(),
                              [](const auto& space) { return space.metric().lambda(); });
        result.columns.push_back(
            {static_cast<std::size_t>(known - result.spaces.begin()), weights.truncation});
        if (known == result.spaces.end()) {
            const double lambda = weights.metric.lambda();
            ASSIGN_OR_RETURN(auto space,
                             result.spaces.empty()
                                 ? engine::MetricSpace::create(std::move(weights.metric), threads)
                                 : result.spaces.front().withLambda(lambda));
            result.spaces.push_back(std::move(space));
        }
    }
    return result;
}

Result<CalibrationSummary> calibrateTem(const engine::SearchSpace& space,
                                        const CalibrationOptions& options, std::vector<Row> words,
                                        const JobContext& job, Crew* crew) {
    ASSIGN_OR_RETURN(auto grid, selectionGrid(space.handle(), options.grid, options.threads));
    std::vector<mechanism::TruncatedExponential> laws;
    for (const SelectionGrid::Column& column : grid.columns) {
        for (const double epsilon : options.grid.epsilons) {
            ASSIGN_OR_RETURN(const auto law, column.truncation.at(epsilon));
            laws.push_back(law);
        }
    }
    return TemRun(options, std::move(grid), std::move(laws), inRunOrder(words, options.seed), job)
        .run(crew);
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
                                  renamed, nullptr));
    if (run.partial) {
        return fail(ErrorCode::cancelled, "cancelled");
    }
    const std::vector<float>& critical = run.perWord.criticalEpsilonMedian;
    return engine::rangeOfCriticals({critical.begin(), critical.end()}, run.words);
}

}  // namespace epsilens::calibration
