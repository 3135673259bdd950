#include "core/calibration/tem_run.h"

#include <algorithm>
#include <span>
#include <utility>
#include <variant>

#include "core/base/job_context.h"
#include "core/base/ordered.h"
#include "core/calibration/exact_statistics.h"
#include "core/calibration/run_results.h"
#include "core/calibration/word_comparison.h"
#include "core/calibration/word_steps.h"
#include "core/engine/metric_rows.h"
#include "core/mechanism/kinds.h"

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

struct TemRun {
    const CalibrationOptions& options;
    SelectionGrid grid;
    std::vector<mechanism::TruncatedExponential> laws;  ///< columns x epsilons
    std::vector<Row> words;                             ///< in the order of the run
    const JobContext& job;
    std::vector<ExactWord> results = std::vector<ExactWord>(words.size());
    std::vector<std::size_t> finished{};  ///< places of words, by rising row

    Result<CalibrationSummary> run(Crew* crew) {
        const std::size_t perTask =
            std::min(static_cast<std::size_t>(engine::MetricRows::wordsAtOnce(grid.spaces.front())),
                     std::max(kFewestWords, (words.size() + kTasks - 1) / kTasks));
        const std::size_t tasks = (words.size() + perTask - 1) / perTask;
        // Two units for each process, so that a slow one does not hold up the others.
        const std::size_t atOnce =
            crew != nullptr
                ? std::max(std::size_t{1}, tasks / (2 * static_cast<std::size_t>(crew->size())))
                : tasks;
        const auto done = inRanges(
            crew, std::ssize(words), static_cast<std::int64_t>(atOnce * perTask),
            [&](std::int64_t begin, std::int64_t end) { return runWords(begin, end, perTask); },
            [&](Archive& archive, std::int64_t word) {
                archive(results[static_cast<std::size_t>(word)]);
            });
        if (!done && done.error().code != ErrorCode::cancelled) {
            return tl::unexpected(done.error());
        }
        // Rising rows.
        for (const std::size_t place :
             ordered(words.size(), [&](std::size_t i) { return words[i]; })) {
            if (results[place].isDone) {
                finished.push_back(place);
            }
        }
        if (finished.empty()) {
            return fail(ErrorCode::cancelled, "cancelled before the first block of words was done");
        }
        CalibrationSummary summary = summarize();
        if (options.deniabilityOdds) {
            addDeniability(summary);
        }
        return summary;
    }

    [[nodiscard]] std::int64_t vocabularySize() const { return grid.spaces.front().wordCount(); }
    [[nodiscard]] std::size_t epsilons() const { return options.grid.epsilons.size(); }

    Result<void> runWords(std::int64_t begin, std::int64_t end, std::size_t perTask) {
        const auto first = static_cast<std::size_t>(begin);
        return engine::sweepRows(
            {grid.spaces, std::span(words).subspan(first, static_cast<std::size_t>(end - begin)),
             perTask, true, options.nearNeighbours, options.threads, "Calibrating"},
            partOf(job, begin, end, words.size()),
            [&](int /*worker*/) {
                std::vector<ExactStatisticsOfWords> ofSpaces;
                for (const engine::MetricSpace& space : grid.spaces) {
                    ofSpaces.emplace_back(space, options.draws);
                }
                return ofSpaces;
            },
            [&](std::vector<ExactStatisticsOfWords>& ofSpaces, std::size_t word, std::size_t space,
                const engine::MetricRow& row) {
                fillWord(row, space, ofSpaces[space], results[first + word]);
            });
    }

    // The last of the spaces completes a word.
    void fillWord(const engine::MetricRow& row, std::size_t space,
                  ExactStatisticsOfWords& statistics, ExactWord& word) const {
        word.cells.resize(laws.size());
        word.critical.resize(options.criticalEpsilons ? grid.columns.size() : 0);
        for (std::size_t c = 0; c < grid.columns.size(); ++c) {
            if (grid.columns[c].space != space) {
                continue;
            }
            statistics.compute(row, std::span(laws).subspan(c * epsilons(), epsilons()),
                               std::span(word.cells).subspan(c * epsilons(), epsilons()));
            if (options.criticalEpsilons) {
                word.critical[c] = statistics.criticalEpsilon(row, grid.columns[c].truncation);
            }
        }
        word.isDone = space + 1 == grid.spaces.size();
    }

    [[nodiscard]] CalibrationSummary summarize() const {
        CalibrationSummary summary =
            summaryFor(options, words.size(), std::ssize(finished), vocabularySize());
        const double share =
            static_cast<double>(finished.size()) / static_cast<double>(vocabularySize());
        for (std::size_t index = 0; index < laws.size(); ++index) {
            const SelectionGrid::Column& column = grid.columns[index / epsilons()];
            const metric::WordMetric& metric = grid.spaces[column.space].metric();
            std::vector<ExactStatistics> ofCell;
            for (const std::size_t place : finished) {
                ofCell.push_back(results[place].cells[index]);
            }
            Cell& cell = summary.cells.emplace_back(exactCell(ofCell, laws[index], share));
            cell.lambda = metric.lambda();
            cell.beta = column.truncation.beta();
            summary.guarantees.push_back(laws[index].guarantee(metric));
        }
        WordTable& table = summary.perWord;
        table.cells = laws.size();
        for (const std::size_t place : finished) {
            table.words.push_back(words[place]);
            for (const ExactStatistics& result : results[place].cells) {
                table.nw.push_back(result.nw);
                table.sw.push_back(result.sw);
                table.near.push_back(static_cast<float>(result.near));
            }
            for (const double critical : results[place].critical) {
                table.criticalEpsilonMedian.push_back(static_cast<float>(critical));
            }
        }
        return summary;
    }

    // Cells that were not reached before the job was stopped stay without.
    void addDeniability(CalibrationSummary& summary) const {
        const std::vector<Row>& rows = summary.perWord.words;
        const auto count = static_cast<double>(rows.size());
        for (std::size_t index = 0; index < summary.cells.size(); ++index) {
            const auto sizes =
                exactDeniability(grid.spaces[grid.columns[index / epsilons()].space], laws[index],
                                 rows, *options.deniabilityOdds, options.threads, job);
            if (!sizes) {
                summary.partial = true;
                return;
            }
            Deniability deniability{*options.deniabilityOdds, calibration::summarize(*sizes),
                                    std::ssize(rows), 1.0};
            addWordInterval(deniability.sizes, count,
                            count / static_cast<double>(vocabularySize()));
            summary.cells[index].deniability = deniability;
        }
    }
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
    return TemRun{options, std::move(grid), std::move(laws), inRunOrder(words, options.seed), job}
        .run(crew);
}

}  // namespace epsilens::calibration
