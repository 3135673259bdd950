#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "core/attack/attacker_view.h"
#include "core/attack/channel.h"
#include "core/attack/noisy_vectors.h"
#include "core/attack/prior.h"
#include "core/attack/reconstruction.h"
#include "core/base/job_context.h"
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
                                  std::span<const std::size_t> documents) {
    attack::AttackedText text;
    const corpus::TokenisedDocuments& words = *parts.words;
    for (const std::size_t document : documents) {
        for (std::size_t word = words.begin(document); word < words.end(document); ++word) {
            text.words.push_back(words.rows()[word]);
            text.treatments.push_back(treatmentOf(words, word, parts.options.policies.unknown));
        }
        text.lineEnds.push_back(text.tokens());
    }
    return text;
}

class Reconstruction : public AttackTask {
public:
    explicit Reconstruction(const TaskInput& input) : AttackTask(input) {}

protected:
    Result<void> prepare() override {
        const std::vector<std::size_t>& test = m_parts.splits.front().test;
        std::vector<std::int64_t> replaced;
        for (const std::size_t document : test) {
            std::int64_t& count = replaced.emplace_back();
            for (std::size_t word = m_parts.words->begin(document);
                 word < m_parts.words->end(document); ++word) {
                count += m_parts.words->isReplaced(word) ? 1 : 0;
            }
        }
        m_pool.number = kAttackedTextPool;
        for (const std::size_t document :
             attack::sampleDocuments(replaced, kAttackedWords, m_parts.options.seed)) {
            m_pool.documents.push_back(test[document]);
        }
        m_text = attackedText(m_parts, m_pool.documents);
        const std::size_t tokens = replacedTokens(m_text).size();
        if (tokens == 0) {
            return fail(ErrorCode::unsupported,
                        "no word of the test documents is replaced, so there is none to guess");
        }
        learnPrior();
        describe(tokens);
        return {};
    }

    [[nodiscard]] std::vector<corpus::DrawPool> pools() const override { return {m_pool}; }

    /// An attacker learns several epsilons of a mechanism from the same draws.
    [[nodiscard]] std::size_t epsilonsAtOnce() const override {
        return m_parts.options.crew != nullptr ? 1 : m_parts.options.grid.epsilons.size();
    }

    /// The text as it was, and words that tell nothing. The attackers know that, as they know a
    /// mechanism.
    Result<void> attackBaselines() override {
        if (attackOptions().bestAlone) {
            return {};
        }
        const auto words = static_cast<embedding::Row>(m_prior.size());
        const std::vector<embedding::Row> random = randomWords().front().outputs.front();
        const JobContext job = partOf(m_job, 0.0, 0.0);
        ASSIGN_OR_RETURN(m_results.original,
                         guessed({attack::wordsSeen(m_text.words, words), m_text.words}, job));
        ASSIGN_OR_RETURN(m_results.floor, guessed({attack::nothingSeen(words), random}, job));
        if (!isExact()) {
            m_results.original->add("upper", corpus::Measured{1.0, {}});
            m_results.floor->add("upper", corpus::Measured{m_prior.maxCoeff(), {}});
        }
        return {};
    }

    Result<void> learn(const mechanism::Mechanism& mechanism, std::span<const double> epsilons,
                       const JobContext& job) override {
        m_text.draws = m_perturber.drawsOf(m_pool);
        m_epsilons.assign(epsilons.begin(), epsilons.end());
        ASSIGN_OR_RETURN(auto view, attack::AttackerView::learn(m_parts.space, mechanism, epsilons,
                                                                m_prior, m_parts.options.seed,
                                                                m_parts.options.threads, job));
        m_view.emplace(std::move(view));
        return {};
    }

