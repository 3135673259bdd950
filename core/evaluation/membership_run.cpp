#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "core/attack/membership.h"
#include "core/base/numbers.h"
#include "core/base/parallel.h"
#include "core/base/pass_on.h"
#include "core/evaluation/attack_task.h"

namespace epsilens::evaluation {
namespace {

// Resamples of the bootstrap; with several repeats their spread takes its place.
constexpr int kResamples = 1000;
constexpr int kFewestResamples = 40;
// Epsilons that are perturbed together, unless the texts are large.
constexpr std::size_t kMostEpsilons = 4;

/// Mean over the repeats with the interval of their spread; where they do not vary, or there is
/// one, the widest interval that a repeat has by its documents.
attack::Figure meanOf(std::string path, std::span<const attack::Figure> repeats) {
    // A document is scored twice as often as it is learned from, so that repeats share both.
    constexpr double kTestRatio = 1.0;
    const auto width = [](const auto& interval) {
        return interval ? (*interval)[1] - (*interval)[0] : -1.0;
    };
    std::vector<double> values;
    std::optional<std::array<double, 2>> widest;
    for (const attack::Figure& repeat : repeats) {
        values.push_back(repeat.value);
        widest = width(repeat.ci95) > width(widest) ? repeat.ci95 : widest;
    }
    const double lowest = path.ends_with("advantage") ? -1.0 : 0.0;
    const Estimate estimate = estimateOf(values, {kTestRatio, 0.0}, std::array{lowest, 1.0});
    attack::Figure figure{std::move(path), estimate.mean, estimate.ci95};
    if (!figure.ci95 && !std::isnan(estimate.mean)) {
        figure.ci95 = widest;
    }
    if (values.size() > 1) {
        figure.repeats = std::move(values);
    }
    return figure;
}

class Membership : public AttackTask {
public:
    explicit Membership(const TaskInput& input)
        : AttackTask(input), m_repeats(static_cast<std::size_t>(m_parts.options.repeats)) {}

protected:
    Result<void> prepare() override {
        for (std::size_t repeat = 0; repeat < m_repeats; ++repeat) {
            m_splits.push_back(corpus::fourParts(m_parts.data, m_parts.splits[repeat],
                                                 m_parts.options.seed, static_cast<int>(repeat)));
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
        return m_parts.options.crew != nullptr
                   ? 1
                   : std::clamp<std::size_t>(m_parts.copiesAtOnce(m_parts.mechanisms() * m_repeats),
                                             1, kMostEpsilons);
    }

    Result<void> attackBaselines() override {
        const std::vector<corpus::DrawPool> all = pools();
        ASSIGN_OR_RETURN(m_results.original,
                         attacked([&](std::size_t pool) { return plain(all[pool].documents); }));
        ASSIGN_OR_RETURN(m_results.floor, findingsAt(randomWords(), 0, {}));
        return {};
    }

    Result<attack::Findings> findingsAt(const std::vector<corpus::PerturbedPool>& released,
                                        std::size_t setting, const JobContext& /*job*/) override {
        const std::vector<corpus::DrawPool> all = pools();
        return attacked([&](std::size_t pool) {
            return m_parts.released(all[pool].documents, released[pool], setting);
        });
    }

private:
    void describe() {
        const corpus::FourParts& parts = m_splits.front();
        const auto size = [](const std::vector<std::size_t>& documents) {
            return formatCount(documents.size());
        };
        m_results.sentences = {
            fmt::format("The target was trained on {} released texts; the attacker has to tell "
                        "their originals from {} other texts. {} repeats, each with a random split "
                        "of its own.",
                        size(parts.targetIn), size(parts.targetOut), m_repeats),
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
                            formatCount(parts.leftOut)));
        }
    }

    /// Attacks every classifier in every repeat.
    ///
    /// textsOf  what is learned from a pool, by its place
    template <typename TextsOf>
    Result<attack::Findings> attacked(const TextsOf& textsOf) const {
        const std::vector<ClassifierKind>& classifiers = m_parts.options.classifiers;
        std::vector<attack::Findings> found(classifiers.size() * m_repeats);
        RETURN_IF_ERROR(eachInParallel(
            found.size(), m_parts.options.threads, [&](std::size_t task) -> Result<void> {
                const std::size_t repeat = task / classifiers.size();
                const std::size_t i = task % classifiers.size();
                ASSIGN_OR_RETURN(found[i * m_repeats + repeat],
                                 attack(static_cast<int>(repeat), classifiers[i],
                                        textsOf(2 * repeat), textsOf(2 * repeat + 1)));
                return {};
            }));
        attack::Findings findings;
        for (std::size_t i = 0; i < classifiers.size(); ++i) {
            const auto repeats = std::span(found).subspan(i * m_repeats, m_repeats);
            for (std::size_t figure = 0; figure < repeats.front().figures.size(); ++figure) {
                std::vector<attack::Figure> all;
                for (const attack::Findings& repeat : repeats) {
                    all.push_back(repeat.figures[figure]);
                }
                findings.figures.push_back(meanOf(
                    fmt::format("{}.{}", classifierName(classifiers[i]), all.front().path), all));
            }
        }
        return findings;
    }

    /// One classifier in one repeat.
    Result<attack::Findings> attack(int repeat, ClassifierKind kind, const LabelledTokens& target,
                                    const LabelledTokens& shadow) const {
        const corpus::FourParts& parts = m_splits[static_cast<std::size_t>(repeat)];
        ASSIGN_OR_RETURN(const auto shadowOutputs,
                         outputsOf(repeat, kind, shadow, parts.shadowIn, parts.shadowOut));
        ASSIGN_OR_RETURN(const auto targetOutputs,
                         outputsOf(repeat, kind, target, parts.targetIn, parts.targetOut));
        return attack::inferMembership(
            shadowOutputs, targetOutputs,
            {.resamples = m_repeats > 1 ? kFewestResamples : kResamples,
             .seed = m_parts.options.seed + static_cast<std::uint64_t>(repeat),
             .threads = 1},
            {m_job.stop, {}});
    }

    /// What a classifier that learned from some texts says about their originals and about others.
    Result<attack::ClassifierOutputs> outputsOf(int repeat, ClassifierKind kind,
                                                const LabelledTokens& training,
                                                const std::vector<std::size_t>& in,
                                                const std::vector<std::size_t>& out) const {
        ASSIGN_OR_RETURN(
            const auto model,
            trainClassifier(training, m_parts.classifier(kind, repeat), {m_job.stop, {}}));
        std::vector<std::size_t> both = in;
        both.insert(both.end(), out.begin(), out.end());
        const LabelledTokens asked = plain(both);
        attack::ClassifierOutputs outputs{model(asked), asked.labels,
                                          std::vector<std::uint8_t>(asked.size())};
        std::fill_n(outputs.members.begin(), in.size(), std::uint8_t{1});
        return outputs;
    }

    /// Without noise, unknown words as the policy has them.
    [[nodiscard]] LabelledTokens plain(const std::vector<std::size_t>& documents) const {
        return m_parts.released(documents, m_perturber.unperturbed({kTargetPool, documents}));
    }

    std::size_t m_repeats;
    std::vector<corpus::FourParts> m_splits{};
};

}  // namespace

std::unique_ptr<AttackTask> membership(const TaskInput& input) {
    return std::make_unique<Membership>(input);
}

}  // namespace epsilens::evaluation
