#include "core/experiment/attack/sampled_reconstruction.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>

#include "core/base/job_part.h"
#include "core/base/pass_on.h"
#include "core/experiment/attack/context_attack.h"
#include "core/experiment/attack/learned_counts.h"
#include "core/experiment/attack/learned_observations.h"
#include "core/experiment/attack/noisy_vectors.h"
#include "core/experiment/attack/prior.h"
#include "core/experiment/attack/smoothing_models.h"

namespace epsilens::experiment {
namespace {

class SampledAttack {
public:
    SampledAttack(const engine::MetricSpace& space, const AttackedText& text, const VectorD& prior,
                  const WordChain* chain, const ReconstructionOptions& options)
        : m_space(space),
          m_text(text),
          m_prior(prior),
          m_chain(chain),
          m_options(options),
          m_tokens(replacedTokens(text)),
          m_commonest(commonestWords(prior, kCommonestWords)) {}

    Result<std::vector<SampledReconstruction>> run(std::span<const SampledRelease> releases,
                                                   const JobContext& job) {
        if (m_tokens.size() == 0) {
            return fail(ErrorCode::invalidArgument, "the text has no word that is replaced");
        }
        ASSIGN_OR_RETURN(const auto learned, learn(releases, partOf(job, 0.0, 0.5)));
        std::vector<SampledReconstruction> results;
        for (std::size_t i = 0; i < releases.size(); ++i) {
            const double step = 0.5 / static_cast<double>(releases.size());
            const double begin = 0.5 + step * static_cast<double>(i);
            ASSIGN_OR_RETURN(auto result,
                             attack(releases[i], learned[i], partOf(job, begin, begin + step)));
            results.push_back(std::move(result));
        }
        return results;
    }

private:
    /// What was learned of a mechanism: for a text, and how well it guesses under the prior.
    struct LearnedGuesses {
        double kappa = 0.0;
        double scale = 1.0;
        double caution = 1.0;  ///< infinite: always the commonest word
        Share lower{};
        std::optional<SmoothingModels> model{};  ///< h_s, where it is at hand
    };

    Result<std::vector<LearnedGuesses>> learn(std::span<const SampledRelease> releases,
                                              const JobContext& job) const {
        std::vector<SampledSetting> settings;
        for (const SampledRelease& release : releases) {
            settings.push_back(release.setting);
            settings.back().outputs = release.scoring.outputs;
        }
        ASSIGN_OR_RETURN(const auto attackers,
                         learnAttackers(m_space, settings, m_prior, m_options.threads, job));
        std::vector<LearnedGuesses> results;
        for (std::size_t i = 0; i < releases.size(); ++i) {
            const LearnedAttacker& onText = attackers[i].onText;
            LearnedGuesses& guesses = results.emplace_back();
            guesses.kappa = onText.kappa;
            guesses.scale = onText.scale;
            guesses.caution = onText.caution;
            guesses.model = attackers[i].model;
            if (!releases[i].scoring.words.empty()) {
                guesses.lower = learnedSuccess(attackers[i].underPrior, releases[i].scoring);
            }
        }
        return results;
    }

    /// learned  of the release
    Result<SampledReconstruction> attack(const SampledRelease& release,
                                         const LearnedGuesses& learned,
                                         const JobContext& job) const {
        SampledReconstruction result;
        result.priorVulnerability = priorVulnerability(m_prior);
        result.kappa = learned.kappa;
        result.scale = learned.scale;
        result.caution = learned.caution;
        result.lower = learned.lower;
        std::vector<AttackerScores> scores{
            {std::string(kPriorAttacker),
             hits(m_tokens, std::vector(m_tokens.size(), m_commonest.front())), true},
            {"echo", hits(m_tokens, outputsOf(m_tokens, release.outputs)), true}};
        if (m_options.bestAlone) {
            RETURN_IF_ERROR(tryOutputs(release, learned, scores, job));
            result.text = summarizeAttackers(m_tokens, scores, m_commonest, m_options.seed);
            result.bestAlone = true;
            return result;
        }
        RETURN_IF_ERROR(tryOutputs(release, learned, scores, partOf(job, 0.0, 0.3)));
        RETURN_IF_ERROR(boundByVectors(release, scores, result, partOf(job, 0.3, 1.0)));
        result.text = summarizeAttackers(m_tokens, scores, m_commonest, m_options.seed);
        return result;
    }

