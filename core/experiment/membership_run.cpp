#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "core/base/crew.h"
#include "core/base/job_part.h"
#include "core/base/numbers.h"
#include "core/base/parallel.h"
#include "core/base/pass_on.h"
#include "core/experiment/attack/membership.h"
#include "core/experiment/attack_task.h"
#include "core/experiment/classification.h"
#include "core/experiment/membership_parts.h"

namespace epsilens::experiment {
namespace {

// Share of the work that is perturbing, for the progress.
constexpr double kPerturbingShare = 0.3;
// Resamples of the bootstrap; with several repeats their spread takes its place.
constexpr int kResamples = 1000;
constexpr int kFewestResamples = 40;

// Places of the conditions; the cells follow.
constexpr std::size_t kOriginal = 0;
constexpr std::size_t kFloor = 1;
constexpr std::size_t kConditions = 2;

constexpr std::array<std::pair<const char*, Measured Detection::*>, 6> kDetected{
    {{"auc", &Detection::auc},
     {"accuracy", &Detection::accuracy},
     {"advantage", &Detection::advantage},
     {"precision", &Detection::precision},
     {"recall", &Detection::recall},
     {"tprAt1", &Detection::recallAtFewAlarms}}};

std::vector<std::int64_t> joined(const std::vector<std::int64_t>& first,
                                 const std::vector<std::int64_t>& second) {
    std::vector<std::int64_t> all = first;
    all.insert(all.end(), second.begin(), second.end());
    return all;
}

// RepeatDesign::testRatio of the figures of this attack.
constexpr double kMembershipTestRatio = 1.0;
// Epsilons that are perturbed together, and that a cancelled run finishes or loses together.
constexpr std::size_t kMembershipEpsilons = 4;

class Membership : public AttackTask {
public:
    Membership(const EvaluationParts& parts, const Perturber& perturber, const JobContext& job)
        : AttackTask(parts, perturber, job),
          m_options(parts.options),
          m_numbers{parts.words, parts.data, parts.space.embedding().wordCount(),
                    parts.options.policies.unknown == release::UnknownPolicy::keep},
          m_found(kConditions + parts.cells()) {
        for (auto& condition : m_found) {
            condition.assign(m_options.classifiers.size(),
                             Detections(static_cast<std::size_t>(m_options.repeats)));
        }
    }

    Result<AttackResults> run() override {
        m_results.task = Task::membership;
        m_results.risk = fmt::format("{}.threshold.advantage",
                                     experiment::classifierName(m_options.classifiers.front()));
        for (int repeat = 0; repeat < m_options.repeats; ++repeat) {
            m_splits.push_back(fourParts(m_parts.data,
                                         m_parts.splits[static_cast<std::size_t>(repeat)],
                                         m_options.seed, repeat));
        }
        describe();
        if (auto done = attackAll(); !done && done.error().code != ErrorCode::cancelled) {
            return tl::unexpected(std::move(done.error()));
        }
        return std::move(m_results);
    }

private:
    /// By repeat and attack model; none of a repeat that is not done.
    using Detections = std::vector<std::vector<MembershipResult>>;

    void describe() {
        const FourParts& parts = m_splits.front();
        const auto size = [](const std::vector<std::int64_t>& documents) {
            return formatCount(static_cast<std::int64_t>(documents.size()));
        };
        m_results.sentences = {
            fmt::format("The target was trained on {} released texts; the attacker has to tell "
                        "their originals from {} other texts. {} repeats, each with a random split "
                        "of its own.",
                        size(parts.targetIn), size(parts.targetOut), m_options.repeats),
            fmt::format(
                "The attacker knows the kind of classifier, how it is trained, mechanism "
                "and setting, and has texts of their own: they train a shadow model on {} of them, "
                "perturbed in the same way, and learn from its answers to these and to {} others "
                "what members look like (Carvalho et al. 2021, appendix C).",
                size(parts.shadowIn), size(parts.shadowOut)),
            "The attacker asks for the class probabilities of original texts. threshold: by the "
            "loss, for which the true class is known; perceptron: by the probabilities.",
            "An AUC of 0.5 and an advantage of 0 are chance; TPR at 1% FPR is told from chance "
            "only where its whole interval is above 0.010."};
        if (parts.leftOut > 0) {
            m_results.sentences.push_back(
                fmt::format("Left out, so that no text is in two parts: {} of the test documents, "
                            "whose text a training document has.",
                            formatCount(static_cast<std::int64_t>(parts.leftOut))));
        }
    }

