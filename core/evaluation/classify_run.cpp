#include <algorithm>
#include <cmath>
#include <mutex>
#include <utility>

#include <fmt/format.h>

#include "core/base/crew.h"
#include "core/base/error.h"
#include "core/base/job_context.h"
#include "core/base/parallel.h"
#include "core/base/random_stream.h"
#include "core/base/stopwatch.h"
#include "core/corpus/streams.h"
#include "core/evaluation/evaluation_run.h"

namespace epsilens::evaluation {

/// Scores of a model, with what an own split needs beside them.
struct ModelScores {
    Scores scores{};
    std::vector<Scores> resampled{};      ///< on resampled test documents; empty unless asked for
    std::vector<std::uint8_t> correct{};  ///< for each test document; empty unless asked for
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
    VectorD counts = VectorD::Zero(std::ssize(evaluation.data.classes));
    for (const std::size_t document : split.training) {
        counts[labelOf(document)] += 1.0;
    }
    Eigen::Index commonest = 0;
    counts.maxCoeff(&commonest);
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

/// Of one classifier under one condition, by finished repeat.
using Repeats = std::span<const std::optional<ModelScores>>;

std::vector<double> valuesOf(Repeats models, std::size_t measure) {
    std::vector<double> values;
    for (const auto& model : models) {
        values.push_back(model->scores.at(measure));
    }
    return values;
}

Accuracies accuraciesOf(Repeats models) {
    Accuracies accuracies{valuesOf(models, 0), std::vector<double>(models[0]->correct.size())};
    for (std::size_t i = 0; i < accuracies.documents.size(); ++i) {
        const auto right =
            std::ranges::count_if(models, [i](const auto& model) { return model->correct[i]; });
        accuracies.documents[i] = static_cast<double>(right) / static_cast<double>(models.size());
    }
    return accuracies;
}

/// Estimate of a measure, of which resampled test documents tell how far their choice matters.
Estimate measured(Repeats models, std::size_t measure, RepeatDesign design) {
    std::vector<double> resampled(models[0]->resampled.size());
    for (const auto& model : models) {
        for (std::size_t i = 0; i < resampled.size(); ++i) {
            resampled[i] += model->resampled[i].at(measure) / static_cast<double>(models.size());
        }
    }
    design.sharedVariance += varianceOf(resampled);
    design.cases = measure == 0 ? design.cases : 0.0;
    return within(estimateOf(valuesOf(models, measure), design), 0.0, 1.0);
}

/// Repeats and epsilons of the grid whose texts are perturbed together. What has no setting is
/// learned with the first epsilons.
struct Unit {
    std::uint32_t firstRepeat = 0;
    std::uint32_t endRepeat = 0;
    std::size_t first = 0;
    std::size_t end = 0;
};

class Classification : TaskInput {
public:
    Classification(const TaskInput& input, EvaluationSummary& summary, const ShowSoFar& show)
        : TaskInput(input),
          m_summary(summary),
          m_show(show),
          m_scores((kBaselines + evaluation.cells()) * options.classifiers.size(),
                   Scored(evaluation.repeats())) {}

    Result<void> run() {
        const std::vector<Unit> units = allUnits();
        auto done = inUnits(
            options.crew, std::ssize(units),
            [&](std::int64_t unit) { return learn(units[static_cast<std::size_t>(unit)]); },
            [&](auto& archive, std::int64_t number) {
                const Unit& unit = units[static_cast<std::size_t>(number)];
                for (std::uint32_t repeat = unit.firstRepeat; repeat < unit.endRepeat; ++repeat) {
                    for (const std::size_t condition : conditionsOf(unit)) {
                        for (std::size_t i = 0; i < options.classifiers.size(); ++i) {
                            archive(of(condition, i)[repeat]);
                        }
                    }
                }
            });
        std::uint32_t finished = 0;
        while (finished < evaluation.repeats() &&
               std::ranges::all_of(
                   m_scores, [&](const Scored& models) { return models[finished].has_value(); })) {
            ++finished;
        }
        if (finished > 0) {
            summarize(finished);
        }
        return done;
    }

private:
    /// By repeat; nothing: not there yet.
    using Scored = std::vector<std::optional<ModelScores>>;

    std::size_t epsilons() const { return options.grid.epsilons.size(); }
    Scored& of(std::size_t condition, std::size_t classifier) {
        return m_scores[condition * options.classifiers.size() + classifier];
    }

