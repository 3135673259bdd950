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
#include "core/mechanism/guarantee.h"

namespace epsilens::experiment {
namespace {

// What one setting does to a word of the text, by the exact channel.
struct WordGains {
    double echoNear = 0.0;
    double mapNear = 0.0;
    double calledListed = 0.0;
};

// The attack on one text at all settings.
class ExactAttack {
public:
    ExactAttack(const ExactChannel& channel, const AttackedText& text, const VectorD& prior,
                const WordChain* chain, std::span<const Releases> releases,
                const ReconstructionOptions& options)
        : m_channel(channel),
          m_text(text),
          m_prior(prior),
          m_chain(chain),
          m_releases(releases),
          m_options(options),
          m_tokens(replacedTokens(text)),
          m_words(m_tokens.distinctWords()),
          m_commonest(commonestWords(prior, kCommonestWords)) {}

    Result<std::vector<ExactReconstruction>> run(const JobContext& job) {
        if (m_tokens.size() == 0) {
            return fail(ErrorCode::invalidArgument, "the text has no word that is replaced");
        }
        ASSIGN_OR_RETURN(m_tables, guessTables(m_channel, m_prior, m_options.listed,
                                               m_options.threads, partOf(job, 0.0, 0.4)));
        RETURN_IF_ERROR(sumGains(partOf(job, 0.4, 0.5)));
        ASSIGN_OR_RETURN(const auto distance,
                         distanceFromList(m_channel.space(), m_options.listed, m_options.threads,
                                          partOf(job, 0.5, 0.5)));
        std::vector<ExactReconstruction> results;
        for (std::size_t setting = 0; setting < m_channel.settings(); ++setting) {
            const double step = 0.5 / static_cast<double>(m_channel.settings());
            const double begin = 0.5 + step * static_cast<double>(setting);
            ASSIGN_OR_RETURN(const Tried tried, attack(setting, partOf(job, begin, begin + step)));
            ExactReconstruction& result = results.emplace_back();
            result.text = summarizeAttackers(m_tokens, tried.scores, m_commonest, m_options.seed);
            result.leakage = {priorVulnerability(m_prior), m_tables[setting].posteriorVulnerability,
                              m_tables[setting].capacity};
            result.near = nearGuesses(setting);
            if (distance) {
                result.list = attackList(setting, *distance, tried.calledListed);
            }
        }
        return results;
    }

private:
    /// What the attackers reach on each token.
    struct Tried {
        std::vector<AttackerScores> scores{};
        std::vector<float> calledListed{};  ///< probability that the word is called listed
    };

    [[nodiscard]] bool seesSeveral() const {
        return !m_releases.empty() && m_releases.front().size() > 1;
    }
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
            if (!table.listedPosterior.empty() && table.listedPosterior[output] >= 0.5) {
                gains.calledListed += probability;
            }
        }
        return gains;
    }

    Result<Tried> attack(std::size_t setting, const JobContext& job) {
        Tried tried;
        const auto add = [&](std::string_view name, std::vector<float> successes, bool competes) {
            tried.scores.push_back({std::string(name), std::move(successes), competes});
        };
        add(kPriorAttacker, memberships(m_tokens, topOfPrior().first(1)), true);
        add("prior top-10", memberships(m_tokens, topOfPrior()), false);
        TextGuesses guesses;
        if (seesSeveral() || (m_chain != nullptr && !m_releases.empty())) {
            const ReleasedObservations outputs(
                m_channel.space(),
                [&](const engine::MetricRow& output, float* result) {
                    m_channel.logColumn(setting, output, result);
                },
                m_releases[setting]);
            const auto listed =
                seesSeveral() ? std::span<const Row>(m_options.listed) : std::span<const Row>();
            ASSIGN_OR_RETURN(guesses, guessText(m_text, outputs, m_prior, m_chain, listed,
                                                m_options.threads, job));
        }
        if (seesSeveral()) {
            scoreReleases(setting, guesses.ranked, add);
            tried.calledListed = callsOf(guesses.listedPosterior);
        } else {
            scoreExactly(setting, add);
            tried.calledListed = gainsOfTokens(
                setting, [](std::size_t, const WordGains& gains) { return gains.calledListed; });
        }
        if (!guesses.inContext.empty()) {
            add("context", hits(m_tokens, guesses.inContext), true);
        }
        return tried;
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

    template <typename Add>
    void scoreReleases(std::size_t setting, std::span<const RankedGuesses> ranked, Add add) const {
        add("echo", hits(m_tokens, commonestOutputs(m_tokens, m_releases[setting])), true);
        add("map", hitsWithin(m_tokens, ranked, 1), true);
        add("map top-10", hitsWithin(m_tokens, ranked, kTopGuesses), false);
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

    [[nodiscard]] ListAttack attackList(std::size_t setting, double distance,
                                        std::span<const float> called) const {
        const auto releases = seesSeveral() ? m_releases.front().size() : 1;
        ListAttack attack =
            boundListAttack(m_prior, m_options.listed,
                            m_channel.mechanism(setting).guarantee(m_channel.space().metric()),
                            distance, static_cast<int>(releases));
        if (!seesSeveral()) {
            const std::vector<double>& posteriors = m_tables[setting].listedPosterior;
            attack.largestPosterior = *std::max_element(posteriors.begin(), posteriors.end());
        }
        attack.decisions = judgeDecisions(m_tokens, m_options.listed, called);
        return attack;
    }

    const ExactChannel& m_channel;
    const AttackedText& m_text;
    const VectorD& m_prior;
    const WordChain* m_chain;
    std::span<const Releases> m_releases;
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
    const WordChain* chain, std::span<const Releases> releases,
    const ReconstructionOptions& options, const JobContext& job) {
    return ExactAttack(channel, text, prior, chain, releases, options).run(job);
}

}  // namespace epsilens::experiment
