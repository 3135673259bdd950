#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "core/base/in_parallel.h"
#include "core/attack/membership.h"
#include "core/base/crew.h"
#include "core/base/job_part.h"
#include "core/base/numbers.h"
#include "core/base/pass_on.h"
#include "core/evaluation/attack_task.h"

namespace epsilens::evaluation {
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

struct DetectedEntry {
    const char* path;
    const char* title;  ///< of its column; empty: none
    corpus::Measured attack::Detection::*measure;
};
constexpr std::array kDetected{
    DetectedEntry{"auc", "AUC", &attack::Detection::auc},
    DetectedEntry{"accuracy", "accuracy", &attack::Detection::accuracy},
    DetectedEntry{"advantage", "advantage", &attack::Detection::advantage},
    DetectedEntry{"precision", "", &attack::Detection::precision},
    DetectedEntry{"recall", "", &attack::Detection::recall},
    DetectedEntry{"tprAt1", "TPR at 1% FPR", &attack::Detection::recallAtFewAlarms}};

// RepeatDesign::testRatio of the figures of this attack.
constexpr double kMembershipTestRatio = 1.0;
// Epsilons that are perturbed together, and that a cancelled run finishes or loses together.
constexpr std::size_t kMembershipEpsilons = 4;

class Membership : public AttackTask {
public:
    Membership(const EvaluationParts& parts, const corpus::Perturber& perturber,
               const JobContext& job)
        : AttackTask(parts, perturber, job),
          m_options(parts.options),
          m_found(kConditions + parts.cells()) {
        for (auto& condition : m_found) {
            condition.assign(m_options.classifiers.size(),
                             Detections(static_cast<std::size_t>(m_options.repeats)));
        }
    }

