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

// What one setting does to a word of the text, by the exact channel.
struct WordGains {
    double echoNear = 0.0;
    double mapNear = 0.0;
};

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
          m_words(m_tokens.distinctWords()),
          m_commonest(commonestWords(prior, kCommonestWords)) {}

    Result<std::vector<ExactReconstruction>> run(const JobContext& job) {
        if (m_tokens.size() == 0) {
            return fail(ErrorCode::invalidArgument, "the text has no word that is replaced");
        }
        ASSIGN_OR_RETURN(m_tables, guessTables(m_channel, m_prior, m_options.threads,
                                               partOf(job, 0.0, 0.4)));
        RETURN_IF_ERROR(sumGains(partOf(job, 0.4, 0.5)));
        std::vector<ExactReconstruction> results;
        for (std::size_t setting = 0; setting < m_channel.settings(); ++setting) {
            const double step = 0.5 / static_cast<double>(m_channel.settings());
            const double begin = 0.5 + step * static_cast<double>(setting);
            ASSIGN_OR_RETURN(const auto scores, attack(setting, partOf(job, begin, begin + step)));
            ExactReconstruction& result = results.emplace_back();
            result.text = summarizeAttackers(m_tokens, scores, m_commonest, m_options.seed);
            result.leakage = {priorVulnerability(m_prior), m_tables[setting].posteriorVulnerability,
                              m_tables[setting].capacity};
            result.near = nearGuesses(setting);
        }
        return results;
    }

private:
    [[nodiscard]] std::span<const Row> topOfPrior() const {
        return std::span(m_commonest).first(std::min(kTopGuesses, m_commonest.size()));
    }
    [[nodiscard]] WordGains& gainsOf(std::size_t setting, std::size_t word) {
        return m_gains[setting * m_words.size() + word];
    }

    // One row of the channel for each word of the text. The neighbours tell what is near; those of
    // the prior's guess serve all settings.
    Result<void> sumGains(const JobContext& job) {
        m_gains.resize(m_channel.settings() * m_words.size());
        m_isPriorNear.resize(m_words.size());
        std::vector<VectorF> scratch(static_cast<std::size_t>(workersOf(m_options.threads)),
                                     VectorF(m_channel.words()));
        return visitDistances(
            m_channel.space(), m_words, m_options.nearNeighbours, workersOf(m_options.threads),
            "Words near the guesses", job,
            [&](std::size_t word, int worker, const engine::MetricRow& row) {
                std::vector<std::uint8_t> isNear(static_cast<std::size_t>(m_channel.words()));
                isNear[static_cast<std::size_t>(row.word)] = 1;
                for (const Row neighbour : row.neighbours.rows) {
                    isNear[static_cast<std::size_t>(neighbour)] = 1;
                }
                m_isPriorNear[word] = isNear[static_cast<std::size_t>(m_commonest.front())];
                VectorF& law = scratch[static_cast<std::size_t>(worker)];
                for (std::size_t setting = 0; setting < m_channel.settings(); ++setting) {
                    m_channel.logRow(setting, row, law.data());
                    gainsOf(setting, word) = sumRow(m_tables[setting], law, isNear);
                }
            });
    }

    // law  ln C(w, u) of a word w and all outputs u
    static WordGains sumRow(const GuessTable& table, VectorF& law,
                            std::span<const std::uint8_t> isNear) {
        constexpr float kNegligible = -80.0F;
        law = law.array().max(kNegligible).exp();
        WordGains gains;
        for (Eigen::Index u = 0; u < law.size(); ++u) {
            const auto output = static_cast<std::size_t>(u);
            const auto probability = static_cast<double>(law[u]);
            const Row guess = table.guess(static_cast<Row>(u));
            gains.echoNear += isNear[output] != 0 ? probability : 0.0;
            gains.mapNear += isNear[static_cast<std::size_t>(guess)] != 0 ? probability : 0.0;
        }
        return gains;
    }

    /// What the attackers reach on each token.
    Result<std::vector<AttackerScores>> attack(std::size_t setting, const JobContext& job) {
        std::vector<AttackerScores> scores;
        const auto add = [&](std::string_view name, std::vector<float> successes, bool competes) {
            scores.push_back({std::string(name), std::move(successes), competes});
        };
        add(kPriorAttacker, memberships(m_tokens, topOfPrior().first(1)), true);
        add("prior top-10", memberships(m_tokens, topOfPrior()), false);
        scoreExactly(setting, add);
        if (m_chain != nullptr && !m_outputs.empty()) {
            const ReleasedObservations outputs(
                m_channel.space(),
                [&](const engine::MetricRow& output, float* result) {
                    m_channel.logColumn(setting, output, result);
                },
                m_outputs[setting]);
            ASSIGN_OR_RETURN(const TextGuesses guesses, guessText(m_text, outputs, m_prior, m_chain,
                                                                  m_options.threads, job));
            add("context", hits(m_tokens, guesses.inContext), true);
        }
        return scores;
    }

    template <typename Add>
    void scoreExactly(std::size_t setting, Add add) const {
        VectorD kept(m_channel.words());
        for (Row word = 0; word < m_channel.words(); ++word) {
            kept[word] = m_channel.kept(setting, word);
        }
        const GuessTable& table = m_tables[setting];
        add("echo", valuesOf(m_tokens, kept), true);
        add("map", valuesOf(m_tokens, guessedShares(table, m_prior, 1)), true);
        add("map top-10", valuesOf(m_tokens, guessedShares(table, m_prior, table.width)), false);
    }

    // A value of the gains for each token.
    template <typename Value>
    [[nodiscard]] std::vector<float> gainsOfTokens(std::size_t setting, Value value) const {
        VectorD byWord = VectorD::Zero(m_channel.words());
        for (std::size_t word = 0; word < m_words.size(); ++word) {
            byWord[m_words[word]] = value(word, m_gains[setting * m_words.size() + word]);
        }
        return valuesOf(m_tokens, byWord);
    }

    [[nodiscard]] NearGuesses nearGuesses(std::size_t setting) const {
        const auto share = [&](auto value) {
            return shareByDocuments(gainsOfTokens(setting, value), m_tokens.documents);
        };
        return {share([](std::size_t, const WordGains& gains) { return gains.echoNear; }),
                share([&](std::size_t word, const WordGains&) {
                    return static_cast<double>(m_isPriorNear[word]);
                }),
                share([](std::size_t, const WordGains& gains) { return gains.mapNear; })};
    }

    const ExactChannel& m_channel;
    const AttackedText& m_text;
    const VectorD& m_prior;
    const WordChain* m_chain;
    std::span<const std::vector<Row>> m_outputs;
    const ReconstructionOptions& m_options;
    ReplacedTokens m_tokens;
    std::vector<Row> m_words;                   ///< of the text
    std::vector<Row> m_commonest;               ///< by the prior
    std::vector<GuessTable> m_tables{};         ///< one for each setting
    std::vector<WordGains> m_gains{};           ///< settings x words of the text
    std::vector<std::uint8_t> m_isPriorNear{};  ///< of the words of the text
};

}  // namespace

Result<std::vector<ExactReconstruction>> reconstructExactly(
    const ExactChannel& channel, const AttackedText& text, const VectorD& prior,
    const WordChain* chain, std::span<const std::vector<Row>> outputs,
    const ReconstructionOptions& options, const JobContext& job) {
    return ExactAttack(channel, text, prior, chain, outputs, options).run(job);
}

}  // namespace epsilens::experiment
