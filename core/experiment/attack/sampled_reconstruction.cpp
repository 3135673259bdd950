#include "core/experiment/attack/sampled_reconstruction.h"

#include <algorithm>
#include <utility>

#include "core/base/job_part.h"
#include "core/base/pass_on.h"
#include "core/experiment/attack/context_attack.h"
#include "core/experiment/attack/noisy_vectors.h"
#include "core/experiment/attack/prior.h"

namespace epsilens::experiment {
namespace {

class SampledAttack {
public:
    SampledAttack(const engine::MetricSpace& space, const AttackedText& text, const VectorD& prior,
                  const WordChain* chain, const SampledReconstructionOptions& options)
        : m_space(space),
          m_text(text),
          m_prior(prior),
          m_chain(chain),
          m_options(options),
          m_tokens(replacedTokens(text)),
          m_commonest(commonestWords(prior, kCommonestWords)) {}

    Result<std::vector<SampledReconstruction>> run(std::span<const SampledRelease> releases,
                                                   const JobContext& job) const {
        if (m_tokens.size() == 0) {
            return fail(ErrorCode::invalidArgument, "the text has no word that is replaced");
        }
        ASSIGN_OR_RETURN(const auto attackers, learn(releases, partOf(job, 0.0, 0.5)));
        std::vector<SampledReconstruction> results;
        for (std::size_t i = 0; i < releases.size(); ++i) {
            const double step = 0.5 / static_cast<double>(releases.size());
            const double begin = 0.5 + step * static_cast<double>(i);
            ASSIGN_OR_RETURN(auto result,
                             attack(releases[i], attackers[i], partOf(job, begin, begin + step)));
            results.push_back(std::move(result));
        }
        return results;
    }

private:
    Result<std::vector<LearnedAttackers>> learn(std::span<const SampledRelease> releases,
                                                const JobContext& job) const {
        std::vector<SampledSetting> settings;
        for (const SampledRelease& release : releases) {
            settings.push_back(release.setting);
            std::vector<Row>& outputs = settings.back().outputs;
            outputs = release.scoring.outputs;
            for (const std::int64_t token : m_tokens.tokens) {
                outputs.push_back(release.outputs[static_cast<std::size_t>(token)]);
            }
        }
        return learnAttackers(m_space, settings, m_prior, m_options.threads, job);
    }

    Result<SampledReconstruction> attack(const SampledRelease& release,
                                         const LearnedAttackers& learned,
                                         const JobContext& job) const {
        SampledReconstruction result;
        result.kappa = learned.onText.kappa;
        result.scale = learned.onText.scale;
        result.caution = learned.onText.caution;
        result.lower = learnedSuccess(learned.underPrior, release.scoring);
        std::vector<AttackerScores> scores = scoreOutputs(release, learned.onText);
        auto vectors =
            NoisyVectors::create(m_space.metric().handle(), *release.form, release.setting.epsilon,
                                 m_text.words, m_options.seed, m_options.threads);
        if (vectors) {
            ASSIGN_OR_RETURN(
                result.upper,
                noisyVectorSuccess(m_space.metric().handle(), *release.form,
                                   release.setting.epsilon, m_prior, m_options.samples,
                                   m_options.seed + 1, m_options.threads, partOf(job, 0.0, 0.2)));
            RETURN_IF_ERROR(scoreVectors(**vectors, scores, partOf(job, 0.2, 1.0)));
        } else if (vectors.error().code != ErrorCode::unsupported) {
            return tl::unexpected(vectors.error());
        }
        result.text = summarizeAttackers(m_tokens, scores, m_commonest, m_options.seed);
        return result;
    }

    [[nodiscard]] std::vector<AttackerScores> scoreOutputs(const SampledRelease& release,
                                                           const LearnedAttacker& learned) const {
        std::vector<Row> echoes;
        std::vector<Row> guesses;
        for (const std::int64_t token : m_tokens.tokens) {
            echoes.push_back(release.outputs[static_cast<std::size_t>(token)]);
            guesses.push_back(learned.guesses[static_cast<std::size_t>(echoes.back())]);
        }
        const auto top = std::span(m_commonest).first(std::min(kTopGuesses, m_commonest.size()));
        return {{std::string(kPriorAttacker), memberships(m_tokens, top.first(1)), true},
                {"prior top-10", memberships(m_tokens, top), false},
                {"echo", hits(m_tokens, echoes), true},
                {"learned", hits(m_tokens, guesses), true}};
    }

    Result<void> scoreVectors(const NoisyVectors& vectors, std::vector<AttackerScores>& scores,
                              const JobContext& job) const {
        ASSIGN_OR_RETURN(const TextGuesses guesses,
                         guessText(m_text, vectors, m_prior, m_chain, m_options.threads, job));
        scores.push_back({"noisy vector", hitsWithin(m_tokens, guesses.ranked, 1), false});
        scores.push_back(
            {"noisy vector top-10", hitsWithin(m_tokens, guesses.ranked, kTopGuesses), false});
        if (m_chain != nullptr) {
            scores.push_back(
                {"noisy vector and context", hits(m_tokens, guesses.inContext), false});
        }
        return {};
    }

    const engine::MetricSpace& m_space;
    const AttackedText& m_text;
    const VectorD& m_prior;
    const WordChain* m_chain;
    const SampledReconstructionOptions& m_options;
    ReplacedTokens m_tokens;
    std::vector<Row> m_commonest;
};

}  // namespace

Result<std::vector<SampledReconstruction>> reconstructFromDraws(
    const engine::MetricSpace& space, const AttackedText& text, const VectorD& prior,
    const WordChain* chain, std::span<const SampledRelease> releases,
    const SampledReconstructionOptions& options, const JobContext& job) {
    return SampledAttack(space, text, prior, chain, options).run(releases, job);
}

}  // namespace epsilens::experiment
