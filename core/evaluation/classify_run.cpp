#include <algorithm>
#include <cmath>
#include <mutex>
#include <utility>

#include <fmt/format.h>

#include "core/base/crew.h"
#include "core/base/job_context.h"
#include "core/base/parallel.h"
#include "core/base/pass_on.h"
#include "core/base/random_stream.h"
#include "core/corpus/streams.h"
#include "core/evaluation/evaluation_run.h"

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

/// Share of the test documents in the commonest class of the training documents.
double majorityShare(const Evaluation& evaluation, const corpus::DocumentSplit& split) {
    const auto labelOf = [&](std::size_t document) { return evaluation.document(document).label; };
    std::vector<std::int64_t> counts(evaluation.data.classes.size());
    for (const std::size_t document : split.training) {
        ++counts[static_cast<std::size_t>(labelOf(document))];
    }
    const auto commonest = std::ranges::max_element(counts) - counts.begin();
    return static_cast<double>(std::ranges::count(split.test, commonest, labelOf)) /
           static_cast<double>(split.test.size());
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
    std::vector<std::size_t> chosen(labels.size());
    for (int resample = 0; resample < kResamples; ++resample) {
        std::vector<std::int32_t> drawn;
        for (std::size_t& document : chosen) {
            document = stream.below(labels.size());
            drawn.push_back(labels[document]);
        }
        scores.push_back(scoresOf(probabilities(chosen, Eigen::all), drawn, positive));
    }
    return scores;
}

/// Of one classifier under one condition, by repeat.
using Repeats = std::vector<const ModelScores*>;

std::vector<double> valuesOf(const Repeats& models, std::size_t measure) {
    std::vector<double> values;
    values.reserve(models.size());
    for (const ModelScores* model : models) {
        values.push_back(model->scores.at(measure));
    }
    return values;
}

Accuracies accuraciesOf(const Repeats& models) {
    Accuracies accuracies{valuesOf(models, 0), {}};
    accuracies.documents.resize(models.front()->correct.size());
    for (std::size_t i = 0; i < accuracies.documents.size(); ++i) {
        for (const ModelScores* model : models) {
            accuracies.documents[i] += model->correct[i] ? 1.0 : 0.0;
        }
        accuracies.documents[i] /= static_cast<double>(models.size());
    }
    return accuracies;
}

/// Estimate of a measure, of which resampled test documents tell how far their choice matters.
Estimate measured(const Repeats& models, std::size_t measure, RepeatDesign design) {
    std::vector<double> resampled(models.front()->resampled.size());
    for (const ModelScores* model : models) {
        for (std::size_t i = 0; i < resampled.size(); ++i) {
            resampled[i] += model->resampled[i].at(measure) / static_cast<double>(models.size());
        }
    }
    design.sharedVariance += varianceOf(resampled).value_or(0.0);
    design.cases = measure == 0 ? design.cases : 0.0;
    return estimateOf(valuesOf(models, measure), design);
}

/// Adds a figure; a number that is not there where it does not exist.
void add(attack::Findings& findings, std::string path, const Estimate& estimate,
         std::vector<double> repeats) {
    if (std::isnan(estimate.mean)) {
        findings.add(std::move(path), estimate.mean);
    } else {
        findings.figures.push_back({std::move(path), estimate.mean, estimate.ci95,
                                    attack::Figure::Kind::share, std::move(repeats)});
    }
}

/// Repeats and epsilons of the grid whose texts are perturbed together. What has no setting is
/// learned with the first epsilons.
struct Unit {
    int firstRepeat = 0;
    int endRepeat = 0;
    std::size_t first = 0;
    std::size_t end = 0;
};

class Classification {
public:
    Classification(const TaskInput& input, EvaluationSummary& summary,
                   const std::function<void()>& show)
        : m_evaluation(input.evaluation),
          m_options(m_evaluation.options),
          m_perturber(input.perturber),
          m_job(input.job),
          m_summary(summary),
          m_show(show),
          m_scores(
              static_cast<std::size_t>(m_options.repeats),
              RepeatScores((kBaselines + m_evaluation.cells()) * m_options.classifiers.size())) {}

