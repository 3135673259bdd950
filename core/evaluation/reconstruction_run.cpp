#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "core/attack/attacked_text.h"
#include "core/attack/attacker_view.h"
#include "core/attack/channel.h"
#include "core/attack/noisy_vectors.h"
#include "core/attack/prior.h"
#include "core/attack/reconstruction.h"
#include "core/base/job_part.h"
#include "core/base/numbers.h"
#include "core/base/pass_on.h"
#include "core/evaluation/attack_task.h"

namespace epsilens::evaluation {
namespace {

attack::Treatment treatmentOf(const corpus::TokenisedDocuments& words, std::size_t word,
                              release::UnknownPolicy unknown) {
    if (words.isReplaced(word)) {
        return attack::Treatment::replaced;
    }
    if (words.rows()[word] != corpus::kMasked || unknown == release::UnknownPolicy::keep) {
        return attack::Treatment::kept;
    }
    return unknown == release::UnknownPolicy::drop ? attack::Treatment::dropped
                                                   : attack::Treatment::masked;
}

/// Documents as an attacker faces them, a line each.
attack::AttackedText attackedText(const EvaluationParts& parts,
                                  std::span<const std::int64_t> documents) {
    attack::AttackedText text;
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

class Reconstruction : public AttackTask {
public:
    Reconstruction(const EvaluationParts& parts, const corpus::Perturber& perturber,
                   const JobContext& job, attack::ShowAttack show)
        : AttackTask(parts, perturber, job),
          m_options(parts.options.attack),
          m_show(std::move(show)),
          m_vocabulary(parts.space.embedding().vocabulary()) {}

protected:
    Result<void> prepare() override {
        RETURN_IF_ERROR(chooseText());
        learnPrior();
        describe();
        return {};
    }

    [[nodiscard]] std::vector<corpus::DrawPool> pools() const override {
        return {{kAttackedTextPool, m_documents}};
    }

    /// An attacker learns several epsilons of a mechanism from the same draws.
    [[nodiscard]] std::size_t epsilonsAtOnce() const override {
        return m_parts.options.crew != nullptr ? 1 : m_parts.options.grid.epsilons.size();
    }

    /// The text as it was, and words that tell nothing. The attackers know that, as they know a
    /// mechanism.
    Result<void> attackBaselines() override {
        if (m_options.bestAlone) {
            return {};
        }
        const auto words = static_cast<embedding::Row>(m_vocabulary.size());
        const std::vector<embedding::Row> random = randomWords().front().outputs.front();
        const JobContext job = partOf(m_job, 0.0, 0.0);
        ASSIGN_OR_RETURN(m_results.original,
                         guessed({attack::WordsSeen(m_text.words, words), m_text.words}, job));
        ASSIGN_OR_RETURN(m_results.floor, guessed({attack::NothingSeen(words), random}, job));
        if (!isExact()) {
            addUpper(m_results.original, 1.0);
            addUpper(m_results.floor, m_prior.maxCoeff());
        }
        return {};
    }

    Result<void> learn(const mechanism::Mechanism& mechanism, std::span<const double> epsilons,
                       const JobContext& job) override {
        m_text.draws = m_perturber.drawsOf(pools().front());
        m_epsilons.assign(epsilons.begin(), epsilons.end());
        ASSIGN_OR_RETURN(auto view, attack::AttackerView::learn(m_parts.space, mechanism, epsilons,
                                                                m_prior, m_parts.options.seed,
                                                                m_parts.options.threads, job));
        m_view.emplace(std::move(view));
        return {};
    }
    [[nodiscard]] double learningShare() const override { return 0.4; }

    Result<attack::Findings> findingsAt(const std::vector<corpus::PerturbedPool>& released,
                                        std::size_t setting, std::size_t epsilon,
                                        const JobContext& job) override {
        constexpr double kBounding = 0.2;
        const std::vector<embedding::Row>& outputs = released.front().outputs[setting];
        const attack::AttackerKernel& known = m_view->settings()[epsilon];
        const attack::ReleasedWords channel(m_view->space(), known.kernel, outputs);
        attack::AttackedRelease release{channel, outputs, known.rule};
        const bool isBounded = known.calibration && !m_options.bestAlone;
        if (!isBounded) {
            return guessed(release, job);
        }
        const auto& embedding = m_parts.space.handle();
        const std::uint64_t seed = m_parts.options.seed;
        const int threads = m_parts.options.threads;
        ASSIGN_OR_RETURN(const auto vectors,
                         attack::noisyVectors(embedding, m_view->form(), m_epsilons[epsilon],
                                              m_text.words, seed, threads));
        ASSIGN_OR_RETURN(
            const corpus::Measured upper,
            attack::noisyVectorSuccess(embedding, m_view->form(), m_epsilons[epsilon], m_prior,
                                       seed + 1, threads, partOf(job, 0.0, kBounding)));
        release.vectors = vectors.get();
        ASSIGN_OR_RETURN(auto findings, guessed(release, partOf(job, kBounding, 1.0)));
        findings.figures.push_back(attack::Figure::of("upper", "upper end", upper));
        return findings;
    }

    void show() const override {
        if (m_show) {
            m_show(m_results);
        }
    }

private:
    [[nodiscard]] bool isExact() const { return m_parts.options.grid.mechanism.isExact(); }

    Result<void> chooseText() {
        const std::vector<std::int64_t>& test = m_parts.splits.front().test;
        m_text = attack::sampleDocuments(attackedText(m_parts, test), kAttackedWords,
                                         m_parts.options.seed);
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
        const auto words = static_cast<embedding::Row>(m_vocabulary.size());
        if (m_options.prior == PriorKind::uniform) {
            m_prior = attack::uniformPrior(words);
            return;
        }
        if (m_options.prior == PriorKind::file) {
            m_prior = attack::smoothedPrior(m_options.reference->counts);
            if (!m_options.reference->bigrams.followers().empty()) {
                m_chain.emplace(m_prior, m_options.reference->bigrams);
            }
            return;
        }
        const attack::AttackedText training =
            attackedText(m_parts, m_parts.splits.front().training);
        m_prior = attack::smoothedPrior(attack::wordCounts(training.words, words));
        m_chain.emplace(m_prior, attack::Bigrams(training.words, training.lineEnds, words));
    }

    void describe() {
        const attack::ReplacedTokens tokens = replacedTokens(m_text);
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
                                      : fittedSentence());
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

    [[nodiscard]] static std::string fittedSentence() {
        return fmt::format(
            "map guesses the most probable word given the output by a model of the mechanism: "
            "probabilities fall with distance, as fast as fits the outputs of {} words best that "
            "follow the prior; where on as many others this is right less often than the output "
            "itself or the commonest word, that is guessed. noisy vector is no attacker but a "
            "bound: who sees the noisy vector before it becomes a word, which no release shows; "
            "upper end is that attacker on words that follow the prior.",
            formatCount(attack::kPairsOfSetting));
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

    Result<attack::Findings> guessed(const attack::AttackedRelease& release,
                                     const JobContext& job) const {
        ASSIGN_OR_RETURN(auto findings,
                         attack::guessWords(m_text, release, m_prior, m_chain ? &*m_chain : nullptr,
                                            m_parts.options.seed, m_parts.options.threads, job));
        for (attack::FoundWord& word : findings.words) {
            word.word = m_vocabulary.word(word.row);
        }
        return findings;
    }

    /// share  of words that whoever sees a noisy vector guesses
    static void addUpper(std::optional<attack::Findings>& findings, double share) {
        findings->figures.push_back(
            attack::Figure::of("upper", "upper end", corpus::Measured{share, {}}));
    }

    const AttackOptions& m_options;
    attack::ShowAttack m_show;
    const embedding::Vocabulary& m_vocabulary;
    attack::AttackedText m_text{};
    std::vector<std::int64_t> m_documents{};  ///< of the lines of the text
    VectorD m_prior{};
    std::optional<attack::WordChain> m_chain{};
    std::vector<double> m_epsilons{};  ///< that were learned
    std::optional<attack::AttackerView> m_view{};
};

}  // namespace

std::unique_ptr<AttackTask> reconstruction(const EvaluationParts& parts,
                                           const corpus::Perturber& perturber,
                                           const JobContext& job, attack::ShowAttack show) {
    return std::make_unique<Reconstruction>(parts, perturber, job, std::move(show));
}

}  // namespace epsilens::evaluation