    Result<attack::AttackResults> run() override {
        m_results.task = attack::Task::membership;
        m_results.risk =
            fmt::format("{}.threshold.advantage", classifierName(m_options.classifiers.front()));
        for (int repeat = 0; repeat < m_options.repeats; ++repeat) {
            m_splits.push_back(corpus::fourParts(m_parts.data,
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
    using Detections = std::vector<std::vector<attack::Detection>>;

    void describe() {
        const corpus::FourParts& parts = m_splits.front();
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

    [[nodiscard]] corpus::DrawPool targetPool(int repeat) const {
        return {kTargetPool + static_cast<std::uint32_t>(repeat),
                m_splits[static_cast<std::size_t>(repeat)].targetIn};
    }
    [[nodiscard]] corpus::DrawPool shadowPool(int repeat) const {
        return {kShadowPool + static_cast<std::uint32_t>(repeat),
                m_splits[static_cast<std::size_t>(repeat)].shadowIn};
    }

    Result<void> attackBaselines(int repeat) {
        const corpus::DrawPool target = targetPool(repeat);
        const corpus::DrawPool shadow = shadowPool(repeat);
        return attackConditions(repeat, kConditions, [&](std::size_t condition) {
            const auto texts = [&](const corpus::DrawPool& pool) {
                return condition == kOriginal
                           ? plain(pool.documents)
                           : m_parts.released(pool.documents, m_perturber.uniform(pool));
            };
            return std::tuple(condition, texts(target), texts(shadow));
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
        const std::vector<corpus::DrawPool> pools{targetPool(repeat), shadowPool(repeat)};
        ASSIGN_OR_RETURN(
            const auto perturbed,
            m_perturber.perturb(pools, some, partOf(m_job, at(0.0), at(kPerturbingShare))));
        RETURN_IF_ERROR(
            attackConditions(repeat, perturbed.front().outputs.size(), [&](std::size_t setting) {
                return std::tuple(
                    kConditions + setting / some.size() * epsilons + first + setting % some.size(),
                    m_parts.released(pools[0].documents, perturbed[0], setting),
                    m_parts.released(pools[1].documents, perturbed[1], setting));
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
        return eachInParallel(
            conditions * classifiers, m_options.threads, [&](std::size_t task) -> Result<void> {
                const auto [condition, target, shadow] = textsOf(task / classifiers);
                const std::size_t i = task % classifiers;
                ASSIGN_OR_RETURN(m_found[condition][i][static_cast<std::size_t>(repeat)],
                                 attack(repeat, m_options.classifiers[i], target, shadow));
                return {};
            });
    }

    /// One classifier under one condition.
    Result<std::vector<attack::Detection>> attack(int repeat, ClassifierKind kind,
                                                  const LabelledTokens& target,
                                                  const LabelledTokens& shadow) const {
        const corpus::FourParts& parts = m_splits[static_cast<std::size_t>(repeat)];
        ASSIGN_OR_RETURN(const auto shadowOutputs,
                         outputsOf(repeat, kind, shadow, parts.shadowIn, parts.shadowOut));
        ASSIGN_OR_RETURN(const auto targetOutputs,
                         outputsOf(repeat, kind, target, parts.targetIn, parts.targetOut));
        attack::BootstrapOptions how;
        how.seed = m_options.seed + static_cast<std::uint64_t>(repeat);
        how.resamples = m_options.repeats > 1 ? kFewestResamples : kResamples;
        how.threads = 1;
        return attack::inferMembership(shadowOutputs, targetOutputs, how, {m_job.stop, {}});
    }

    /// What a classifier that learned from some texts says about their originals and about others.
    Result<attack::ClassifierOutputs> outputsOf(int repeat, ClassifierKind kind,
                                                const LabelledTokens& training,
                                                const std::vector<std::int64_t>& in,
                                                const std::vector<std::int64_t>& out) const {
        ASSIGN_OR_RETURN(
            const auto model,
            trainClassifier(training, m_parts.classifier(kind, repeat), {m_job.stop, {}}));
        std::vector<std::int64_t> both = in;
        both.insert(both.end(), out.begin(), out.end());
        const LabelledTokens asked = plain(both);
        attack::ClassifierOutputs outputs;
        outputs.probabilities = model->probabilities(asked);
        outputs.labels = asked.labels;
        outputs.members.assign(in.size(), 1);
        outputs.members.resize(asked.size(), 0);
        return outputs;
    }

    /// Without noise, unknown words as the policy has them.
    [[nodiscard]] LabelledTokens plain(const std::vector<std::int64_t>& documents) const {
        const corpus::DrawPool pool{kTargetPool, documents};
        return m_parts.released(documents, m_perturber.unperturbed(pool));
    }

    [[nodiscard]] attack::Findings findingsOf(std::size_t condition) const {
        attack::Findings findings;
        for (std::size_t i = 0; i < m_options.classifiers.size(); ++i) {
            const Detections& repeats = m_found[condition][i];
            const std::string classifier(classifierName(m_options.classifiers[i]));
            for (std::size_t model = 0; model < attack::kMembershipModels.size(); ++model) {
                const std::string_view name = attack::kMembershipModels.at(model);
                for (const auto& [path, title, measure] : kDetected) {
                    // The attacker by the loss is shown whole; he is the easiest to understand.
                    const bool isShown =
                        *title != 0 && (model == 0 || measure == &attack::Detection::auc);
                    findings.figures.push_back(
                        figureOf(fmt::format("{}.{}.{}", classifier, name, path),
                                 isShown ? fmt::format("{}, {}: {}", classifier, name, title)
                                         : std::string(),
                                 repeats, model, measure));
                }
            }
        }
        return findings;
    }

    /// The widest interval that a repeat has by its documents.
    [[nodiscard]] static std::optional<std::array<double, 2>> widest(
        const Detections& repeats, std::size_t model,
        corpus::Measured attack::Detection::*measure) {
        std::optional<std::array<double, 2>> found;
        for (const std::vector<attack::Detection>& repeat : repeats) {
            const auto& interval = (repeat[model].*measure).ci95;
            if (interval &&
                (!found || (*interval)[1] - (*interval)[0] > (*found)[1] - (*found)[0])) {
                found = interval;
            }
        }
        return found;
    }

    /// Mean over the repeats with the interval of their spread; of one repeat, or of those that do
    /// not vary, the interval by documents.
    [[nodiscard]] attack::Figure figureOf(std::string path, std::string title,
                                          const Detections& repeats, std::size_t model,
                                          corpus::Measured attack::Detection::*measure) const {
        if (repeats.size() == 1) {
            return attack::Figure::of(std::move(path), std::move(title),
                                      repeats.front()[model].*measure);
        }
        std::vector<double> values;
        values.reserve(repeats.size());
        for (const std::vector<attack::Detection>& repeat : repeats) {
            values.push_back((repeat[model].*measure).value);
        }
        // A document is scored twice as often as it is learned from, so that repeats share both.
        const RepeatDesign design{kMembershipTestRatio, 0.0};
        const double lowest = measure == &attack::Detection::advantage ? -1.0 : 0.0;
        const Estimate estimate = estimateOf(values, design, std::array{lowest, 1.0});
        attack::Figure figure{std::move(path),
                              std::move(title),
                              estimate.mean,
                              estimate.ci95 || std::isnan(estimate.mean)
                                  ? estimate.ci95
                                  : widest(repeats, model, measure),
                              attack::Figure::Kind::share,
                              {}};
        figure.repeats = std::move(values);
        return figure;
    }

    const EvaluationOptions& m_options;
    std::vector<corpus::FourParts> m_splits{};
    std::vector<std::vector<Detections>> m_found;  ///< by condition and classifier
};

}  // namespace

std::unique_ptr<AttackTask> membership(const EvaluationParts& parts,
                                       const corpus::Perturber& perturber, const JobContext& job) {
    return std::make_unique<Membership>(parts, perturber, job);
}

}  // namespace epsilens::evaluation