    Result<void> run() {
        const std::vector<Unit> units = allUnits();
        auto done = inUnits(
            m_options.crew, std::ssize(units),
            [&](std::int64_t unit) { return learn(units[static_cast<std::size_t>(unit)]); },
            [&](auto& archive, std::int64_t number) {
                const Unit& unit = units[static_cast<std::size_t>(number)];
                for (int repeat = unit.firstRepeat; repeat < unit.endRepeat; ++repeat) {
                    for (const std::size_t condition : conditionsOf(unit)) {
                        for (std::size_t i = 0; i < m_options.classifiers.size(); ++i) {
                            archive(scoresAt(repeat, condition, i));
                        }
                    }
                }
            });
        if (!done && done.error().code != ErrorCode::cancelled) {
            return done;
        }
        m_summary.partial = !done;
        const auto unfinished = std::ranges::find_if(m_scores, [](const RepeatScores& scores) {
            return !std::ranges::all_of(scores, [](const auto& of) { return of.has_value(); });
        });
        if (unfinished != m_scores.begin()) {
            summarize(static_cast<std::size_t>(unfinished - m_scores.begin()));
        }
        return {};
    }

private:
    /// Of conditions x classifiers; nothing: not there yet.
    using RepeatScores = std::vector<std::optional<ModelScores>>;

    [[nodiscard]] std::size_t epsilons() const { return m_options.grid.epsilons.size(); }
    [[nodiscard]] std::optional<ModelScores>& scoresAt(int repeat, std::size_t condition,
                                                       std::size_t classifier) {
        return m_scores[static_cast<std::size_t>(repeat)]
                       [condition * m_options.classifiers.size() + classifier];
    }

    /// The first repeat is alone, so that a run shows something early.
    [[nodiscard]] std::vector<Unit> allUnits() const {
        const std::size_t atOnce = m_evaluation.epsilonsAtOnce();
        std::vector<Unit> units;
        for (int first = 0, end = 1; first < m_options.repeats; first = end) {
            end = first == 0 ? 1
                             : std::min(first + m_evaluation.repeatsTogether(), m_options.repeats);
            for (std::size_t epsilon = 0; epsilon < epsilons(); epsilon += atOnce) {
                units.push_back({first, end, epsilon, std::min(epsilon + atOnce, epsilons())});
            }
        }
        return units;
    }

    /// Places of all mechanisms at the epsilons of a unit, behind the baselines that belong to it.
    [[nodiscard]] std::vector<std::size_t> conditionsOf(const Unit& unit) const {
        std::vector<std::size_t> conditions;
        if (unit.first == 0) {
            conditions = {kOriginal, kCeiling, kFloor};
        }
        for (std::size_t mechanism = 0; mechanism < m_evaluation.mechanisms(); ++mechanism) {
            for (std::size_t i = unit.first; i < unit.end; ++i) {
                conditions.push_back(kBaselines + mechanism * epsilons() + i);
            }
        }
        return conditions;
    }

    Result<void> learn(const Unit& unit) {
        constexpr double kPerturbing = 0.5;  // of the work, for the progress
        const auto at = [&](int repeat, std::size_t epsilon) {
            return (repeat + static_cast<double>(epsilon) / static_cast<double>(epsilons())) /
                   m_options.repeats;
        };
        const JobContext job =
            partOf(m_job, at(unit.firstRepeat, unit.first), at(unit.endRepeat - 1, unit.end));
        std::vector<corpus::DrawPool> pools;
        for (int repeat = unit.firstRepeat; repeat < unit.endRepeat; ++repeat) {
            pools.push_back(m_evaluation.pool(repeat, Role::training));
            if (m_options.perturbTest) {
                pools.push_back(m_evaluation.pool(repeat, Role::test));
            }
        }
        const Stopwatch perturbing;
        const auto epsilonsOfUnit =
            std::span(m_options.grid.epsilons).subspan(unit.first, unit.end - unit.first);
        ASSIGN_OR_RETURN(auto copies,
                         m_perturber.perturb(pools, epsilonsOfUnit, partOf(job, 0.0, kPerturbing)));
        m_summary.perturbSeconds += perturbing.seconds();
        const double share = (1.0 - kPerturbing) / (unit.endRepeat - unit.firstRepeat);
        const auto perRepeat = static_cast<std::ptrdiff_t>(m_options.perturbTest ? 2 : 1);
        for (int repeat = unit.firstRepeat; repeat < unit.endRepeat; ++repeat) {
            const double begin = kPerturbing + share * (repeat - unit.firstRepeat);
            const Stopwatch learning;
            RETURN_IF_ERROR(learnAll(repeat, unit, copies, partOf(job, begin, begin + share)));
            m_summary.classifySeconds += learning.seconds();
            copies.erase(copies.begin(), copies.begin() + perRepeat);
            if (m_show && unit.end == epsilons()) {
                summarize(static_cast<std::size_t>(repeat) + 1);
                m_show();
            }
        }
        return {};
    }