    /// The first repeat is alone, so that a run shows something early.
    std::vector<Unit> allUnits() const {
        const std::size_t atOnce = evaluation.epsilonsAtOnce();
        std::vector<Unit> units;
        for (std::uint32_t first = 0, end = 1; first < evaluation.repeats(); first = end) {
            end = first == 0 ? 1
                             : std::min(first + evaluation.repeatsTogether(), evaluation.repeats());
            for (std::size_t epsilon = 0; epsilon < epsilons(); epsilon += atOnce) {
                units.push_back({first, end, epsilon, std::min(epsilon + atOnce, epsilons())});
            }
        }
        return units;
    }

    /// Places of all mechanisms at the epsilons of a unit, behind the baselines that belong to it.
    std::vector<std::size_t> conditionsOf(const Unit& unit) const {
        std::vector<std::size_t> conditions;
        if (unit.first == 0) {
            conditions = {kOriginal, kCeiling, kFloor};
        }
        for (std::size_t mechanism = 0; mechanism < evaluation.mechanisms(); ++mechanism) {
            for (std::size_t i = unit.first; i < unit.end; ++i) {
                conditions.push_back(kBaselines + mechanism * epsilons() + i);
            }
        }
        return conditions;
    }

    Result<void> learn(const Unit& unit) {
        constexpr double kPerturbing = 0.5;  // of the work, for the progress
        const auto at = [&](std::uint32_t repeat, std::size_t epsilon) {
            return (repeat + static_cast<double>(epsilon) / static_cast<double>(epsilons())) /
                   options.repeats;
        };
        const JobContext job =
            partOf(wholeJob, at(unit.firstRepeat, unit.first), at(unit.endRepeat - 1, unit.end));
        std::vector<corpus::DrawPool> pools;
        for (std::uint32_t repeat = unit.firstRepeat; repeat < unit.endRepeat; ++repeat) {
            pools.push_back(evaluation.pool(repeat, Role::training));
            if (options.perturbTest) {
                pools.push_back(evaluation.pool(repeat, Role::test));
            }
        }
        const Stopwatch perturbing;
        const auto epsilonsOfUnit =
            std::span(options.grid.epsilons).subspan(unit.first, unit.end - unit.first);
        ASSIGN_OR_RETURN(const auto copies,
                         perturber.perturb(pools, epsilonsOfUnit, partOf(job, 0.0, kPerturbing)));
        m_summary.perturbSeconds += perturbing.seconds();
        const double share = (1.0 - kPerturbing) / (unit.endRepeat - unit.firstRepeat);
        const std::size_t ofRepeat = options.perturbTest ? 2 : 1;
        auto rest = std::span(copies);
        for (std::uint32_t repeat = unit.firstRepeat; repeat < unit.endRepeat; ++repeat) {
            const double begin = kPerturbing + share * (repeat - unit.firstRepeat);
            const Stopwatch learning;
            RETURN_IF_ERROR(learnAll(repeat, unit, rest, partOf(job, begin, begin + share)));
            m_summary.classifySeconds += learning.seconds();
            rest = rest.subspan(ofRepeat);
            if (m_show && unit.end == epsilons()) {
                summarize(repeat + 1);
                m_show();
            }
        }
        return {};
    }

    /// Trains every classifier on every condition of a repeat.
    ///
    /// copies  first that of its training documents, and that of its test documents if they are
    ///         perturbed too
    Result<void> learnAll(std::uint32_t repeat, const Unit& unit,
                          std::span<const corpus::PerturbedPool> copies, const JobContext& job) {
        const std::vector<std::size_t> conditions = conditionsOf(unit);
        const std::size_t baselines = unit.first == 0 ? kBaselines : 0;
        const corpus::DrawPool training = evaluation.pool(repeat, Role::training);
        const corpus::DrawPool test = evaluation.pool(repeat, Role::test);
        const LabelledTokens plainTest = evaluation.released(test, perturber.unperturbed(test));
        // Documents under a condition, by its place.
        const auto textsOf = [&](const corpus::DrawPool& pool, std::size_t place) {
            const std::size_t condition = conditions[place];
            return condition == kOriginal  ? evaluation.typed(pool.documents)
                   : condition == kCeiling ? evaluation.released(pool, perturber.unperturbed(pool))
                   : condition == kFloor   ? evaluation.released(pool, perturber.uniform(pool))
                                         : evaluation.released(pool, copies[&pool == &test ? 1 : 0],
                                                               place - baselines);
        };
        const std::size_t classifiers = options.classifiers.size();
        const std::size_t tasks = conditions.size() * classifiers;
        std::mutex reporting;
        std::size_t finished = 0;
        return eachInParallel(tasks, options.threads, [&](std::size_t task) -> Result<void> {
            RETURN_IF_ERROR(job.checkStop());
            const std::size_t place = task / classifiers;
            const bool isPlain = conditions[place] == kCeiling ||
                                 (conditions[place] != kOriginal && !options.perturbTest);
            ASSIGN_OR_RETURN(
                of(conditions[place], task % classifiers)[repeat],
                trained(repeat, options.classifiers[task % classifiers], textsOf(training, place),
                        isPlain ? plainTest : textsOf(test, place)));
            const std::lock_guard lock(reporting);
            job.progress(++finished, tasks, "Training");
            return {};
        });
    }

