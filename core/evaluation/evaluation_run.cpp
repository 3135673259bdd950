#include <algorithm>
#include <chrono>
#include <iterator>
#include <memory>
#include <mutex>
#include <span>
#include <utility>

#include "core/attack/context_attack.h"
#include "core/base/crew.h"
#include "core/base/in_parallel.h"
#include "core/base/job_part.h"
#include "core/base/parallel.h"
#include "core/base/pass_on.h"
#include "core/base/random_stream.h"
#include "core/corpus/streams.h"
#include "core/evaluation/attack_task.h"
#include "core/evaluation/evaluation_parts.h"
#include "core/io/memory_limit.h"
#include "core/mechanism/prepared_mechanism.h"

namespace epsilens::evaluation {

/// Scores of a model, with what an own split needs beside them.
struct ModelScores {
    Scores scores{};
    std::vector<Scores> resampled{};  ///< on resampled test documents; empty unless asked for
    std::vector<bool> correct{};      ///< for each test document; empty unless asked for
};

/// For processes that share an evaluation; see Archive.
template <typename Archive>
void transfer(Archive& archive, ModelScores& scores) {
    archive(scores.scores, scores.resampled, scores.correct);
}

namespace {

// Share of the work of a repeat that is perturbing, for the progress.
constexpr double kPerturbingShare = 0.5;

double secondsSince(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Share of the test documents in the commonest class of the training documents.
double majorityShare(const corpus::DataSet& data, const corpus::DocumentSplit& split) {
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

/// What the attackers who guess words hold, beside the text.
double bytesOfGuessing(const EvaluationParts& parts, int threads) {
    // Evidence, and of each thread the products of a block of tokens and the laws of their states.
    const embedding::Row words = parts.space.embedding().wordCount();
    const double row = sizeof(float) * static_cast<double>(words);
    const double scratch =
        std::min(row * static_cast<double>(kAttackedWords),
                 static_cast<double>(attack::kSharedEvidenceBytes)) +
        3.0 * row * static_cast<double>(attack::observationsAtOnce(words)) * threads;
    // Sums and totals of kernels, of every setting and of the rates that are tried.
    constexpr double kBytesOfKernel = sizeof(std::int64_t) + 2.0 * sizeof(float);
    constexpr double kTried = 24.0;
    const double kernels = kTried + static_cast<double>(parts.options.grid.epsilons.size());
    return scratch + kBytesOfKernel * static_cast<double>(words) * kernels;
}

/// Fails with resourceLimit when copies and models need more memory than is free.
Result<void> checkMemory(const EvaluationParts& parts) {
    // Of a model in training and its documents, per word of a training document.
    constexpr double kBytesPerTrainedToken = 64.0;
    const EvaluationOptions& options = parts.options;
    const int threads = options.threads > 0 ? std::min(options.threads, defaultThreadCount())
                                            : defaultThreadCount();
    const auto outputs =
        static_cast<double>(parts.perturbedTokens() * corpus::Perturber::bytesPerOutput() *
                            static_cast<std::int64_t>(parts.epsilonsAtOnce() * parts.mechanisms()) *
                            parts.repeatsTogether());
    const double bytes =
        outputs + static_cast<double>(corpus::Perturber::kScratchBytes) +
        static_cast<double>(parts.tokensOf(parts.splits.front().training)) * kBytesPerTrainedToken *
            threads +
        (options.has(attack::Task::reconstruct) ? bytesOfGuessing(parts, threads) : 0.0);
    return io::MemoryBudget(0).check(bytes, "the perturbed copies and the models",
                                     "ask for fewer settings, or use fewer documents");
}

/// Scores on resampled test documents: the same documents for the same number of them and seed.
std::vector<Scores> bootstrapScores(const RowMatrixD& probabilities,
                                    std::span<const std::int32_t> labels,
                                    std::optional<std::int32_t> positive, std::uint64_t seed) {
    constexpr int kResamples = 100;
    // A block of the stream of splits that no repeat has.
    constexpr std::uint32_t kBootstrapBlock = 1U << 31U;
    SeededStream stream({seed, corpus::kSplitStream, kBootstrapBlock, 0});
    std::vector<Scores> scores;
    RowMatrixD drawn(probabilities.rows(), probabilities.cols());
    std::vector<std::int32_t> drawnLabels(labels.size());
    for (int resample = 0; resample < kResamples; ++resample) {
        for (std::size_t i = 0; i < labels.size(); ++i) {
            const auto chosen = stream.below(labels.size());
            drawn.row(static_cast<Eigen::Index>(i)) =
                probabilities.row(static_cast<Eigen::Index>(chosen));
            drawnLabels[i] = labels[chosen];
        }
        scores.push_back(scoresOf(drawn, drawnLabels, positive));
    }
    return scores;
}

/// The values of one measure.
std::vector<double> measureOf(std::span<const Scores> scores, Measure measure) {
    std::vector<double> values;
    for (const Scores& all : scores) {
        values.push_back(all.at(static_cast<std::size_t>(measure)));
    }
    return values;
}

/// models  of one classifier under one condition, by repeat
ClassifierResults resultsOf(std::span<const ModelScores* const> models,
                            const RepeatDesign& design) {
    const auto repeats = static_cast<double>(models.size());
    ClassifierResults results;
    results.resampled.resize(models.front()->resampled.size());
    results.correct.resize(models.front()->correct.size());
    for (const ModelScores* model : models) {
        results.repeats.push_back(model->scores);
        for (std::size_t i = 0; i < results.resampled.size(); ++i) {
            for (std::size_t k = 0; k < kMeasures.size(); ++k) {
                results.resampled[i].at(k) += model->resampled[i].at(k) / repeats;
            }
        }
        for (std::size_t i = 0; i < results.correct.size(); ++i) {
            results.correct[i] += model->correct[i] ? 1.0 : 0.0;
        }
    }
    for (double& share : results.correct) {
        share /= repeats;
    }
    for (const Measure measure : kMeasures) {
        RepeatDesign own = design;
        own.sharedVariance += varianceOf(measureOf(results.resampled, measure)).value_or(0.0);
        own.cases = measure == Measure::accuracy ? design.cases : 0.0;
        results.measures.at(static_cast<std::size_t>(measure)) =
            estimateOf(measureOf(results.repeats, measure), own);
    }
    return results;
}

Accuracies accuraciesOf(const ClassifierResults& results) {
    return {measureOf(results.repeats, Measure::accuracy), results.correct};
}

/// What a classifier learns from and is tested on.
struct Texts {
    std::size_t condition = 0;
    LabelledTokens training{};
    std::optional<LabelledTokens> test{};  ///< nothing: released without noise
};

/// Epsilons of the grid that are perturbed at once, by their places.
struct EpsilonBatch {
    std::size_t first = 0;
    std::size_t end = 0;  ///< 0: what has no setting
};

/// One run of an evaluation.
class EvaluationRun {
public:
    EvaluationRun(const EvaluationParts& parts, const JobContext& job, const ShowSummary& show)
        : m_parts(parts),
          m_options(parts.options),
          m_job(job),
          m_show(parts.options.crew == nullptr ? show : ShowSummary{}),
          m_scores(static_cast<std::size_t>(parts.options.repeats),
                   std::vector<ModelScores>((kBaselines + parts.cells()) *
                                            m_options.classifiers.size())) {
        m_summary.options = parts.options;
        m_summary.options.crew = nullptr;
        m_summary.data = parts.description;
    }

    Result<EvaluationSummary> run() {
        RETURN_IF_ERROR(checkMemory(m_parts));
        ASSIGN_OR_RETURN(m_perturber, corpus::Perturber::create(m_parts.space, m_parts.words,
                                                                m_options.policies, m_options.grid,
                                                                m_options.seed, m_options.threads));
        RETURN_IF_ERROR(describeSettings());
        const std::size_t tasks = m_options.tasks.size();
        for (std::size_t i = 0; i < tasks && !m_summary.partial; ++i) {
            const JobContext part =
                partOf(m_job, static_cast<double>(i) / static_cast<double>(tasks),
                       static_cast<double>(i + 1) / static_cast<double>(tasks));
            RETURN_IF_ERROR(m_options.tasks[i] == attack::Task::classify
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
    /// The settings of the grid, with what each promises.
    Result<void> describeSettings() {
        const mechanism::Grid& grid = m_options.grid;
        for (const mechanism::Mechanism& mechanism : grid.mechanisms()) {
            ASSIGN_OR_RETURN(const auto prepared, mechanism::PreparedMechanism::create(
                                                      m_parts.space.handle(), mechanism));
            for (const double epsilon : grid.epsilons) {
                ASSIGN_OR_RETURN(auto guarantee, prepared.guarantee(epsilon));
                m_summary.guarantees.push_back(std::move(guarantee));
                m_summary.cells.push_back({epsilon, mechanism.lambda(), prepared.gammaAt(epsilon),
                                           mechanism.hasRadius() && grid.gammas.empty()
                                               ? mechanism.parameters().beta
                                               : std::nullopt});
            }
        }
        return {};
    }

    /// Classifies in units: of each repeat what has no setting, then some epsilons after the other.
    Result<void> classify(const JobContext& job) {
        const std::size_t atOnce = m_parts.epsilonsAtOnce();
        const std::size_t epsilons = m_options.grid.epsilons.size();
        const std::size_t perRepeat = 1 + (epsilons + atOnce - 1) / atOnce;
        std::vector<bool> isDone(perRepeat * static_cast<std::size_t>(m_options.repeats));
        const auto batchOf = [&](std::size_t unit) {
            const std::size_t batch = unit % perRepeat;
            return batch == 0
                       ? EpsilonBatch{}
                       : EpsilonBatch{(batch - 1) * atOnce, std::min(batch * atOnce, epsilons)};
        };
        auto done = inUnits(
            m_options.crew, static_cast<std::int64_t>(isDone.size()),
            [&](std::int64_t number) -> Result<void> {
                const auto unit = static_cast<std::size_t>(number);
                const EpsilonBatch batch = batchOf(unit);
                enterRepeat(unit / perRepeat);
                const auto at = [&](std::size_t epsilon) {
                    return (static_cast<double>(m_repeat) +
                            static_cast<double>(epsilon) / static_cast<double>(epsilons)) /
                           m_options.repeats;
                };
                const JobContext part = partOf(job, at(batch.first), at(batch.end));
                RETURN_IF_ERROR(batch.end == 0 ? runBaselines(part) : runEpsilons(batch, part));
                isDone[unit] = true;
                if (m_show && (unit + 1) % perRepeat == 0) {
                    summarize((unit + 1) / perRepeat);
                    showSoFar(m_summary);
                }
                return {};
            },
            [&](auto& archive, std::int64_t number) {
                const auto unit = static_cast<std::size_t>(number);
                isDone[unit] = true;
                for (const std::size_t condition : conditionsOf(batchOf(unit))) {
                    for (std::size_t i = 0; i < m_options.classifiers.size(); ++i) {
                        archive(scoresAt(unit / perRepeat, condition, i));
                    }
                }
            });
        if (!done && done.error().code != ErrorCode::cancelled) {
            return done;
        }
        m_summary.partial = !done;
        const auto missing = std::find(isDone.begin(), isDone.end(), false) - isDone.begin();
        if (const std::size_t repeats = static_cast<std::size_t>(missing) / perRepeat;
            repeats > 0) {
            summarize(repeats);
        }
        return {};
    }

    /// Places of the baselines, or of all mechanisms at some epsilons.
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
    [[nodiscard]] ModelScores& scoresAt(std::size_t repeat, std::size_t condition,
                                        std::size_t classifier) {
        return m_scores[repeat][condition * m_options.classifiers.size() + classifier];
    }

    Result<void> attack(attack::Task task, const JobContext& job) {
        const auto showAttack = [this](const attack::AttackResults& soFar) {
            EvaluationSummary summary = m_summary;
            summary.attacks.push_back(soFar);
            showSoFar(std::move(summary));
        };
        ASSIGN_OR_RETURN(auto results,
                         runAttack(task, m_parts, *m_perturber, job,
                                   m_show ? attack::ShowAttack(showAttack) : attack::ShowAttack{}));
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
                           [](const attack::AttackResults& results) {
                               return std::any_of(
                                   results.cells.begin(), results.cells.end(),
                                   [](const auto& cell) { return cell.has_value(); });
                           });
    }

    void enterRepeat(std::size_t repeat) {
        if (m_repeat == static_cast<int>(repeat)) {
            return;
        }
        m_repeat = static_cast<int>(repeat);
        m_training = {poolNumber(m_repeat, Role::training), m_parts.splits[repeat].training};
        m_test = {poolNumber(m_repeat, Role::test), m_parts.splits[repeat].test};
        m_plainTest = m_parts.released(m_test.documents, m_perturber->unperturbed(m_test));
    }

    Result<void> runBaselines(const JobContext& job) {
        const std::vector<std::size_t> conditions = conditionsOf({});
        return trainAll(conditions.size(), job, [&](std::size_t condition) -> Texts {
            const auto withNoise = [&](const corpus::DrawPool& pool) {
                return m_parts.released(pool.documents, condition == kCeiling
                                                            ? m_perturber->unperturbed(pool)
                                                            : m_perturber->uniform(pool));
            };
            if (condition == kOriginal) {
                return {condition, m_parts.typed(m_training.documents),
                        m_parts.typed(m_test.documents)};
            }
            return {condition, withNoise(m_training),
                    condition == kFloor && m_options.perturbTest ? std::optional(withNoise(m_test))
                                                                 : std::nullopt};
        });
    }

    Result<void> runEpsilons(const EpsilonBatch& batch, const JobContext& job) {
        const auto start = std::chrono::steady_clock::now();
        const auto epsilons =
            std::span(m_options.grid.epsilons).subspan(batch.first, batch.end - batch.first);
        ASSIGN_OR_RETURN(const auto perturbed,
                         takeCopies(epsilons, partOf(job, 0.0, kPerturbingShare)));
        m_summary.perturbSeconds += secondsSince(start);
        const std::vector<std::size_t> conditions = conditionsOf(batch);
        return trainAll(
            conditions.size(), partOf(job, kPerturbingShare, 1.0),
            [&](std::size_t setting) -> Texts {
                return {conditions[setting],
                        m_parts.released(m_training.documents, perturbed.front(), setting),
                        m_options.perturbTest ? std::optional(m_parts.released(
                                                    m_test.documents, perturbed.back(), setting))
                                              : std::nullopt};
            });
    }

    /// The pool of the training documents of the repeat and, if they are perturbed too, that of the
    /// test documents. Those of a group of repeats, which are entered in their order, are made
    /// together when the first of them is asked for.
    Result<std::vector<corpus::PerturbedPool>> takeCopies(std::span<const double> epsilons,
                                                          const JobContext& job) {
        const RepeatGroup group = m_parts.groupOf(m_repeat);
        if (m_repeat == group.first) {
            std::vector<corpus::DrawPool> pools;
            for (int i = group.first; i < group.first + group.size; ++i) {
                const corpus::DocumentSplit& split = m_parts.splits[static_cast<std::size_t>(i)];
                pools.push_back({poolNumber(i, Role::training), split.training});
                if (m_options.perturbTest) {
                    pools.push_back({poolNumber(i, Role::test), split.test});
                }
            }
            m_copies.clear();
            ASSIGN_OR_RETURN(m_copies, m_perturber->perturb(pools, epsilons, job));
        }
        const auto first = m_copies.begin();
        const auto end = first + (m_options.perturbTest ? 2 : 1);
        std::vector<corpus::PerturbedPool> own(std::make_move_iterator(first),
                                               std::make_move_iterator(end));
        m_copies.erase(first, end);
        return own;
    }

    /// Trains every classifier on every condition.
    ///
    /// textsOf  of a condition, by its place
    template <typename TextsOf>
    Result<void> trainAll(std::size_t conditions, const JobContext& job, const TextsOf& textsOf) {
        const auto start = std::chrono::steady_clock::now();
        const std::size_t classifiers = m_options.classifiers.size();
        const std::size_t tasks = conditions * classifiers;
        std::mutex reporting;
        std::size_t finished = 0;
        auto done = eachInParallel(tasks, m_options.threads, [&](std::size_t task) -> Result<void> {
            if (job.stopRequested()) {
                return fail(ErrorCode::cancelled, "cancelled");
            }
            const Texts texts = textsOf(task / classifiers);
            ASSIGN_OR_RETURN(
                scoresAt(static_cast<std::size_t>(m_repeat), texts.condition, task % classifiers),
                trained(texts, m_options.classifiers[task % classifiers]));
            const std::lock_guard lock(reporting);
            job.progress(static_cast<double>(++finished) / static_cast<double>(tasks), "Training");
            return {};
        });
        m_summary.classifySeconds += secondsSince(start);
        return done;
    }

    [[nodiscard]] Result<ModelScores> trained(const Texts& texts, ClassifierKind kind) const {
        ASSIGN_OR_RETURN(
            const auto model,
            trainClassifier(texts.training, m_parts.classifier(kind, m_repeat), {m_job.stop, {}}));
        const LabelledTokens& test = texts.test ? *texts.test : m_plainTest;
        const RowMatrixD probabilities = model->probabilities(test);
        ModelScores result{scoresOf(probabilities, test.labels, m_parts.positive()), {}, {}};
        if (m_parts.data.hasSplit()) {
            result.resampled =
                bootstrapScores(probabilities, test.labels, m_parts.positive(), m_options.seed);
            const std::vector<std::int32_t> predicted = predictedClasses(probabilities);
            for (std::size_t i = 0; i < predicted.size(); ++i) {
                result.correct.push_back(predicted[i] == test.labels[i]);
            }
        }
        return result;
    }

    /// repeats  finished, >= 1
    void summarize(std::size_t repeats) {
        const RepeatDesign design = m_parts.design();
        const auto all = [&](std::size_t condition) {
            std::vector<ClassifierResults> results;
            for (std::size_t i = 0; i < m_options.classifiers.size(); ++i) {
                std::vector<const ModelScores*> models;
                for (std::size_t repeat = 0; repeat < repeats; ++repeat) {
                    models.push_back(&scoresAt(repeat, condition, i));
                }
                results.push_back(resultsOf(models, design));
            }
            return results;
        };
        m_summary.repeats = static_cast<int>(repeats);
        m_summary.substitutions = m_parts.perturbedTokens() *
                                  static_cast<std::int64_t>(m_parts.cells()) * m_summary.repeats;
        m_summary.original = all(kOriginal);
        m_summary.ceiling = all(kCeiling);
        m_summary.floor = all(kFloor);
        for (std::size_t cell = 0; cell < m_summary.cells.size(); ++cell) {
            auto& classify = m_summary.cells[cell].classify = all(kBaselines + cell);
            for (std::size_t i = 0; i < classify.size(); ++i) {
                classify[i].retained =
                    retainedShare(accuraciesOf(classify[i]), accuraciesOf(m_summary.floor[i]),
                                  accuraciesOf(m_summary.ceiling[i]), design);
            }
        }
        m_summary.majority = 0.0;
        for (std::size_t repeat = 0; repeat < repeats; ++repeat) {
            m_summary.majority +=
                majorityShare(m_parts.data, m_parts.splits[repeat]) / m_summary.repeats;
        }
        compareSettings(design);
    }

    /// Every pair of shapes at every epsilon.
    void compareSettings(RepeatDesign design) {
        // Wilson's interval is one of a share, which a difference is not.
        design.cases = 0.0;
        const std::size_t epsilons = m_options.grid.epsilons.size();
        std::vector<Difference> differences;
        m_summary.differences.clear();
        for (std::size_t i = 0; i < m_options.classifiers.size(); ++i) {
            for (std::size_t first = 0; first < m_summary.cells.size(); ++first) {
                for (std::size_t second = first + epsilons; second < m_summary.cells.size();
                     second += epsilons) {
                    m_summary.differences.push_back({first, second, i, {}});
                    differences.push_back(
                        compareRepeats(accuraciesOf(m_summary.cells[first].classify[i]),
                                       accuraciesOf(m_summary.cells[second].classify[i]), design,
                                       EvaluationOptions::kMargin));
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
    const JobContext& m_job;
    ShowSummary m_show;
    std::vector<std::vector<ModelScores>> m_scores;  ///< by repeat; conditions x classifiers
    std::unique_ptr<corpus::Perturber> m_perturber{};
    // Of the present repeat.
    int m_repeat = -1;
    corpus::DrawPool m_training{};
    corpus::DrawPool m_test{};
    LabelledTokens m_plainTest{};
    std::vector<corpus::PerturbedPool> m_copies{};  ///< of this and the next repeats of its group
    EvaluationSummary m_summary{};
};

}  // namespace

Result<EvaluationSummary> Evaluation::run(const JobContext& job, const ShowSummary& show) const {
    return EvaluationRun(*m_parts, job, show).run();
}

}  // namespace epsilens::evaluation
