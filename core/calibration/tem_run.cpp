#include "core/calibration/tem_run.h"

#include <algorithm>
#include <span>
#include <utility>
#include <variant>

#include "core/base/job_context.h"
#include "core/base/parallel.h"
#include "core/base/pass_on.h"
#include "core/base/random_stream.h"
#include "core/calibration/exact_statistics.h"
#include "core/calibration/run_results.h"
#include "core/calibration/word_comparison.h"
#include "core/engine/metric_rows.h"
#include "core/engine/word_sample.h"
#include "core/mechanism/form.h"

namespace epsilens::calibration {
namespace {

// Words of a task: enough for the matrix product, few enough that a short run fills all threads.
constexpr std::int64_t kFewestWords = 32;
constexpr std::int64_t kTasks = 32;

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
    /// laws  columns x epsilons
    TemRun(const CalibrationOptions& options, SelectionGrid grid,
           std::vector<mechanism::TruncatedExponential> laws, std::vector<Row> words,
           const JobContext& job)
        : m_options(options),
          m_spaces(std::move(grid.spaces)),
          m_columns(std::move(grid.columns)),
          m_laws(std::move(laws)),
          m_words(std::move(words)),
          m_job(job),
          m_order(shuffledIndices(m_words.size(), {options.seed, StreamPurpose::blockPermutation})),
          m_near(static_cast<int>(
              std::min<std::int64_t>(options.nearNeighbours, vocabularySize() - 1))),
          m_wordsPerTask(
              std::min(engine::MetricRows::wordsAtOnce(m_spaces.front()),
                       std::max(kFewestWords, (std::ssize(m_words) + kTasks - 1) / kTasks))),
          m_blocks((std::ssize(m_words) + m_wordsPerTask - 1) / m_wordsPerTask),
          m_results(m_words.size()) {}