    Result<attack::Findings> findingsAt(const std::vector<corpus::PerturbedPool>& released,
                                        std::size_t setting, const JobContext& job) override {
        constexpr double kBounding = 0.2;
        const std::size_t place = setting % m_epsilons.size();
        const std::vector<embedding::Row>& outputs = released.front().outputs[setting];
        const attack::AttackerKernel& known = m_view->settings()[place];
        const attack::Channel channel =
            attack::releasedWords(m_view->space(), known.kernel, outputs);
        attack::AttackedRelease release{channel, outputs, known.rule};
        if (isExact() || attackOptions().bestAlone) {
            return guessed(release, job);
        }
        const auto& embedding = m_parts.space.handle();
        const std::uint64_t seed = m_parts.options.seed;
        const int threads = m_parts.options.threads;
        ASSIGN_OR_RETURN(const auto vectors,
                         attack::noisyVectors(embedding, m_view->form(), m_epsilons[place],
                                              m_text.words, seed, threads));
        ASSIGN_OR_RETURN(
            const corpus::Measured upper,
            attack::noisyVectorSuccess(embedding, m_view->form(), m_epsilons[place], m_prior,
                                       seed + 1, threads, partOf(job, 0.0, kBounding)));
        release.vectors = &vectors;
        ASSIGN_OR_RETURN(auto findings, guessed(release, partOf(job, kBounding, 1.0)));
        findings.add("upper", upper);
        return findings;
    }

private:
    [[nodiscard]] bool isExact() const { return m_parts.options.grid.mechanism.isExact(); }
    [[nodiscard]] const AttackOptions& attackOptions() const { return m_parts.options.attack; }

    void learnPrior() {
        const auto words = static_cast<embedding::Row>(m_parts.space.embedding().wordCount());
        if (attackOptions().prior == PriorKind::uniform) {
            m_prior = attack::uniformPrior(words);
        } else if (attackOptions().prior == PriorKind::file) {
            m_prior = attack::smoothedPrior(attackOptions().reference->counts);
            if (!attackOptions().reference->bigrams.followers().empty()) {
                m_chain.emplace(m_prior, attackOptions().reference->bigrams);
            }
        } else {
            const auto training = attackedText(m_parts, m_parts.splits.front().training);
            m_prior = attack::smoothedPrior(attack::wordCounts(training.words, words));
            m_chain.emplace(m_prior, attack::Bigrams(training.words, training.lineEnds, words));
        }
    }

    void describe(std::size_t tokens) {
        const PriorKind prior = attackOptions().prior;
        m_results.sentences = {
            fmt::format("Attacked: {} replaced words in {} test documents, each document as one "
                        "line.",
                        formatCount(tokens), formatCount(m_pool.documents.size())),
            fmt::format(
                "Every attacker knows the mechanism, its setting and the vocabulary; only "
                "the text is secret. echo guesses the output itself, prior {} whatever the "
                "output.",
                prior == PriorKind::uniform ? "the vocabulary's first word" : "the commonest word"),
            isExact() ? "map guesses the most probable word given the output, by exact "
                        "probabilities."
                      : fmt::format(
                            "map guesses the most probable word given the output by a model of the "
                            "mechanism: probabilities fall with distance, as fast as fits the "
                            "outputs of {} words best that follow the prior; where on as many "
                            "others this is right less often than the output itself or the "
                            "commonest word, that is guessed. noisy vector is no attacker but a "
                            "bound: who sees the noisy vector before it becomes a word, which no "
                            "release shows; upper end is that attacker on words that follow the "
                            "prior.",
                            formatCount(attack::kPairsOfSetting))};
        if (m_chain) {
            m_results.sentences.emplace_back(
                "With context an attacker also knows the whole line and which words follow each "
                "other.");
        }
        m_results.sentences.push_back(
            prior == PriorKind::uniform
                ? "To the attackers every word of the vocabulary is equally likely."
            : prior == PriorKind::file
                ? fmt::format("They know how often words occur from {} ({} known words).",
                              attackOptions().reference->file,
                              formatCount(attackOptions().reference->knownWords))
                : "They know from the training documents how often words occur.");
        m_results.sentences.emplace_back(
            "best is chosen on half of the documents and scored on the other half, and the "
            "reverse. The gain is best less prior: what the release adds.");
    }

    Result<attack::Findings> guessed(const attack::AttackedRelease& release,
                                     const JobContext& job) const {
        ASSIGN_OR_RETURN(auto findings,
                         attack::guessWords(m_text, release, m_prior, m_chain ? &*m_chain : nullptr,
                                            m_parts.options.seed, m_parts.options.threads, job));
        for (attack::FoundWord& word : findings.words) {
            word.word = m_parts.space.embedding().vocabulary().word(word.row);
        }
        return findings;
    }

    attack::AttackedText m_text{};
    corpus::DrawPool m_pool{};  ///< the lines of the text
    VectorD m_prior{};
    std::optional<attack::WordChain> m_chain{};
    std::vector<double> m_epsilons{};  ///< that were learned
    std::optional<attack::AttackerView> m_view{};
};

}  // namespace

std::unique_ptr<AttackTask> reconstruction(const TaskInput& input) {
    return std::make_unique<Reconstruction>(input);
}

}  // namespace epsilens::evaluation