    /// Trains every classifier on every condition of a repeat.
    ///
    /// copies  that of the training documents and, if they are perturbed too, of the test documents
    Result<void> learnAll(int repeat, const Unit& unit,
                          const std::vector<corpus::PerturbedPool>& copies, const JobContext& job) {
        const std::vector<std::size_t> conditions = conditionsOf(unit);
        const std::size_t baselines = unit.first == 0 ? kBaselines : 0;
        const corpus::DrawPool training = m_evaluation.pool(repeat, Role::training);
        const corpus::DrawPool test = m_evaluation.pool(repeat, Role::test);
        const LabelledTokens plainTest =
            m_evaluation.released(test.documents, m_perturber.unperturbed(test));
        // Documents under a condition, by its place.
        const auto textsOf = [&](const corpus::DrawPool& pool, std::size_t place) {
            const auto& documents = pool.documents;
            const std::size_t condition = conditions[place];
            return condition == kOriginal ? m_evaluation.typed(documents)
                   : condition == kCeiling
                       ? m_evaluation.released(documents, m_perturber.unperturbed(pool))
                   : condition == kFloor
                       ? m_evaluation.released(documents, m_perturber.uniform(pool))
                       : m_evaluation.released(documents,
                                               &pool == &training ? copies.front() : copies[1],
                                               place - baselines);
        };
        const std::size_t tasks = conditions.size() * m_options.classifiers.size();
        std::mutex reporting;
        std::size_t finished = 0;
        return eachInParallel(tasks, m_options.threads, [&](std::size_t task) -> Result<void> {
            RETURN_IF_ERROR(job.checkStop());
            const std::size_t place = task / m_options.classifiers.size();
            const std::size_t classifier = task % m_options.classifiers.size();
            const bool isPlain = conditions[place] == kCeiling ||
                                 (conditions[place] != kOriginal && !m_options.perturbTest);
            const LabelledTokens own = isPlain ? LabelledTokens{} : textsOf(test, place);
            ASSIGN_OR_RETURN(scoresAt(repeat, conditions[place], classifier),
                             trained(repeat, m_options.classifiers[classifier],
                                     textsOf(training, place), isPlain ? plainTest : own));
            const std::lock_guard lock(reporting);
            job.progress(static_cast<double>(++finished) / static_cast<double>(tasks), "Training");
            return {};
        });
    }

    [[nodiscard]] Result<ModelScores> trained(int repeat, ClassifierKind kind,
                                              const LabelledTokens& training,
                                              const LabelledTokens& test) const {
        ASSIGN_OR_RETURN(
            const auto model,
            trainClassifier(training, m_evaluation.classifier(kind, repeat), {m_job.stop, {}}));
        const RowMatrixD probabilities = model(test);
        ModelScores result{scoresOf(probabilities, test.labels, m_evaluation.positive()), {}, {}};
        if (m_evaluation.data.hasSplit()) {
            result.resampled = bootstrapScores(probabilities, test.labels, m_evaluation.positive(),
                                               m_options.seed);
            const std::vector<std::int32_t> predicted = predictedClasses(probabilities);
            for (std::size_t i = 0; i < predicted.size(); ++i) {
                result.correct.push_back(predicted[i] == test.labels[i]);
            }
        }
        return result;
    }

