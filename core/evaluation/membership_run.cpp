#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <utility>

#include <fmt/format.h>

#include "core/attack/membership.h"
#include "core/base/in_parallel.h"
#include "core/base/numbers.h"
#include "core/base/pass_on.h"
#include "core/evaluation/attack_task.h"

namespace epsilens::evaluation {
namespace {

// Resamples of the bootstrap; with several repeats their spread takes its place.
constexpr int kResamples = 1000;
constexpr int kFewestResamples = 40;

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
// Epsilons that are perturbed together, unless the texts are large.
constexpr std::int64_t kMostEpsilons = 4;

class Membership : public AttackTask {
public:
    Membership(const EvaluationParts& parts, const corpus::Perturber& perturber,
               const JobContext& job)
        : AttackTask(parts, perturber, job),
          m_options(parts.options),
          m_repeats(static_cast<std::size_t>(parts.options.repeats)) {}

protected:
    Result<void> prepare() override {
        for (std::size_t repeat = 0; repeat < m_repeats; ++repeat) {
            m_splits.push_back(corpus::fourParts(m_parts.data, m_parts.splits[repeat],
                                                 m_options.seed, static_cast<int>(repeat)));
        }
        describe();
        return {};
    }

    /// What target and shadow learn from in each repeat.
    [[nodiscard]] std::vector<corpus::DrawPool> pools() const override {
        std::vector<corpus::DrawPool> all;
        for (std::uint32_t repeat = 0; repeat < m_repeats; ++repeat) {
            all.push_back({kTargetPool + repeat, m_splits[repeat].targetIn});
            all.push_back({kShadowPool + repeat, m_splits[repeat].shadowIn});
        }
        return all;
    }

    [[nodiscard]] std::size_t epsilonsAtOnce() const override {
        return m_options.crew != nullptr
                   ? 1
                   : static_cast<std::size_t>(
                         std::clamp(m_parts.copiesAtOnce(m_parts.mechanisms() * m_repeats),
                                    std::int64_t{1}, kMostEpsilons));
    }

    Result<void> attackBaselines() override {
        const std::vector<corpus::DrawPool> all = pools();
        ASSIGN_OR_RETURN(m_results.original,
                         attacked([&](std::size_t pool) { return plain(all[pool].documents); }));
        ASSIGN_OR_RETURN(m_results.floor, attacked([&](std::size_t pool) {
                             return m_parts.released(all[pool].documents,
                                                     m_perturber.uniform(all[pool]));
                         }));
        return {};
    }

    Result<attack::Findings> findingsAt(const std::vector<corpus::PerturbedPool>& released,
                                        std::size_t setting, std::size_t /*epsilon*/,
                                        const JobContext& /*job*/) override {
        const std::vector<corpus::DrawPool> all = pools();
        return attacked([&](std::size_t pool) {
            return m_parts.released(all[pool].documents, released[pool], setting);
        });
    }

private:
    /// By repeat and attack model.
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

    /// Attacks every classifier in every repeat.
    ///
    /// textsOf  what is learned from a pool, by its place
    template <typename TextsOf>
    Result<attack::Findings> attacked(const TextsOf& textsOf) const {
        const std::size_t classifiers = m_options.classifiers.size();
        std::vector<Detections> found(classifiers, Detections(m_repeats));
        RETURN_IF_ERROR(eachInParallel(
            classifiers * m_repeats, m_options.threads, [&](std::size_t task) -> Result<void> {
                const std::size_t repeat = task / classifiers;
                const std::size_t i = task % classifiers;
                ASSIGN_OR_RETURN(found[i][repeat],
                                 attack(static_cast<int>(repeat), m_options.classifiers[i],
                                        textsOf(2 * repeat), textsOf(2 * repeat + 1)));
                return {};
            }));
        return findingsOf(found);
    }

    /// One classifier in one repeat.
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

    /// found  by classifier
    [[nodiscard]] attack::Findings findingsOf(const std::vector<Detections>& found) const {
        attack::Findings findings;
        for (std::size_t i = 0; i < m_options.classifiers.size(); ++i) {
            const Detections& repeats = found[i];
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
    std::size_t m_repeats;
    std::vector<corpus::FourParts> m_splits{};
};

}  // namespace

std::unique_ptr<AttackTask> membership(const EvaluationParts& parts,
                                       const corpus::Perturber& perturber, const JobContext& job) {
    return std::make_unique<Membership>(parts, perturber, job);
}

}  // namespace epsilens::evaluation
