#include <algorithm>
#include <chrono>
#include <memory>
#include <mutex>
#include <numeric>
#include <span>
#include <tuple>
#include <utility>

#include "core/base/crew.h"
#include "core/base/job_part.h"
#include "core/base/parallel.h"
#include "core/base/pass_on.h"
#include "core/experiment/attack_task.h"
#include "core/experiment/classification.h"
#include "core/experiment/evaluation_memory.h"
#include "core/experiment/evaluation_parts.h"
#include "core/experiment/repeat_copies.h"
#include "core/experiment/score_table.h"

namespace epsilens::experiment {
namespace {

// Share of the work of a repeat that is perturbing, for the progress.
constexpr double kPerturbingShare = 0.5;

// Places of the conditions; the cells follow.
constexpr std::size_t kOriginal = 0;
constexpr std::size_t kCeiling = 1;
constexpr std::size_t kFloor = 2;

double secondsSince(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Share of the test documents in the commonest class of the training documents.
double majorityShare(const DataSet& data, const DocumentSplit& split) {
    std::vector<std::int64_t> counts(data.classes.size());
    const auto labelOf = [&](std::int64_t document) {
        return static_cast<std::size_t>(data.documents[static_cast<std::size_t>(document)].label);
    };
    for (const std::int64_t document : split.training) {
        ++counts[labelOf(document)];
    }
    const auto commonest =
        static_cast<std::size_t>(std::max_element(counts.begin(), counts.end()) - counts.begin());
    const auto hits =
        std::count_if(split.test.begin(), split.test.end(),
                      [&](std::int64_t document) { return labelOf(document) == commonest; });
    return static_cast<double>(hits) / static_cast<double>(split.test.size());
}

/// One run of an evaluation.
class EvaluationRun {
public:
    EvaluationRun(const EvaluationParts& parts, const DataDescription& description,
                  const JobContext& job, const ShowSummary& show)
        : m_parts(parts),
          m_options(parts.options),
          m_numbers{parts.words, parts.data, parts.space.embedding().wordCount(),
                    parts.options.policies.unknown == release::UnknownPolicy::keep},
          m_positive(parts.positive()),
          m_job(job),
          m_show(parts.options.crew == nullptr ? show : ShowSummary{}),
          m_table(parts.options.repeats, kBaselines + parts.cells(),
                  parts.options.classifiers.size()),
          m_summary(emptySummary(parts.options, description)) {}

    Result<EvaluationSummary> run() {
        RETURN_IF_ERROR(checkMemory(m_parts));
        ASSIGN_OR_RETURN(m_perturber,
                         Perturber::create(m_parts.space, m_parts.words, m_options.policies,
                                           m_options.grid, m_options.seed, m_options.threads));
        m_copies.emplace(m_parts, *m_perturber);
        ASSIGN_OR_RETURN(auto settings, describeSettings(m_parts.space.handle(), m_options.grid));
        m_summary.cells = std::move(settings.cells);
        m_summary.guarantees = std::move(settings.guarantees);
        const std::size_t tasks = m_options.tasks.size();
        for (std::size_t i = 0; i < tasks && !m_summary.partial; ++i) {
            const JobContext part =
                partOf(m_job, static_cast<double>(i) / static_cast<double>(tasks),
                       static_cast<double>(i + 1) / static_cast<double>(tasks));
            RETURN_IF_ERROR(m_options.tasks[i] == Task::classify
                                ? classify(part)
                                : attack(m_options.tasks[i], part));
            if (i + 1 < tasks) {
                showSoFar(m_summary);
            }
        }
        if (m_summary.partial && !hasResults()) {
            return fail(ErrorCode::cancelled, "cancelled");
        }
        return std::move(m_summary);
    }

private:
    [[nodiscard]] static EvaluationSummary emptySummary(const EvaluationOptions& options,
                                                        const DataDescription& description) {
        EvaluationSummary summary;
        summary.options = options;
        summary.options.crew = nullptr;
        summary.data = description;
        return summary;
    }

    /// Epsilons of the grid that are perturbed at once, by their places; none without a setting.
    struct EpsilonBatch {
        std::size_t first = 0;
        std::size_t end = 0;
    };

    /// Units of the repeats in the order in which they are done. Of a crew's last repeats the first
    /// unit, which takes the least, comes at the end, where processes wait for each other.
    [[nodiscard]] std::vector<std::size_t> orderOfUnits(std::size_t perRepeat) const {
        const auto repeats = static_cast<std::size_t>(m_options.repeats);
        std::vector<std::size_t> order(perRepeat * repeats);
        std::iota(order.begin(), order.end(), std::size_t{0});
        if (m_options.crew != nullptr) {
            const std::size_t last =
                std::min(repeats, 2 * static_cast<std::size_t>(m_options.crew->size()));
            std::stable_partition(order.end() - static_cast<std::ptrdiff_t>(last * perRepeat),
                                  order.end(),
                                  [&](std::size_t unit) { return unit % perRepeat != 0; });
        }
        return order;
    }

    /// Classifies in units: of each repeat what has no setting, then some epsilons after the other.
    Result<void> classify(const JobContext& job) {
        const std::size_t atOnce = m_parts.epsilonsAtOnce();
        const std::size_t epsilons = m_options.grid.epsilons.size();
        const std::size_t perRepeat = 1 + (epsilons + atOnce - 1) / atOnce;
        const std::vector<std::size_t> order = orderOfUnits(perRepeat);
        std::vector<bool> isDone(order.size());
        const auto epsilonsOf = [&](std::size_t unit) {
            const std::size_t batch = unit % perRepeat;
            return batch == 0
                       ? EpsilonBatch{}
                       : EpsilonBatch{(batch - 1) * atOnce, std::min(batch * atOnce, epsilons)};
        };
        auto done = inUnits(
            m_options.crew, static_cast<std::int64_t>(isDone.size()),
            [&](std::int64_t number) -> Result<void> {
                const std::size_t unit = order[static_cast<std::size_t>(number)];
                enterRepeat(static_cast<int>(unit / perRepeat));
                RETURN_IF_ERROR(unit % perRepeat == 0 ? runBaselines(job)
                                                      : runEpsilons(epsilonsOf(unit), job));
                isDone[unit] = true;
                if (m_show && (unit + 1) % perRepeat == 0) {
                    summarize(static_cast<int>((unit + 1) / perRepeat));
                    showSoFar(m_summary);
                }
                return {};
            },
            [&](auto& archive, std::int64_t number) {
                const std::size_t unit = order[static_cast<std::size_t>(number)];
                isDone[unit] = true;
                for (const std::size_t condition : conditionsOf(epsilonsOf(unit))) {
                    for (std::size_t i = 0; i < m_options.classifiers.size(); ++i) {
                        archive(m_table.at(static_cast<int>(unit / perRepeat), condition, i));
                    }
                }
            });
        if (!done && done.error().code != ErrorCode::cancelled) {
            return done;
        }
        m_summary.partial = !done;
        const auto missing = std::find(isDone.begin(), isDone.end(), false);
        const auto repeats =
            static_cast<int>(static_cast<std::size_t>(missing - isDone.begin()) / perRepeat);
        if (repeats > 0) {
            summarize(repeats);
        }
        return {};
    }

    /// Places of the baselines for no epsilons, else of all mechanisms at these.
    [[nodiscard]] std::vector<std::size_t> conditionsOf(const EpsilonBatch& batch) const {
        if (batch.end == 0) {
            return {kOriginal, kCeiling, kFloor};
        }
        std::vector<std::size_t> conditions;
        for (std::size_t mechanism = 0; mechanism < m_parts.mechanisms(); ++mechanism) {
            for (std::size_t i = batch.first; i < batch.end; ++i) {
                conditions.push_back(kBaselines + mechanism * m_options.grid.epsilons.size() + i);
            }
        }
        return conditions;
    }

    Result<void> attack(Task task, const JobContext& job) {
        const auto showAttack = [this](const AttackResults& soFar) {
            EvaluationSummary summary = m_summary;
            summary.attacks.push_back(soFar);
            showSoFar(std::move(summary));
        };
        ASSIGN_OR_RETURN(auto results, runAttack(task, m_parts, *m_perturber, job,
                                                 m_show ? ShowAttack(showAttack) : ShowAttack{}));
        m_summary.partial = std::any_of(results.cells.begin(), results.cells.end(),
                                        [](const auto& cell) { return !cell.has_value(); });
        m_summary.attacks.push_back(std::move(results));
        return {};
    }

    void showSoFar(EvaluationSummary summary) const {
        if (m_show) {
            summary.partial = true;
            m_show(summary);
        }
    }

    /// Of a setting.
    [[nodiscard]] bool hasResults() const {
        return m_summary.repeats > 0 ||
               std::any_of(m_summary.attacks.begin(), m_summary.attacks.end(),
                           [](const AttackResults& results) {
                               return std::any_of(
                                   results.cells.begin(), results.cells.end(),
                                   [](const auto& cell) { return cell.has_value(); });
                           });
    }

    void enterRepeat(int repeat) {
        if (repeat == m_repeat) {
            return;
        }
        m_repeat = repeat;
        const DocumentSplit& split = m_parts.splits[static_cast<std::size_t>(repeat)];
        m_training = {poolNumber(repeat, Role::training), split.training};
        m_test = {poolNumber(repeat, Role::test), split.test};
        m_plainTest =
            releasedDocuments(m_numbers, m_test.documents, m_perturber->unperturbed(m_test), 0);
    }

    /// Share of the classification that is done when so much of the group of repeats is.
    [[nodiscard]] double doneAt(const RepeatGroup& group, double ofGroup) const {
        return (group.first + group.size * ofGroup) / m_options.repeats;
    }
    /// Share of the group that is done when so many of its repeats are learned from.
    [[nodiscard]] static double learnedShare(const RepeatGroup& group, double repeats) {
        return kPerturbingShare + (1.0 - kPerturbingShare) * repeats / group.size;
    }

    Result<void> runEpsilons(const EpsilonBatch& batch, const JobContext& job) {
        const RepeatGroup group = m_parts.groupOf(m_repeat);
        const int place = m_repeat - group.first;
        const auto at = [&](double done) {
            return doneAt(group, (static_cast<double>(batch.first) +
                                  static_cast<double>(batch.end - batch.first) * done) /
                                     static_cast<double>(m_options.grid.epsilons.size()));
        };
        return runCells(
            batch, partOf(job, at(0.0), at(kPerturbingShare)),
            partOf(job, at(learnedShare(group, place)), at(learnedShare(group, place + 1))));
    }

    Result<void> runBaselines(const JobContext& job) {
        const LabelledTokens typedTest = typedDocuments(m_numbers, m_test.documents);
        const LabelledTokens floorTest =
            m_options.perturbTest
                ? releasedDocuments(m_numbers, m_test.documents, m_perturber->uniform(m_test), 0)
                : LabelledTokens{};
        const auto trainingOf = [&](std::size_t condition) {
            if (condition == kOriginal) {
                return typedDocuments(m_numbers, m_training.documents);
            }
            return releasedDocuments(m_numbers, m_training.documents,
                                     condition == kCeiling ? m_perturber->unperturbed(m_training)
                                                           : m_perturber->uniform(m_training),
                                     0);
        };
        const auto testOf = [&](std::size_t condition) -> const LabelledTokens& {
            return condition == kOriginal                         ? typedTest
                   : condition == kFloor && m_options.perturbTest ? floorTest
                                                                  : m_plainTest;
        };
        const RepeatGroup group = m_parts.groupOf(m_repeat);
        const int place = m_repeat - group.first;
        const double begin = doneAt(group, place == 0 ? 0.0 : learnedShare(group, place));
        return trainAll(kBaselines, partOf(job, begin, begin), [&](std::size_t condition) {
            return std::tuple(condition, trainingOf(condition), &testOf(condition));
        });
    }

    Result<void> runCells(const EpsilonBatch& batch, const JobContext& perturbing,
                          const JobContext& learning) {
        const auto epsilons =
            std::span(m_options.grid.epsilons).subspan(batch.first, batch.end - batch.first);
        const auto start = std::chrono::steady_clock::now();
        ASSIGN_OR_RETURN(const auto perturbed, m_copies->take(m_repeat, epsilons, perturbing));
        m_summary.perturbSeconds += secondsSince(start);
        const std::vector<std::size_t> conditions = conditionsOf(batch);
        return trainAll(conditions.size(), learning, [&](std::size_t setting) {
            return std::tuple(
                conditions[setting],
                releasedDocuments(m_numbers, m_training.documents, perturbed.front(), setting),
                m_options.perturbTest ? std::optional(releasedDocuments(m_numbers, m_test.documents,
                                                                        perturbed.back(), setting))
                                      : std::nullopt);
        });
    }

    [[nodiscard]] static const LabelledTokens& testOf(const LabelledTokens* test,
                                                      const LabelledTokens& /*plain*/) {
        return *test;
    }
    [[nodiscard]] static const LabelledTokens& testOf(const std::optional<LabelledTokens>& test,
                                                      const LabelledTokens& plain) {
        return test ? *test : plain;
    }

    /// Trains every classifier on every condition.
    ///
    /// textsOf  of a condition: its place in the table, training and test documents
    template <typename TextsOf>
    Result<void> trainAll(std::size_t conditions, const JobContext& job, const TextsOf& textsOf) {
        const auto start = std::chrono::steady_clock::now();
        const std::size_t classifiers = m_options.classifiers.size();
        const auto tasks = static_cast<std::int64_t>(conditions * classifiers);
        std::vector<std::optional<Error>> errors(static_cast<std::size_t>(tasks));
        std::mutex reporting;
        std::int64_t finished = 0;
        const JobContext quiet{job.stop, {}};
        parallelFor(tasks, m_options.threads, [&](std::int64_t task) {
            const auto index = static_cast<std::size_t>(task);
            if (quiet.stopRequested()) {
                errors[index] = Error{ErrorCode::cancelled, "cancelled"};
                return;
            }
            const auto texts = textsOf(index / classifiers);
            ClassifierOptions how;
            how.kind = m_options.classifiers[index % classifiers];
            how.classes = static_cast<std::int32_t>(m_parts.data.classes.size());
            how.seed = m_options.seed + static_cast<std::uint64_t>(m_repeat);
            how.vectors = &m_parts.space.embedding().vectors();
            auto scores = trainAndScore(
                std::get<1>(texts), testOf(std::get<2>(texts), m_plainTest), how, m_positive,
                m_parts.data.hasSplit() ? std::optional(m_options.seed) : std::nullopt, quiet);
            if (scores) {
                m_table.at(m_repeat, std::get<0>(texts), index % classifiers) = *std::move(scores);
            } else {
                errors[index] = std::move(scores.error());
            }
            const std::lock_guard lock(reporting);
            job.progress(static_cast<double>(++finished) / static_cast<double>(tasks), "Training");
        });
        m_summary.classifySeconds += secondsSince(start);
        const auto failed = std::find_if(errors.begin(), errors.end(),
                                         [](const auto& error) { return error.has_value(); });
        return failed == errors.end() ? Result<void>() : tl::unexpected(**failed);
    }

    /// repeats  finished, >= 1
    void summarize(int repeats) {
        ScoreTable table = m_table;
        table.keep(repeats);
        m_summary.repeats = repeats;
        m_summary.substitutions = m_parts.perturbedTokens() *
                                  static_cast<std::int64_t>(m_parts.cells()) * m_summary.repeats;
        const RepeatDesign design = m_parts.design();
        const auto resultsOf = [&](std::size_t condition) {
            std::vector<ClassifierResults> results;
            for (std::size_t i = 0; i < m_options.classifiers.size(); ++i) {
                results.push_back(table.summarize(condition, i, design));
            }
            return results;
        };
        m_summary.original = resultsOf(kOriginal);
        m_summary.ceiling = resultsOf(kCeiling);
        m_summary.floor = resultsOf(kFloor);
        for (std::size_t cell = 0; cell < m_summary.cells.size(); ++cell) {
            m_summary.cells[cell].classify = resultsOf(kBaselines + cell);
            for (std::size_t i = 0; i < m_options.classifiers.size(); ++i) {
                m_summary.cells[cell].classify[i].retained = retainedShare(
                    table.accuracies(kBaselines + cell, i), table.accuracies(kFloor, i),
                    table.accuracies(kCeiling, i), design);
            }
        }
        m_summary.majority = 0.0;
        for (int repeat = 0; repeat < m_summary.repeats; ++repeat) {
            m_summary.majority +=
                majorityShare(m_parts.data, m_parts.splits[static_cast<std::size_t>(repeat)]) /
                m_summary.repeats;
        }
        compareSettings(table, design);
    }

    /// Every pair of shapes at every epsilon.
    void compareSettings(const ScoreTable& table, const RepeatDesign& design) {
        const std::size_t epsilons = m_options.grid.epsilons.size();
        std::vector<Difference> differences;
        m_summary.differences.clear();
        for (std::size_t i = 0; i < m_options.classifiers.size(); ++i) {
            for (std::size_t first = 0; first < m_summary.cells.size(); ++first) {
                for (std::size_t second = first + epsilons; second < m_summary.cells.size();
                     second += epsilons) {
                    m_summary.differences.push_back({first, second, i, {}});
                    differences.push_back(table.compare(kBaselines + first, kBaselines + second, i,
                                                        design, EvaluationOptions::kMargin));
                }
            }
        }
        decide(differences);
        for (std::size_t i = 0; i < differences.size(); ++i) {
            m_summary.differences[i].accuracy = differences[i];
        }
    }

    const EvaluationParts& m_parts;
    const EvaluationOptions& m_options;
    WordNumbers m_numbers;
    std::optional<std::int32_t> m_positive;
    const JobContext& m_job;
    ShowSummary m_show;
    ScoreTable m_table;
    std::unique_ptr<Perturber> m_perturber{};
    std::optional<RepeatCopies> m_copies{};
    // Of the present repeat.
    int m_repeat = -1;
    DrawPool m_training{};
    DrawPool m_test{};
    LabelledTokens m_plainTest{};
    EvaluationSummary m_summary;
};

}  // namespace

Result<EvaluationSummary> runEvaluation(const EvaluationParts& parts,
                                        const DataDescription& description, const JobContext& job,
                                        const ShowSummary& show) {
    return EvaluationRun(parts, description, job, show).run();
}

}  // namespace epsilens::experiment