    Result<void> attackAll() {
        const auto repeats = static_cast<std::int64_t>(m_options.repeats);
        const auto epsilons = static_cast<std::int64_t>(m_options.grid.epsilons.size());
        const auto atOnce =
            static_cast<std::int64_t>(std::min(kMembershipEpsilons, m_parts.epsilonsAtOnce()));
        const std::int64_t batches = (epsilons + atOnce - 1) / atOnce;
        // Repeats without settings, then all repeats of some epsilons after the other.
        auto done = inUnits(
            m_options.crew, repeats * (1 + batches),
            [&](std::int64_t unit) {
                const auto repeat = static_cast<int>(unit % repeats);
                const std::int64_t first = (unit / repeats - 1) * atOnce;
                return first < 0
                           ? attackBaselines(repeat)
                           : attackEpsilons(
                                 repeat, static_cast<std::size_t>(first),
                                 static_cast<std::size_t>(std::min(first + atOnce, epsilons)));
            },
            [&](auto& archive, std::int64_t unit) {
                const std::int64_t batch = unit / repeats - 1;
                for (std::size_t condition = 0; condition < m_found.size(); ++condition) {
                    if (batchOf(condition, atOnce) != batch) {
                        continue;
                    }
                    for (Detections& detections : m_found[condition]) {
                        archive(detections[static_cast<std::size_t>(unit % repeats)]);
                    }
                }
            });
        summarize();
        return done;
    }

    /// Number of the epsilons that are attacked at once; -1 for a condition without a setting.
    [[nodiscard]] std::int64_t batchOf(std::size_t condition, std::int64_t atOnce) const {
        return condition < kConditions ? -1
                                       : static_cast<std::int64_t>((condition - kConditions) %
                                                                   m_options.grid.epsilons.size()) /
                                             atOnce;
    }

    /// Findings of the conditions of which every repeat is done.
    void summarize() {
        const auto findingsIfDone = [&](std::size_t condition) {
            const bool isDone = std::all_of(
                m_found[condition].begin(), m_found[condition].end(),
                [](const Detections& detections) {
                    return std::none_of(detections.begin(), detections.end(),
                                        [](const auto& models) { return models.empty(); });
                });
            return isDone ? std::optional(findingsOf(condition)) : std::nullopt;
        };
        m_results.original = findingsIfDone(kOriginal);
        m_results.floor = findingsIfDone(kFloor);
        for (std::size_t cell = 0; cell < m_results.cells.size(); ++cell) {
            m_results.cells[cell] = findingsIfDone(kConditions + cell);
        }
    }

    [[nodiscard]] DrawPool targetPool(int repeat) const {
        return {kTargetPool + static_cast<std::uint32_t>(repeat),
                m_splits[static_cast<std::size_t>(repeat)].targetIn};
    }
    [[nodiscard]] DrawPool shadowPool(int repeat) const {
        return {kShadowPool + static_cast<std::uint32_t>(repeat),
                m_splits[static_cast<std::size_t>(repeat)].shadowIn};
    }

    Result<void> attackBaselines(int repeat) {
        const DrawPool target = targetPool(repeat);
        const DrawPool shadow = shadowPool(repeat);
        return attackConditions(repeat, kConditions, [&](std::size_t condition) {
            return std::tuple(
                condition,
                condition == kOriginal ? plain(target.documents)
                                       : released(target, m_perturber.uniform(target)),
                condition == kOriginal ? plain(shadow.documents)
                                       : released(shadow, m_perturber.uniform(shadow)));
        });
    }