    Result<CalibrationSummary> run(Crew* crew) {
        // Two units for each process, so that a slow one does not hold up the others.
        const std::int64_t atOnce =
            crew != nullptr ? std::max<std::int64_t>(1, m_blocks / (2 * crew->size())) : m_blocks;
        const auto endOf = [&](std::int64_t unit) {
            return std::min((unit + 1) * atOnce, m_blocks);
        };
        const auto done = inUnits(
            crew, (m_blocks + atOnce - 1) / atOnce,
            [&](std::int64_t unit) { return runBlocks(unit * atOnce, endOf(unit)); },
            [&](auto& archive, std::int64_t unit) {
                for (const std::size_t place : placesOf(unit * atOnce, endOf(unit))) {
                    archive(m_results[place]);
                }
            });
        if (!done && done.error().code != ErrorCode::cancelled) {
            return tl::unexpected(done.error());
        }
        if (std::ranges::none_of(m_results, &ExactWord::isDone)) {
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
    /// Places in m_words of the words of some blocks.
    [[nodiscard]] std::span<const std::size_t> placesOf(std::int64_t first,
                                                        std::int64_t end) const {
        const auto begin = static_cast<std::size_t>(first * m_wordsPerTask);
        const auto size = static_cast<std::size_t>((end - first) * m_wordsPerTask);
        return std::span(m_order).subspan(begin, std::min(size, m_order.size() - begin));
    }

    /// Scratch memory of one thread.
    struct Worker {
        engine::MetricRows rows{true};
        std::vector<ExactStatisticsOfWords> statistics{};  ///< one for each space
    };

    Result<void> runBlocks(std::int64_t first, std::int64_t end) {
        const auto all = static_cast<double>(m_blocks);
        return inParallel(
            static_cast<std::size_t>(end - first), m_options.threads, "Calibrating",
            partOf(m_job, static_cast<double>(first) / all, static_cast<double>(end) / all),
            [&](int) {
                Worker worker;
                for (const engine::MetricSpace& space : m_spaces) {
                    worker.statistics.emplace_back(space, m_options.draws);
                }
                return worker;
            },
            [&](Worker& worker, std::size_t i) {
                const std::int64_t block = first + static_cast<std::int64_t>(i);
                runBlock(placesOf(block, block + 1), worker);
            });
    }

    void runBlock(std::span<const std::size_t> places, Worker& worker) {
        std::vector<Row> words;
        for (const std::size_t place : places) {
            words.push_back(m_words[place]);
            m_results[place].cells.resize(m_laws.size());
        }
        for (std::size_t space = 0; space < m_spaces.size(); ++space) {
            worker.rows.load(m_spaces[space], words);
            for (std::size_t i = 0; i < words.size(); ++i) {
                if (m_job.stopRequested()) {
                    return;
                }
                fillWord(worker.rows.finish(static_cast<std::int64_t>(i), m_near), space,
                         worker.statistics[space], m_results[places[i]]);
            }
        }
        for (const std::size_t place : places) {
            m_results[place].isDone = true;
        }
    }

    void fillWord(const engine::MetricRow& row, std::size_t space,
                  ExactStatisticsOfWords& statistics, ExactWord& word) {
        for (std::size_t c = 0; c < m_columns.size(); ++c) {
            if (m_columns[c].space != space) {
                continue;
            }
            statistics.compute(row, std::span(m_laws).subspan(c * epsilons(), epsilons()),
                               std::span(word.cells).subspan(c * epsilons(), epsilons()));
            if (m_options.criticalEpsilons) {
                // Columns come in the order of their spaces.
                word.critical.push_back(statistics.criticalEpsilon(row, m_columns[c].truncation));
            }
        }
    }

    [[nodiscard]] CalibrationSummary summarize() const {
        const auto finished = std::ranges::count(m_results, true, &ExactWord::isDone);
        CalibrationSummary summary =
            summaryFor(m_options, m_words.size(), finished, vocabularySize());
        const double share = static_cast<double>(finished) / static_cast<double>(vocabularySize());
        for (std::size_t index = 0; index < m_laws.size(); ++index) {
            const SelectionGrid::Column& column = m_columns[index / epsilons()];
            const metric::WordMetric& metric = m_spaces[column.space].metric();
            std::vector<ExactStatistics> words;
            for (const ExactWord& word : m_results) {
                if (word.isDone) {
                    words.push_back(word.cells[index]);
                }
            }
            Cell& cell = summary.cells.emplace_back(exactCell(words, m_laws[index], share));
            cell.lambda = metric.lambda();
            cell.beta = column.truncation.beta();
            summary.guarantees.push_back(m_laws[index].guarantee(metric));
        }
        WordTable& table = summary.perWord;
        table.cells = m_laws.size();
        for (std::size_t place = 0; place < m_words.size(); ++place) {
            const ExactWord& word = m_results[place];
            if (!word.isDone) {
                continue;
            }
            table.words.push_back(m_words[place]);
            for (const ExactStatistics& result : word.cells) {
                table.nw.push_back(result.nw);
                table.sw.push_back(result.sw);
                table.near.push_back(static_cast<float>(result.near));
            }
            for (const double critical : word.critical) {
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
                                    std::ssize(words), 1.0};
            addWordInterval(deniability.sizes, count,
                            count / static_cast<double>(vocabularySize()));
            summary.cells[index].deniability = deniability;
        }
    }

    const CalibrationOptions& m_options;
    std::vector<engine::MetricSpace> m_spaces;
    std::vector<SelectionGrid::Column> m_columns;
    std::vector<mechanism::TruncatedExponential> m_laws;  ///< columns x epsilons
    std::vector<Row> m_words;
    const JobContext& m_job;
    std::vector<std::size_t> m_order;  ///< places in m_words, in the order of the run
    int m_near;
    std::int64_t m_wordsPerTask;
    std::int64_t m_blocks;
    std::vector<ExactWord> m_results;  ///< per word
};

}  // namespace

Result<SelectionGrid> selectionGrid(const embedding::EmbeddingHandle& embedding,
                                    const mechanism::Grid& grid, int threads) {
    SelectionGrid result;
    std::vector<double> lambdas;
    for (const mechanism::Mechanism& mechanism : grid.mechanisms()) {
        ASSIGN_OR_RETURN(auto form, mechanism.on(embedding));
        auto& weights = std::get<mechanism::SelectionWeights>(form);
        const double lambda = mechanism.lambda();
        const auto known = std::ranges::find(lambdas, lambda);
        result.columns.push_back(
            {static_cast<std::size_t>(known - lambdas.begin()), weights.truncation});
        if (known == lambdas.end()) {
            ASSIGN_OR_RETURN(auto space,
                             result.spaces.empty()
                                 ? engine::MetricSpace::create(std::move(weights.metric), threads)
                                 : result.spaces.front().withLambda(lambda));
            result.spaces.push_back(std::move(space));
            lambdas.push_back(lambda);
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
    return TemRun(options, std::move(grid), std::move(laws), std::move(words), job).run(crew);
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
