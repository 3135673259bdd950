#include "core/experiment/reconstruction_run.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "core/base/job_part.h"
#include "core/base/numbers.h"
#include "core/base/pass_on.h"
#include "core/experiment/attack/attacked_text.h"
#include "core/experiment/attack/exact_reconstruction.h"
#include "core/experiment/attack/noisy_vectors.h"
#include "core/experiment/attack/prior.h"
#include "core/experiment/attack/sampled_reconstruction.h"
#include "core/experiment/attack_pools.h"
#include "core/experiment/attack_units.h"
#include "core/experiment/evaluation_parts.h"
#include "core/experiment/learning_draws.h"
#include "core/experiment/reconstruction_controls.h"
#include "core/experiment/reconstruction_findings.h"
#include "core/mechanism/prepared_mechanism.h"

namespace epsilens::experiment {
namespace {

Treatment treatmentOf(const TokenisedDocuments& words, std::size_t word,
                      release::UnknownPolicy unknown) {
    if (words.isReplaced(word)) {
        return Treatment::replaced;
    }
    if (words.rows()[word] != kMasked || unknown == release::UnknownPolicy::keep) {
        return Treatment::kept;
    }
    return unknown == release::UnknownPolicy::drop ? Treatment::dropped : Treatment::masked;
}

/// Documents as an attacker faces them, a line each.
AttackedText attackedText(const EvaluationParts& parts, std::span<const std::int64_t> documents) {
    AttackedText text;
    for (const std::int64_t document : documents) {
        for (std::size_t word = parts.words.begin(document); word < parts.words.end(document);
             ++word) {
            text.words.push_back(parts.words.rows()[word]);
            text.treatments.push_back(
                treatmentOf(parts.words, word, parts.options.policies.unknown));
        }
        text.lineEnds.push_back(text.tokens());
        text.documents.push_back(static_cast<std::int32_t>(text.documents.size()));
    }
    return text;
}

// Share of the work that is perturbing, for the progress.
constexpr double kPerturbingShare = 0.2;

/// Settings of a mechanism that are attacked together.
struct SettingGroup {
    std::size_t mechanism = 0;
    std::size_t first = 0;  ///< index of its first epsilon
    std::size_t count = 0;
};

class ReconstructionRun {
public:
    ReconstructionRun(const EvaluationParts& parts, const Perturber& perturber,
                      const JobContext& job, ShowAttack show = {})
        : m_parts(parts),
          m_options(parts.options.attack),
          m_perturber(perturber),
          m_job(job),
          m_show(std::move(show)),
          m_vocabulary(parts.space.embedding().vocabulary()) {}

    Result<AttackResults> run() {
        m_results.task = Task::reconstruct;
        m_results.risk = "gain";
        m_results.cells.resize(m_parts.cells());
        RETURN_IF_ERROR(prepare());
        describe();
        if (auto done = attackAll(); !done && done.error().code != ErrorCode::cancelled) {
            return tl::unexpected(std::move(done.error()));
        }
        return std::move(m_results);
    }

private:
    Result<void> prepare() {
        RETURN_IF_ERROR(chooseText());
        learnPrior();
        if (!isExact()) {
            m_draws = AttackerDraws(m_prior, m_expected, m_parts.options.seed, m_options.bestAlone);
        }
        return {};
    }

    [[nodiscard]] bool isExact() const { return m_parts.options.grid.mechanism.isExact(); }

    Result<void> chooseText() {
        const std::vector<std::int64_t>& test = m_parts.splits.front().test;
        m_text =
            sampleDocuments(attackedText(m_parts, test), kAttackedWords, m_parts.options.seed).text;
        for (const std::int32_t document : m_text.documents) {
            m_documents.push_back(test[static_cast<std::size_t>(document)]);
        }
        if (replacedTokens(m_text).size() == 0) {
            return fail(ErrorCode::unsupported,
                        "no word of the test documents is replaced, so there is none to guess");
        }
        return {};
    }

    void learnPrior() {
        const auto words = static_cast<Row>(m_vocabulary.size());
        if (m_options.prior == PriorKind::uniform) {
            m_prior = uniformPrior(words);
            m_expected = m_prior;
            return;
        }
        if (m_options.prior == PriorKind::file) {
            m_prior = smoothedPrior(m_options.reference->counts);
            m_expected = expectedWords(m_options.reference->counts);
            if (m_options.reference->bigrams.pairs() > 0) {
                m_chain.emplace(m_prior, m_options.reference->bigrams);
            }
            return;
        }
        const AttackedText training = attackedText(m_parts, m_parts.splits.front().training);
        const std::vector<std::int64_t> counts = wordCounts(training.words, words);
        m_prior = smoothedPrior(counts);
        m_expected = expectedWords(counts);
        m_chain.emplace(m_prior, Bigrams(training.words, training.lineEnds, words));
    }