    // What whoever sees noisy vectors finds.
    Result<void> boundByVectors(const SampledRelease& release, std::vector<AttackerScores>& scores,
                                SampledReconstruction& result, const JobContext& job) const {
        if (release.control) {
            boundControl(*release.control, result);
            const auto seen = observationsOf(*release.control, m_text.words, m_space.wordCount());
            return tryVectors(*seen, scores, job);
        }
        ASSIGN_OR_RETURN(
            const auto vectors,
            NoisyVectors::create(m_space.metric().handle(), *release.form, release.setting.epsilon,
                                 m_text.words, m_options.seed, m_options.threads));
        ASSIGN_OR_RETURN(
            result.upper,
            noisyVectorSuccess(m_space.metric().handle(), *release.form, release.setting.epsilon,
                               m_prior, {m_options.samples, m_options.seed + 1, m_options.threads},
                               partOf(job, 0.0, 0.2)));
        return tryVectors(*vectors, scores, partOf(job, 0.2, 1.0));
    }

    /// The best that any attacker reaches under the prior.
    void boundControl(ControlChannel channel, SampledReconstruction& result) const {
        result.upper = Share{posteriorVulnerability(channel, m_prior), {}};
    }

    Result<void> tryOutputs(const SampledRelease& release, const LearnedGuesses& learned,
                            std::vector<AttackerScores>& scores, const JobContext& job) const {
        constexpr std::array kNames{"learned", "learned and context"};
        if (std::isinf(learned.caution)) {
            ASSIGN_OR_RETURN(const TextGuesses guesses,
                             guessText(m_text, NothingSeen(m_prior.size()), m_prior, m_chain,
                                       m_options.threads, job));
            addGuesses(guesses, kNames, true, scores);
            return {};
        }
        std::optional<SmoothingModels> models = learned.model;
        if (!models) {
            ASSIGN_OR_RETURN(
                models, SmoothingModels::create(m_space, {learned.scale * release.setting.epsilon},
                                                m_options.threads, partOf(job, 0.0, 0.05)));
        }
        const LearnedCounts counts(release.setting.learning, m_space.wordCount());
        const VectorD logPrior = m_prior.array().log();
        const ReleasedObservations seen =
            learnedObservations(m_space, *models, 0, counts, logPrior,
                                {learned.kappa, learned.caution}, release.outputs);
        ASSIGN_OR_RETURN(
            const TextGuesses guesses,
            guessText(m_text, seen, m_prior, m_chain, m_options.threads, partOf(job, 0.05, 1.0)));
        addGuesses(guesses, kNames, true, scores);
        return {};
    }

    Result<void> tryVectors(const Observations& vectors, std::vector<AttackerScores>& scores,
                            const JobContext& job) const {
        ASSIGN_OR_RETURN(const TextGuesses guesses,
                         guessText(m_text, vectors, m_prior, m_chain, m_options.threads, job));
        addGuesses(guesses, {"noisy vector", "noisy vector and context"}, false, scores);
        return {};
    }

    /// names  of the guess from a word's own observation, and of that from the whole line
    void addGuesses(const TextGuesses& guesses, const std::array<const char*, 2>& names,
                    bool competes, std::vector<AttackerScores>& scores) const {
        scores.push_back({names[0], hits(m_tokens, guesses.alone), competes});
        if (m_chain != nullptr) {
            scores.push_back({names[1], hits(m_tokens, guesses.inContext), competes});
        }
    }

    const engine::MetricSpace& m_space;
    const AttackedText& m_text;
    const VectorD& m_prior;
    const WordChain* m_chain;
    const ReconstructionOptions& m_options;
    ReplacedTokens m_tokens;
    std::vector<Row> m_commonest;
};

}  // namespace

Result<std::vector<SampledReconstruction>> reconstructFromDraws(
    const engine::MetricSpace& space, const AttackedText& text, const VectorD& prior,
    const WordChain* chain, std::span<const SampledRelease> releases,
    const ReconstructionOptions& options, const JobContext& job) {
    return SampledAttack(space, text, prior, chain, options).run(releases, job);
}

}  // namespace epsilens::experiment
