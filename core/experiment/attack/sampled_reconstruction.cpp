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
#include "core/experiment/attack/learned_releases.h"
#include "core/experiment/attack/noisy_vectors.h"
#include "core/experiment/attack/prior.h"
#include "core/experiment/attack/smoothing_models.h"
#include "core/experiment/attack/stage_clock.h"

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
        ASSIGN_OR_RETURN(m_distance, distanceFromList(m_space, m_options.listed, m_options.threads,
                                                      partOf(job, 0.5, 0.5)));
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
    /// What the attackers reach on each token.
    struct Tried {
        std::vector<AttackerScores> scores{};
        std::vector<std::vector<Row>> guesses{};  ///< by the places below
    };
    static constexpr std::size_t kPrior = 0;
    static constexpr std::size_t kEcho = 1;
    static constexpr std::size_t kLearned = 2;
    static constexpr std::size_t kVector = 3;

    // Who guesses from one release is found by a table of all outputs, from several by tuples.
    Result<std::vector<LearnedOnReleases>> learn(std::span<const SampledRelease> releases,
                                                 const JobContext& job) const {
        const auto seen = releases.empty() ? 1 : releases.front().outputs.size();
        if (seen == 1 && m_options.listed.empty()) {
            return learnTables(releases, job);
        }
        std::vector<ReleasedSetting> settings;
        for (const SampledRelease& release : releases) {
            settings.push_back({release.setting, release.scoring});
            std::vector<Row>& outputs = settings.back().setting.outputs;
            for (const std::int64_t token : m_tokens.tokens) {
                for (const std::vector<Row>& once : release.outputs) {
                    outputs.push_back(once[static_cast<std::size_t>(token)]);
                }
            }
        }
        const ReleasesQuestion question{static_cast<int>(seen), m_options.listed,
                                        m_options.threads};
        const double split = seen == 1 ? 0.5 : 0.0;
        ASSIGN_OR_RETURN(auto learned, learnOnReleases(m_space, settings, m_prior, question,
                                                       partOf(job, split, 1.0)));
        if (seen == 1) {
            ASSIGN_OR_RETURN(const auto tables, learnTables(releases, partOf(job, 0.0, split)));
            for (std::size_t i = 0; i < learned.size(); ++i) {
                learned[i].guesses = tables[i].guesses;
            }
        }
        return learned;
    }

    Result<std::vector<LearnedOnReleases>> learnTables(std::span<const SampledRelease> releases,
                                                       const JobContext& job) const {
        std::vector<SampledSetting> settings;
        for (const SampledRelease& release : releases) {
            settings.push_back(release.setting);
            settings.back().outputs = release.scoring.outputs;
        }
        ASSIGN_OR_RETURN(const auto attackers,
                         learnAttackers(m_space, settings, m_prior, m_options.threads, job));
        std::vector<LearnedOnReleases> results;
        for (std::size_t i = 0; i < releases.size(); ++i) {
            const LearnedAttacker& onText = attackers[i].onText;
            LearnedGuesses& guesses = results.emplace_back().guesses;
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
                                         const LearnedOnReleases& learned,
                                         const JobContext& job) const {
        SampledReconstruction result;
        result.priorVulnerability = priorVulnerability(m_prior);
        result.kappa = learned.guesses.kappa;
        result.scale = learned.guesses.scale;
        result.caution = learned.guesses.caution;
        result.lower = learned.guesses.lower;
        if (learned.list && m_distance) {
            result.list = attackList(release, *learned.list);
        }
        Tried tried = tryPrior(release);
        if (m_options.bestAlone) {
            RETURN_IF_ERROR(tryOutputs(release, learned.guesses, tried, job));
            result.text = summarizeAttackers(m_tokens, tried.scores, m_commonest, m_options.seed);
            result.bestAlone = true;
            return result;
        }
        RETURN_IF_ERROR(tryOutputs(release, learned.guesses, tried, partOf(job, 0.0, 0.3)));
        RETURN_IF_ERROR(boundByVectors(release, tried, result, partOf(job, 0.3, 0.95)));
        result.text = summarizeAttackers(m_tokens, tried.scores, m_commonest, m_options.seed);
        ASSIGN_OR_RETURN(const auto near, nearShares(m_space, m_tokens, tried.guesses,
                                                     {m_options.nearNeighbours, m_options.threads},
                                                     partOf(job, 0.95, 1.0)));
        result.near = {near[kEcho], near[kPrior], near[kLearned]};
        if (near.size() > kVector) {
            result.nearFromVector = near[kVector];
        }
        return result;
    }

    // What whoever sees noisy vectors finds, where there are any.
    Result<void> boundByVectors(const SampledRelease& release, Tried& tried,
                                SampledReconstruction& result, const JobContext& job) const {
        if (release.control) {
            if (release.form == nullptr) {
                return {};
            }
            boundControl(*release.control, result);
            const auto seen = observationsOf(*release.control, m_text.words, m_space.wordCount());
            return tryVectors(*seen, tried, result, job);
        }
        const auto seen = static_cast<int>(release.outputs.size());
        const auto vectors =
            NoisyVectors::create(m_space.metric().handle(), *release.form, release.setting.epsilon,
                                 m_text.words, m_options.seed, seen, m_options.threads);
        if (!vectors) {
            return vectors.error().code == ErrorCode::unsupported ? Result<void>()
                                                                  : tl::unexpected(vectors.error());
        }
        ASSIGN_OR_RETURN(
            const NoisyVectorSuccess upper,
            noisyVectorSuccess(
                m_space.metric().handle(), *release.form, release.setting.epsilon, m_prior,
                {m_options.samples, seen, m_options.listed, m_options.seed + 1, m_options.threads},
                partOf(job, 0.0, 0.2)));
        result.upper = upper.guesses;
        if (result.list) {
            result.list->upper = upper.list;
        }
        return tryVectors(**vectors, tried, result, partOf(job, 0.2, 1.0));
    }

    [[nodiscard]] SampledList attackList(const SampledRelease& release,
                                         const LearnedList& learned) const {
        SampledList list;
        list.attack = release.control
                          ? listOf(*release.control, m_prior, m_options.listed)
                          : boundListAttack(m_prior, m_options.listed, release.guarantee,
                                            *m_distance, static_cast<int>(release.outputs.size()));
        list.attack.decisions = judgeDecisions(m_tokens, m_options.listed, learned.called);
        list.lower = learned.lower;
        list.kappa = learned.kappa;
        list.scale = learned.scale;
        list.odds = learned.odds;
        return list;
    }

    /// The best that any attacker reaches under the prior.
    void boundControl(ControlChannel channel, SampledReconstruction& result) const {
        result.upper = Share{leakageOf(channel, m_prior).posteriorVulnerability, {}};
        if (result.list) {
            const double prior = result.list->attack.priorProbability;
            result.list->upper =
                Share{channel == ControlChannel::identity ? 1.0 : std::max(prior, 1.0 - prior), {}};
        }
    }

    [[nodiscard]] Tried tryPrior(const SampledRelease& release) const {
        const auto top = std::span(m_commonest).first(std::min(kTopGuesses, m_commonest.size()));
        Tried tried;
        tried.guesses = {std::vector(m_tokens.size(), m_commonest.front()),
                         commonestOutputs(m_tokens, release.outputs)};
        tried.scores = {{std::string(kPriorAttacker), memberships(m_tokens, top.first(1)), true},
                        {"prior top-10", memberships(m_tokens, top), false},
                        {"echo", hits(m_tokens, tried.guesses[kEcho]), true}};
        return tried;
    }

    Result<void> tryOutputs(const SampledRelease& release, const LearnedGuesses& learned,
                            Tried& tried, const JobContext& job) const {
        constexpr std::array kNames{"learned", "learned top-10", "learned and context"};
        // A trial of the cost stands for settings whose outputs tell something.
        if (std::isinf(learned.caution) && StageClock::current() == nullptr) {
            ASSIGN_OR_RETURN(const TextGuesses guesses,
                             guessText(m_text, NothingSeen(m_prior.size()), m_prior, m_chain, {},
                                       m_options.threads, job));
            addGuesses(guesses, kNames, true, tried);
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
        ASSIGN_OR_RETURN(const TextGuesses guesses,
                         guessText(m_text, seen, m_prior, m_chain, {}, m_options.threads,
                                   partOf(job, 0.05, 1.0)));
        addGuesses(guesses, kNames, true, tried);
        return {};
    }

    Result<void> tryVectors(const Observations& vectors, Tried& tried,
                            SampledReconstruction& result, const JobContext& job) const {
        ASSIGN_OR_RETURN(
            const TextGuesses guesses,
            guessText(m_text, vectors, m_prior, m_chain, m_options.listed, m_options.threads, job));
        if (result.list) {
            result.list->noisyVector =
                judgeDecisions(m_tokens, m_options.listed, callsOf(guesses.listedPosterior));
        }
        addGuesses(guesses, {"noisy vector", "noisy vector top-10", "noisy vector and context"},
                   false, tried);
        return {};
    }

    /// names  of the best guess, the ten best, and that from the whole line
    void addGuesses(const TextGuesses& guesses, const std::array<const char*, 3>& names,
                    bool competes, Tried& tried) const {
        tried.guesses.push_back(firstGuesses(guesses.ranked));
        tried.scores.push_back({names[0], hits(m_tokens, tried.guesses.back()), competes});
        tried.scores.push_back(
            {names[1], hitsWithin(m_tokens, guesses.ranked, kTopGuesses), false});
        if (m_chain != nullptr) {
            tried.scores.push_back({names[2], hits(m_tokens, guesses.inContext), competes});
        }
    }

    const engine::MetricSpace& m_space;
    const AttackedText& m_text;
    const VectorD& m_prior;
    const WordChain* m_chain;
    const ReconstructionOptions& m_options;
    ReplacedTokens m_tokens;
    std::vector<Row> m_commonest;
    std::optional<double> m_distance{};  ///< largest between a listed and another word
};

}  // namespace

Result<std::vector<SampledReconstruction>> reconstructFromDraws(
    const engine::MetricSpace& space, const AttackedText& text, const VectorD& prior,
    const WordChain* chain, std::span<const SampledRelease> releases,
    const ReconstructionOptions& options, const JobContext& job) {
    return SampledAttack(space, text, prior, chain, options).run(releases, job);
}

}  // namespace epsilens::experiment
