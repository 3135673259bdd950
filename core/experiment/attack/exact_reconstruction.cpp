#include "core/experiment/attack/exact_reconstruction.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/job_part.h"
#include "core/base/pass_on.h"
#include "core/experiment/attack/context_attack.h"
#include "core/experiment/attack/guess_table.h"
#include "core/experiment/attack/in_parallel.h"
#include "core/experiment/attack/prior.h"
#include "core/experiment/attack/released_observations.h"

namespace epsilens::experiment {
namespace {

// The attack on one text at all settings.
class ExactAttack {
public:
    ExactAttack(const ExactChannel& channel, const AttackedText& text, const VectorD& prior,
                const WordChain* chain, std::span<const std::vector<Row>> outputs,
                const ReconstructionOptions& options)
        : m_channel(channel),
          m_text(text),
          m_prior(prior),
          m_chain(chain),
          m_outputs(outputs),
          m_options(options),
          m_tokens(replacedTokens(text)),
          m_commonest(commonestWords(prior, kCommonestWords)) {}

    Result<std::vector<ExactReconstruction>> run(const JobContext& job) {
        if (m_tokens.size() == 0) {
            return fail(ErrorCode::invalidArgument, "the text has no word that is replaced");
        }
        ASSIGN_OR_RETURN(m_tables,
                         guessTables(m_channel, m_prior, m_options.threads, partOf(job, 0.0, 0.5)));
        std::vector<ExactReconstruction> results;
        for (std::size_t setting = 0; setting < m_channel.settings(); ++setting) {
            const double step = 0.5 / static_cast<double>(m_channel.settings());
            const double begin = 0.5 + step * static_cast<double>(setting);
            ASSIGN_OR_RETURN(const auto scores, attack(setting, partOf(job, begin, begin + step)));
            ExactReconstruction& result = results.emplace_back();
            result.text = summarizeAttackers(m_tokens, scores, m_commonest, m_options.seed);
            result.priorVulnerability = priorVulnerability(m_prior);
            result.posteriorVulnerability = m_tables[setting].posteriorVulnerability;
        }
        return results;
    }

private:
    /// What the attackers reach on each token.
    Result<std::vector<AttackerScores>> attack(std::size_t setting, const JobContext& job) {
        std::vector<AttackerScores> scores;
        const auto add = [&](std::string_view name, std::vector<float> successes) {
            scores.push_back({std::string(name), std::move(successes), true});
        };
        VectorD kept(m_channel.words());
        for (Row word = 0; word < m_channel.words(); ++word) {
            kept[word] = m_channel.kept(setting, word);
        }
        add(kPriorAttacker, hits(m_tokens, std::vector(m_tokens.size(), m_commonest.front())));
        add("echo", valuesOf(m_tokens, kept));
        add("map", valuesOf(m_tokens, guessedShares(m_tables[setting], m_prior)));
        if (m_chain != nullptr && !m_outputs.empty()) {
            const ReleasedObservations outputs(
                m_channel.space(),
                [&](const engine::MetricRow& output, float* result) {
                    m_channel.logColumn(setting, output, result);
                },
                m_outputs[setting]);
            ASSIGN_OR_RETURN(const TextGuesses guesses,
                             guessText(m_text, outputs, m_prior, m_chain, m_options.threads, job));
            add("context", hits(m_tokens, guesses.inContext));
        }
        return scores;
    }

    const ExactChannel& m_channel;
    const AttackedText& m_text;
    const VectorD& m_prior;
    const WordChain* m_chain;
    std::span<const std::vector<Row>> m_outputs;
    const ReconstructionOptions& m_options;
    ReplacedTokens m_tokens;
    std::vector<Row> m_commonest;        ///< by the prior
    std::vector<GuessTable> m_tables{};  ///< one for each setting
};

}  // namespace

Result<std::vector<ExactReconstruction>> reconstructExactly(
    const ExactChannel& channel, const AttackedText& text, const VectorD& prior,
    const WordChain* chain, std::span<const std::vector<Row>> outputs,
    const ReconstructionOptions& options, const JobContext& job) {
    return ExactAttack(channel, text, prior, chain, outputs, options).run(job);
}

}  // namespace epsilens::experiment