    Result<ModelScores> trained(std::uint32_t repeat, ClassifierKind kind,
                                const LabelledTokens& training, const LabelledTokens& test) const {
        ASSIGN_OR_RETURN(
            const auto model,
            trainClassifier(training, evaluation.classifier(kind, repeat), {wholeJob.stop}));
        const RowMatrixD probabilities = model(test);
        ModelScores result{scoresOf(probabilities, test.labels, evaluation.positive())};
        if (evaluation.data.hasSplit()) {
            result.resampled =
                bootstrapScores(probabilities, test.labels, evaluation.positive(), options.seed);
            const std::vector<std::int32_t> predicted = predictedClasses(probabilities);
            for (std::size_t i = 0; i < predicted.size(); ++i) {
                result.correct.push_back(predicted[i] == test.labels[i] ? 1 : 0);
            }
        }
        return result;
    }

    /// The models of the first repeats.
    Repeats modelsOf(std::size_t condition, std::size_t classifier) {
        return Repeats(of(condition, classifier))
            .first(static_cast<std::size_t>(m_summary.repeats));
    }

    attack::Findings findingsOf(std::size_t condition, const RepeatDesign& design) {
        attack::Findings findings;
        // Figures that do not exist are numbers that are not there.
        const auto add = [&](std::string path, const Estimate& estimate,
                             std::vector<double> repeats) {
            if (std::isnan(estimate.mean)) {
                findings.add(std::move(path), estimate.mean);
            } else {
                findings.figures.push_back({{estimate.mean, estimate.ci95},
                                            std::move(path),
                                            attack::Figure::Kind::share,
                                            std::move(repeats)});
            }
        };
        for (std::size_t i = 0; i < options.classifiers.size(); ++i) {
            const std::string_view name = classifierName(options.classifiers[i]);
            const Repeats models = modelsOf(condition, i);
            for (std::size_t measure = 0; measure < kMeasures.size(); ++measure) {
                add(fmt::format("{}.{}", name, kMeasures.at(measure)),
                    measured(models, measure, design), valuesOf(models, measure));
            }
            if (condition >= kBaselines) {
                add(fmt::format("{}.retained", name),
                    retainedShare(accuraciesOf(models), accuraciesOf(modelsOf(kFloor, i)),
                                  accuraciesOf(modelsOf(kCeiling, i)), design),
                    {});
            }
        }
        return findings;
    }

    /// repeats  finished, >= 1
    void summarize(std::uint32_t repeats) {
        const corpus::DocumentSplit& split = evaluation.splits.front();
        const auto tests = static_cast<double>(split.test.size());
        const RepeatDesign design{
            evaluation.data.hasSplit() ? 0.0 : tests / static_cast<double>(split.training.size()),
            0.0, tests};
        m_summary.repeats = static_cast<int>(repeats);
        m_summary.substitutions =
            static_cast<std::int64_t>(evaluation.perturbedTokens() * evaluation.cells() * repeats);
        m_summary.original = findingsOf(kOriginal, design);
        m_summary.ceiling = findingsOf(kCeiling, design);
        m_summary.floor = findingsOf(kFloor, design);
        for (std::size_t cell = 0; cell < m_summary.cells.size(); ++cell) {
            m_summary.cells[cell].classify = findingsOf(kBaselines + cell, design);
        }
        m_summary.majority = 0.0;
        for (std::uint32_t repeat = 0; repeat < repeats; ++repeat) {
            m_summary.majority +=
                majorityShare(evaluation, evaluation.splits[repeat]) / m_summary.repeats;
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
        for (std::size_t i = 0; i < options.classifiers.size(); ++i) {
            std::vector<Accuracies> accuracies;
            for (std::size_t cell = 0; cell < cells; ++cell) {
                accuracies.push_back(accuraciesOf(modelsOf(kBaselines + cell, i)));
            }
            for (std::size_t first = 0; first < cells; ++first) {
                for (std::size_t second = first + epsilons(); second < cells;
                     second += epsilons()) {
                    m_summary.differences.push_back({first, second, options.classifiers[i]});
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

    EvaluationSummary& m_summary;
    const ShowSoFar& m_show;
    std::vector<Scored> m_scores;  ///< conditions x classifiers
};

}  // namespace

Result<void> classify(const TaskInput& input, EvaluationSummary& summary, const ShowSoFar& show) {
    return Classification(input, summary, show).run();
}

}  // namespace epsilens::evaluation