    Result<void> attackEpsilons(int repeat, std::size_t first, std::size_t end) {
        const std::size_t epsilons = m_options.grid.epsilons.size();
        const auto some = std::span(m_options.grid.epsilons).subspan(first, end - first);
        const auto at = [&](double done) {
            return (static_cast<double>(first) +
                    static_cast<double>(end - first) * (repeat + done) / m_options.repeats) /
                   static_cast<double>(epsilons);
        };
        const std::vector<DrawPool> pools{targetPool(repeat), shadowPool(repeat)};
        ASSIGN_OR_RETURN(
            const auto perturbed,
            m_perturber.perturb(pools, some, partOf(m_job, at(0.0), at(kPerturbingShare))));
        RETURN_IF_ERROR(
            attackConditions(repeat, perturbed.front().outputs.size(), [&](std::size_t setting) {
                return std::tuple(
                    kConditions + setting / some.size() * epsilons + first + setting % some.size(),
                    releasedDocuments(m_numbers, pools[0].documents, perturbed[0], setting),
                    releasedDocuments(m_numbers, pools[1].documents, perturbed[1], setting));
            }));
        m_job.progress(at(1.0), "Membership");
        return {};
    }

    /// Attacks every classifier under every condition.
    ///
    /// textsOf  of a condition: its place, and what target and shadow learn from
    template <typename TextsOf>
    Result<void> attackConditions(int repeat, std::size_t conditions, const TextsOf& textsOf) {
        const std::size_t classifiers = m_options.classifiers.size();
        const auto tasks = static_cast<std::int64_t>(conditions * classifiers);
        std::vector<std::optional<Error>> errors(static_cast<std::size_t>(tasks));
        parallelFor(tasks, m_options.threads, [&](std::int64_t task) {
            const auto index = static_cast<std::size_t>(task);
            const auto [condition, target, shadow] = textsOf(index / classifiers);
            auto found = attack(repeat, m_options.classifiers[index % classifiers], target, shadow);
            if (found) {
                m_found[condition][index % classifiers][static_cast<std::size_t>(repeat)] =
                    *std::move(found);
            } else {
                errors[index] = std::move(found.error());
            }
        });
        const auto failed = std::find_if(errors.begin(), errors.end(),
                                         [](const auto& error) { return error.has_value(); });
        return failed == errors.end() ? Result<void>() : tl::unexpected(**failed);
    }

    /// One classifier under one condition.
    Result<std::vector<MembershipResult>> attack(int repeat, ClassifierKind kind,
                                                 const LabelledTokens& target,
                                                 const LabelledTokens& shadow) const {
        const FourParts& parts = m_splits[static_cast<std::size_t>(repeat)];
        ASSIGN_OR_RETURN(const auto shadowOutputs,
                         outputsOf(repeat, kind, shadow, parts.shadowIn, parts.shadowOut));
        ASSIGN_OR_RETURN(const auto targetOutputs,
                         outputsOf(repeat, kind, target, parts.targetIn, parts.targetOut));
        MembershipOptions how;
        how.seed = m_options.seed + static_cast<std::uint64_t>(repeat);
        how.resamples = m_options.repeats > 1 ? kFewestResamples : kResamples;
        how.threads = 1;
        return inferMembership(shadowOutputs, targetOutputs, how, {m_job.stop, {}});
    }

    /// What a classifier that learned from some texts says about their originals and about others.
    Result<ClassifierOutputs> outputsOf(int repeat, ClassifierKind kind,
                                        const LabelledTokens& training,
                                        const std::vector<std::int64_t>& in,
                                        const std::vector<std::int64_t>& out) const {
        ClassifierOptions how;
        how.kind = kind;
        how.classes = static_cast<std::int32_t>(m_parts.data.classes.size());
        how.seed = m_options.seed + static_cast<std::uint64_t>(repeat);
        how.vectors = &m_parts.space.embedding().vectors();
        ASSIGN_OR_RETURN(const auto model, trainClassifier(training, how, {m_job.stop, {}}));
        const LabelledTokens asked = plain(joined(in, out));
        ClassifierOutputs outputs;
        outputs.probabilities = model->probabilities(asked);
        outputs.labels = asked.labels;
        outputs.members.assign(in.size(), 1);
        outputs.members.resize(asked.size(), 0);
        return outputs;
    }