    /// The models of the first repeats.
    [[nodiscard]] Repeats modelsOf(std::size_t condition, std::size_t classifier) {
        Repeats models;
        for (int repeat = 0; repeat < m_summary.repeats; ++repeat) {
            models.push_back(&*scoresAt(repeat, condition, classifier));
        }
        return models;
    }

    [[nodiscard]] attack::Findings findingsOf(std::size_t condition, const RepeatDesign& design) {
        attack::Findings findings;
        for (std::size_t i = 0; i < m_options.classifiers.size(); ++i) {
            const std::string_view name = classifierName(m_options.classifiers[i]);
            const Repeats models = modelsOf(condition, i);
            for (std::size_t measure = 0; measure < kMeasures.size(); ++measure) {
                add(findings, fmt::format("{}.{}", name, kMeasures.at(measure)),
                    measured(models, measure, design), valuesOf(models, measure));
            }
            if (condition >= kBaselines) {
                const auto retained =
                    retainedShare(accuraciesOf(models), accuraciesOf(modelsOf(kFloor, i)),
                                  accuraciesOf(modelsOf(kCeiling, i)), design);
                add(findings, fmt::format("{}.retained", name),
                    retained.value_or(Estimate{std::nan("")}), {});
            }
        }
        return findings;
    }

    /// repeats  finished, >= 1
    void summarize(std::size_t repeats) {
        const corpus::DocumentSplit& split = m_evaluation.splits.front();
        const auto tests = static_cast<double>(split.test.size());
        const RepeatDesign design{
            m_evaluation.data.hasSplit() ? 0.0 : tests / static_cast<double>(split.training.size()),
            0.0, tests};
        m_summary.repeats = static_cast<int>(repeats);
        m_summary.substitutions = static_cast<std::int64_t>(m_evaluation.perturbedTokens() *
                                                            m_evaluation.cells() * repeats);
        m_summary.original = findingsOf(kOriginal, design);
        m_summary.ceiling = findingsOf(kCeiling, design);
        m_summary.floor = findingsOf(kFloor, design);
        for (std::size_t cell = 0; cell < m_summary.cells.size(); ++cell) {
            m_summary.cells[cell].classify = findingsOf(kBaselines + cell, design);
        }
        m_summary.majority = 0.0;
        for (std::size_t repeat = 0; repeat < repeats; ++repeat) {
            m_summary.majority +=
                majorityShare(m_evaluation, m_evaluation.splits[repeat]) / m_summary.repeats;
        }
        compareSettings(design);
    }

    /// Every pair of shapes at every epsilon.
    void compareSettings(RepeatDesign design) {
        // Wilson's interval is one of a share, which a difference is not.
        design.cases = 0.0;
        const std::size_t cells = m_summary.cells.size();
        std::vector<Difference> differences;
        m_summary.differences.clear();
        for (std::size_t i = 0; i < m_options.classifiers.size(); ++i) {
            std::vector<Accuracies> accuracies;
            for (std::size_t cell = 0; cell < cells; ++cell) {
                accuracies.push_back(accuraciesOf(modelsOf(kBaselines + cell, i)));
            }
            for (std::size_t first = 0; first < cells; ++first) {
                for (std::size_t second = first + epsilons(); second < cells;
                     second += epsilons()) {
                    m_summary.differences.push_back({first, second, m_options.classifiers[i]});
                    differences.push_back(compareRepeats(accuracies[first], accuracies[second],
                                                         design, EvaluationOptions::kMargin));
                }
            }
        }
        decide(differences);
        for (std::size_t i = 0; i < differences.size(); ++i) {
            m_summary.differences[i].accuracy = differences[i];
        }
    }

    const Evaluation& m_evaluation;
    const EvaluationOptions& m_options;
    const corpus::Perturber& m_perturber;
    const JobContext& m_job;
    EvaluationSummary& m_summary;
    const std::function<void()>& m_show;
    std::vector<RepeatScores> m_scores;  ///< by repeat
};

}  // namespace

Result<void> classify(const TaskInput& input, EvaluationSummary& summary,
                      const std::function<void()>& show) {
    return Classification(input, summary, show).run();
}

}  // namespace epsilens::evaluation
