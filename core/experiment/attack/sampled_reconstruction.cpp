#include "core/experiment/attack/sampled_reconstruction.h"

#include <algorithm>
#include <utility>

#include "core/base/job_part.h"
#include "core/base/pass_on.h"
#include "core/experiment/attack/context_attack.h"
#include "core/experiment/attack/learned_releases.h"
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
    // Guesses from one release come from a table of all outputs, those from several from the
    // text's.
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
            ASSIGN_OR_RETURN(auto tables, learnTables(releases, partOf(job, 0.0, split)));
            for (std::size_t i = 0; i < learned.size(); ++i) {
                learned[i].guesses = std::move(tables[i].guesses);
            }
        }
        return learned;
    }

    Result<std::vector<LearnedOnReleases>> learnTables(std::span<const SampledRelease> releases,
                                                       const JobContext& job) const {
        std::vector<SampledSetting> settings;
        for (const SampledRelease& release : releases) {
            settings.push_back(release.setting);
            std::vector<Row>& outputs = settings.back().outputs;
            outputs = release.scoring.outputs;
            for (const std::int64_t token : m_tokens.tokens) {
                outputs.push_back(release.outputs.front()[static_cast<std::size_t>(token)]);
            }
        }
        ASSIGN_OR_RETURN(const auto attackers,
                         learnAttackers(m_space, settings, m_prior, m_options.threads, job));
        std::vector<LearnedOnReleases> results;
        for (std::size_t i = 0; i < releases.size(); ++i) {
            const LearnedAttacker& onText = attackers[i].onText;
            LearnedGuesses guesses{onText.kappa,
                                   onText.scale,
                                   onText.caution,
                                   {},
                                   learnedSuccess(attackers[i].underPrior, releases[i].scoring)};
            for (const std::int64_t token : m_tokens.tokens) {
                const Row output = releases[i].outputs.front()[static_cast<std::size_t>(token)];
                guesses.words.push_back(onText.guesses[static_cast<std::size_t>(output)]);
            }
            results.push_back({std::move(guesses), {}});
        }
        return results;
    }

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
        std::vector<AttackerScores> scores = scoreOutputs(release, learned.guesses);
        if (release.control) {
            if (release.form != nullptr) {
                boundControl(*release.control, result);
                const auto seen =
                    observationsOf(*release.control, m_text.words, m_space.wordCount());
                RETURN_IF_ERROR(scoreVectors(*seen, scores, result, job));
            }
            result.text = summarizeAttackers(m_tokens, scores, m_commonest, m_options.seed);
            return result;
        }
        const auto seen = static_cast<int>(release.outputs.size());
        auto vectors =
            NoisyVectors::create(m_space.metric().handle(), *release.form, release.setting.epsilon,
                                 m_text.words, m_options.seed, seen, m_options.threads);
        if (vectors) {
            ASSIGN_OR_RETURN(const NoisyVectorSuccess upper,
                             noisyVectorSuccess(m_space.metric().handle(), *release.form,
                                                release.setting.epsilon, m_prior,
                                                {m_options.samples, seen, m_options.listed,
                                                 m_options.seed + 1, m_options.threads},
                                                partOf(job, 0.0, 0.2)));
            result.upper = upper.guesses;
            if (result.list) {
                result.list->upper = upper.list;
            }
            RETURN_IF_ERROR(scoreVectors(**vectors, scores, result, partOf(job, 0.2, 1.0)));
        } else if (vectors.error().code != ErrorCode::unsupported) {
            return tl::unexpected(vectors.error());
        }
        result.text = summarizeAttackers(m_tokens, scores, m_commonest, m_options.seed);
        return result;
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

    [[nodiscard]] std::vector<AttackerScores> scoreOutputs(const SampledRelease& release,
                                                           const LearnedGuesses& learned) const {
        const auto top = std::span(m_commonest).first(std::min(kTopGuesses, m_commonest.size()));
        return {{std::string(kPriorAttacker), memberships(m_tokens, top.first(1)), true},
                {"prior top-10", memberships(m_tokens, top), false},
                {"echo", hits(m_tokens, commonestOutputs(m_tokens, release.outputs)), true},
                {"learned", hits(m_tokens, learned.words), true}};
    }

    Result<void> scoreVectors(const Observations& vectors, std::vector<AttackerScores>& scores,
                              SampledReconstruction& result, const JobContext& job) const {
        ASSIGN_OR_RETURN(
            const TextGuesses guesses,
            guessText(m_text, vectors, m_prior, m_chain, m_options.listed, m_options.threads, job));
        if (result.list) {
            result.list->noisyVector =
                judgeDecisions(m_tokens, m_options.listed, callsOf(guesses.listedPosterior));
        }
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
    std::optional<double> m_distance{};  ///< largest between a listed and another word
};

}  // namespace

Result<std::vector<SampledReconstruction>> reconstructFromDraws(
    const engine::MetricSpace& space, const AttackedText& text, const VectorD& prior,
    const WordChain* chain, std::span<const SampledRelease> releases,
    const SampledReconstructionOptions& options, const JobContext& job) {
    return SampledAttack(space, text, prior, chain, options).run(releases, job);
}

}  // namespace epsilens::experiment