    /// Without noise, unknown words as the policy has them.
    [[nodiscard]] LabelledTokens plain(const std::vector<std::int64_t>& documents) const {
        const DrawPool pool{kTargetPool, documents};
        return released(pool, m_perturber.unperturbed(pool));
    }
    [[nodiscard]] LabelledTokens released(const DrawPool& pool, const PerturbedPool& words) const {
        return releasedDocuments(m_numbers, pool.documents, words, 0);
    }

    [[nodiscard]] Findings findingsOf(std::size_t condition) const {
        Findings findings;
        for (std::size_t i = 0; i < m_options.classifiers.size(); ++i) {
            const Detections& repeats = m_found[condition][i];
            const std::string classifier(classifierName(m_options.classifiers[i]));
            for (std::size_t model = 0; model < repeats.front().size(); ++model) {
                const std::string name(modelName(repeats.front()[model].model));
                for (const auto& [path, measure] : kDetected) {
                    findings.figures.push_back(
                        figureOf(fmt::format("{}.{}.{}", classifier, name, path),
                                 titleOf(classifier, name, path), repeats, model, measure));
                }
            }
        }
        return findings;
    }

    [[nodiscard]] static std::string titleOf(const std::string& classifier, const std::string& name,
                                             std::string_view path) {
        if (path == "auc") {
            return fmt::format("{}, {}: AUC", classifier, name);
        }
        // The attacker by the loss is shown whole; he is the one that is easiest to understand.
        if (name != "threshold") {
            return {};
        }
        return path == "accuracy" || path == "advantage"
                   ? fmt::format("{}, {}: {}", classifier, name, path)
               : path == "tprAt1" ? fmt::format("{}, {}: TPR at 1% FPR", classifier, name)
                                  : std::string();
    }

    /// The widest interval that a repeat has by its documents.
    [[nodiscard]] static std::optional<std::array<double, 2>> widest(const Detections& repeats,
                                                                     std::size_t model,
                                                                     Measured Detection::*measure) {
        std::optional<std::array<double, 2>> found;
        for (const std::vector<MembershipResult>& repeat : repeats) {
            const auto& interval = (repeat[model].detection.*measure).ci95;
            if (interval &&
                (!found || (*interval)[1] - (*interval)[0] > (*found)[1] - (*found)[0])) {
                found = interval;
            }
        }
        return found;
    }

    /// Mean over the repeats with the interval of their spread; of one repeat, or of those that do
    /// not vary, the interval by documents.
    [[nodiscard]] Figure figureOf(std::string path, std::string title, const Detections& repeats,
                                  std::size_t model, Measured Detection::*measure) const {
        if (repeats.size() == 1) {
            return Figure::of(std::move(path), std::move(title),
                              repeats.front()[model].detection.*measure);
        }
        std::vector<double> values;
        values.reserve(repeats.size());
        for (const std::vector<MembershipResult>& repeat : repeats) {
            values.push_back((repeat[model].detection.*measure).value);
        }
        // A document is scored twice as often as it is learned from, so that repeats share both.
        const RepeatDesign design{kMembershipTestRatio, 0.0};
        const double lowest = measure == &Detection::advantage ? -1.0 : 0.0;
        const Estimate estimate = estimateOf(values, design, std::array{lowest, 1.0});
        Figure figure{std::move(path),
                      std::move(title),
                      estimate.mean,
                      estimate.ci95 || std::isnan(estimate.mean) ? estimate.ci95
                                                                 : widest(repeats, model, measure),
                      Figure::Kind::share,
                      {}};
        figure.repeats = std::move(values);
        return figure;
    }

    const EvaluationOptions& m_options;
    WordNumbers m_numbers;
    std::vector<FourParts> m_splits{};
    std::vector<std::vector<Detections>> m_found;  ///< by condition and classifier
};

}  // namespace

std::unique_ptr<AttackTask> membership(const EvaluationParts& parts, const Perturber& perturber,
                                       const JobContext& job) {
    return std::make_unique<Membership>(parts, perturber, job);
}

}  // namespace epsilens::experiment