    void describe() {
        const ReplacedTokens tokens = replacedTokens(m_text);
        std::vector<std::string>& sentences = m_results.sentences;
        sentences.push_back(fmt::format(
            "Attacked: {} replaced words in {} test documents, each document as one line.",
            formatCount(static_cast<std::int64_t>(tokens.size())),
            formatCount(static_cast<std::int64_t>(m_documents.size()))));
        sentences.push_back(fmt::format(
            "Every attacker knows the mechanism, its setting and the vocabulary; only the text is "
            "secret. echo guesses the output itself, prior {} whatever the output.",
            m_options.prior == PriorKind::uniform ? "the vocabulary's first word"
                                                  : "the commonest word"));
        sentences.push_back(isExact() ? std::string("map guesses the most probable word given the "
                                                    "output, by exact probabilities.")
                                      : learnedSentence());
        if (m_chain) {
            sentences.emplace_back(
                "With context an attacker also knows the whole line and which words follow each "
                "other.");
        }
        sentences.push_back(priorSentence());
        sentences.emplace_back(
            "best is chosen on half of the documents and scored on the other half, and the "
            "reverse. The gain is best less prior: what the release adds.");
    }

    [[nodiscard]] std::string learnedSentence() const {
        return fmt::format(
            "learned guesses from draws of the mechanism: {} of each of the {} commonest words; "
            "where on words like those of the text this does no better than the commonest word, "
            "that one is guessed. The best attacker on outputs lies between the lower and the "
            "upper end, both for words that follow the prior; the upper end is an attacker who "
            "sees the noisy vector before it becomes a word, which no release shows. Noise without "
            "a density has no upper end.",
            AttackerDraws::kDrawsOfWord,
            formatCount(AttackerDraws::learnedWords(m_vocabulary.size())));
    }

    [[nodiscard]] std::string priorSentence() const {
        switch (m_options.prior) {
            case PriorKind::uniform:
                return "To the attackers every word of the vocabulary is equally likely.";
            case PriorKind::file:
                return fmt::format("They know how often words occur from {} ({} known words).",
                                   m_options.reference->file,
                                   formatCount(m_options.reference->knownWords));
            case PriorKind::training:
                break;
        }
        return "They know from the training documents how often words occur.";
    }

    Result<void> attackAll() {
        if (m_parts.options.crew != nullptr) {
            return attackInUnits(
                m_parts, m_results, [&] { return attackBaselines(); },
                [&](std::size_t epsilon) { return attackEpsilons(epsilon, epsilon + 1); });
        }
        RETURN_IF_ERROR(attackBaselines());
        return attackEpsilons(0, m_parts.options.grid.epsilons.size());
    }

    /// Every mechanism at some epsilons, by their places.
    Result<void> attackEpsilons(std::size_t first, std::size_t end) {
        const auto all = static_cast<double>(m_parts.options.grid.epsilons.size());
        const JobContext job =
            partOf(m_job, static_cast<double>(first) / all, static_cast<double>(end) / all);
        RETURN_IF_ERROR(perturb(first, end, partOf(job, 0.0, kPerturbingShare)));
        const std::vector<mechanism::Mechanism> mechanisms = m_parts.options.grid.mechanisms();
        const JobContext attacking = partOf(job, kPerturbingShare, 1.0);
        for (std::size_t i = 0; i < mechanisms.size(); ++i) {
            const auto at = [&](std::size_t done) {
                return static_cast<double>(done) / static_cast<double>(mechanisms.size());
            };
            RETURN_IF_ERROR(
                attackMechanism(mechanisms[i], i, first, end, partOf(attacking, at(i), at(i + 1))));
        }
        return {};
    }

    /// index       of the mechanism in the grid
    /// begin, end  places of the epsilons
    Result<void> attackMechanism(const mechanism::Mechanism& mechanism, std::size_t index,
                                 std::size_t begin, std::size_t end, const JobContext& job) {
        ASSIGN_OR_RETURN(const auto prepared,
                         mechanism::PreparedMechanism::create(m_parts.space.handle(), mechanism));
        ASSIGN_OR_RETURN(const auto space,
                         engine::MetricSpace::create(prepared.metric(), m_parts.options.threads));
        for (std::size_t first = begin; first < end; first += kSettingsAtOnce) {
            const SettingGroup group{index, first, std::min(kSettingsAtOnce, end - first)};
            const auto at = [&](std::size_t place) {
                return static_cast<double>(place - begin) / static_cast<double>(end - begin);
            };
            const JobContext part = partOf(job, at(first), at(first + group.count));
            RETURN_IF_ERROR(isExact() ? attackExactly(group, prepared, space, part)
                                      : attackThroughDraws(group, prepared, space, part));
            if (m_show) {
                m_show(m_results);
            }
        }
        return {};
    }

    /// The text as it was, and words that tell nothing.
    Result<void> attackBaselines() {
        if (m_options.bestAlone) {
            return {};
        }
        const std::vector<Row> random = m_perturber.uniform(textPool()).outputs.front();
        ASSIGN_OR_RETURN(auto found, attackControls({m_parts, m_text, m_prior, chain(),
                                                     isExact() ? nullptr : &m_draws, random},
                                                    partOf(m_job, 0.0, 0.0)));
        m_results.original = std::move(found.original);
        m_results.floor = std::move(found.random);
        return {};
    }

    [[nodiscard]] DrawPool textPool() const { return {kAttackedTextPool, m_documents}; }

    /// The settings of some epsilons, by their places.
    Result<void> perturb(std::size_t first, std::size_t end, const JobContext& job) {
        m_firstPerturbed = first;
        m_epsilonsPerturbed = end - first;
        const auto epsilons = std::span(m_parts.options.grid.epsilons).subspan(first, end - first);
        const std::vector<DrawPool> pools{textPool()};
        ASSIGN_OR_RETURN(auto released,
                         m_perturber.perturb(pools, epsilons, partOf(job, 0.0, 0.5)));
        m_released = std::move(released.front());
        m_text.draws = m_perturber.drawsOf(pools.front());
        return isExact() ? Result<void>() : m_draws.draw(m_parts, epsilons, partOf(job, 0.5, 1.0));
    }

    [[nodiscard]] std::size_t cellOf(const SettingGroup& group, std::size_t i) const {
        return group.mechanism * m_parts.options.grid.epsilons.size() + group.first + i;
    }
    /// Place of the same setting among those that are perturbed.
    [[nodiscard]] std::size_t outputOf(const SettingGroup& group, std::size_t i) const {
        return group.mechanism * m_epsilonsPerturbed + group.first + i - m_firstPerturbed;
    }

    Result<void> attackExactly(const SettingGroup& group,
                               const mechanism::PreparedMechanism& prepared,
                               const engine::MetricSpace& space, const JobContext& job) {
        const auto& weights = std::get<mechanism::SelectionWeights>(prepared.form());
        std::vector<mechanism::TruncatedExponential> laws;
        std::vector<std::vector<Row>> outputs;
        for (std::size_t i = 0; i < group.count; ++i) {
            ASSIGN_OR_RETURN(const auto law,
                             weights.truncation.at(m_parts.options.grid.epsilons[group.first + i]));
            laws.push_back(law);
            outputs.push_back(m_released.outputs[outputOf(group, i)]);
        }
        ASSIGN_OR_RETURN(const auto channel,
                         ExactChannel::create(space, std::move(laws), m_parts.options.threads,
                                              partOf(job, 0.0, 0.2)));
        ASSIGN_OR_RETURN(
            const auto found,
            reconstructExactly(channel, m_text, m_prior, chain(), outputs,
                               reconstructionOptions(m_parts.options), partOf(job, 0.2, 1.0)));
        for (std::size_t i = 0; i < group.count; ++i) {
            m_results.cells[cellOf(group, i)] = findingsOf(found[i], m_vocabulary);
        }
        return {};
    }

    Result<void> attackThroughDraws(const SettingGroup& group,
                                    const mechanism::PreparedMechanism& prepared,
                                    const engine::MetricSpace& space, const JobContext& job) {
        std::vector<SampledRelease> releases;
        for (std::size_t i = 0; i < group.count; ++i) {
            const std::size_t place = outputOf(group, i);
            SampledRelease release;
            release.form = &prepared.form();
            release.setting.epsilon = m_parts.options.grid.epsilons[group.first + i];
            m_draws.addTo(release, place);
            release.outputs = m_released.outputs[place];
            releases.push_back(std::move(release));
        }
        ASSIGN_OR_RETURN(const auto found,
                         reconstructFromDraws(space, m_text, m_prior, chain(), releases,
                                              reconstructionOptions(m_parts.options), job));
        for (std::size_t i = 0; i < group.count; ++i) {
            m_results.cells[cellOf(group, i)] = findingsOf(found[i], m_vocabulary);
        }
        return {};
    }

    [[nodiscard]] const WordChain* chain() const { return m_chain ? &*m_chain : nullptr; }

    const EvaluationParts& m_parts;
    const AttackOptions& m_options;
    const Perturber& m_perturber;
    const JobContext& m_job;
    ShowAttack m_show;
    const embedding::Vocabulary& m_vocabulary;
    AttackedText m_text{};
    std::vector<std::int64_t> m_documents{};  ///< of the lines of the text
    VectorD m_prior{};
    VectorD m_expected{};  ///< law of the words of the text, as far as the attacker can tell
    std::optional<WordChain> m_chain{};
    std::size_t m_firstPerturbed = 0;  ///< place of the first epsilon that is perturbed
    std::size_t m_epsilonsPerturbed = 0;
    PerturbedPool m_released{};
    AttackerDraws m_draws{};
    AttackResults m_results{};
};

}  // namespace

Result<AttackResults> runReconstruction(const EvaluationParts& parts, const Perturber& perturber,
                                        const JobContext& job, const ShowAttack& show) {
    return ReconstructionRun(parts, perturber, job, show).run();
}

}  // namespace epsilens::experiment
