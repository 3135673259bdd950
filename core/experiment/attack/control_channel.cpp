#include "core/experiment/attack/control_channel.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/base/pass_on.h"
#include "core/experiment/attack/context_attack.h"
#include "core/experiment/attack/near_guesses.h"
#include "core/experiment/attack/prior.h"

namespace epsilens::experiment {
namespace {

/// What is seen when every output is the word itself.
class WordsSeen : public Observations {
public:
    WordsSeen(std::span<const Row> text, Row words) : m_text(text), m_words(words) {}
    [[nodiscard]] std::unique_ptr<ObservationReader> reader() const override {
        return std::make_unique<Reader>(m_text, m_words);
    }
    [[nodiscard]] std::vector<std::size_t> firstEqual(
        std::span<const std::int64_t> observations) const override {
        return firstEqualBy(observations, [&](std::int64_t observation) {
            return m_text[static_cast<std::size_t>(observation)];
        });
    }

private:
    class Reader : public ObservationReader {
    public:
        Reader(std::span<const Row> text, Row words) : m_text(text), m_words(words) {}
        void read(std::span<const std::int64_t> observations, RowMatrixF& result) override {
            // ln 0, but finite: a sum of it with another number stays a number.
            constexpr float kNever = -1e6F;
            result.setConstant(static_cast<Eigen::Index>(observations.size()), m_words, kNever);
            for (std::size_t i = 0; i < observations.size(); ++i) {
                const Row word = m_text[static_cast<std::size_t>(observations[i])];
                if (word >= 0) {
                    result(static_cast<Eigen::Index>(i), word) = 0.0F;
                }
            }
        }

    private:
        std::span<const Row> m_text;
        Row m_words;
    };

    std::span<const Row> m_text;
    Row m_words;
};

/// The attack on one text through both channels.
class ControlAttack {
public:
    ControlAttack(const engine::MetricSpace& space, const AttackedText& text, const VectorD& prior,
                  const WordChain* chain, const ReconstructionOptions& options)
        : m_space(space),
          m_text(text),
          m_prior(prior),
          m_chain(chain),
          m_options(options),
          m_tokens(replacedTokens(text)),
          m_commonest(commonestWords(prior, kCommonestWords)) {}

    Result<std::array<ExactReconstruction, 2>> run(std::span<const Row> random,
                                                   const JobContext& job) {
        if (m_tokens.size() == 0) {
            return fail(ErrorCode::invalidArgument, "the text has no word that is replaced");
        }
        std::array<ExactReconstruction, 2> results;
        std::vector<std::vector<Row>> guesses{
            std::vector(m_tokens.size(), m_commonest.front())};  // of prior
        for (std::size_t i = 0; i < results.size(); ++i) {
            std::vector<Row> outputs = kControlChannels[i] == ControlChannel::identity
                                           ? m_tokens.words
                                           : outputsOf(m_tokens, random);
            ASSIGN_OR_RETURN(auto mapped, attack(kControlChannels[i], outputs, results[i], job));
            guesses.push_back(std::move(outputs));
            guesses.push_back(std::move(mapped));
        }
        ASSIGN_OR_RETURN(const auto near,
                         nearShares(m_space, m_tokens, guesses,
                                    {m_options.nearNeighbours, m_options.threads}, job));
        results[0].near = {near[1], near[0], near[2]};
        results[1].near = {near[3], near[0], near[4]};
        return results;
    }

private:
    /// Returns what map guesses for each token.
    Result<std::vector<Row>> attack(ControlChannel channel, std::span<const Row> outputs,
                                    ExactReconstruction& result, const JobContext& job) const {
        const auto seen = observationsOf(channel, m_text.words, m_space.wordCount());
        ASSIGN_OR_RETURN(
            const TextGuesses guesses,
            guessText(m_text, *seen, m_prior, m_chain, m_options.threads, job));
        const auto top = std::span(m_commonest).first(std::min(kTopGuesses, m_commonest.size()));
        std::vector<AttackerScores> scores{
            {std::string(kPriorAttacker), memberships(m_tokens, top.first(1)), true},
            {"prior top-10", memberships(m_tokens, top), false},
            {"echo", hits(m_tokens, outputs), true},
            {"map", hitsWithin(m_tokens, guesses.ranked, 1), true},
            {"map top-10", hitsWithin(m_tokens, guesses.ranked, kTopGuesses), false}};
        if (m_chain != nullptr) {
            scores.push_back({"context", hits(m_tokens, guesses.inContext), true});
        }
        result.text = summarizeAttackers(m_tokens, scores, m_commonest, m_options.seed);
        result.leakage = leakageOf(channel, m_prior);
        return firstGuesses(guesses.ranked);
    }

    const engine::MetricSpace& m_space;
    const AttackedText& m_text;
    const VectorD& m_prior;
    const WordChain* m_chain;
    const ReconstructionOptions& m_options;
    ReplacedTokens m_tokens;
    std::vector<Row> m_commonest;  ///< by the prior
};

}  // namespace

std::unique_ptr<Observations> observationsOf(ControlChannel channel, std::span<const Row> text,
                                             Row words) {
    if (channel == ControlChannel::identity) {
        return std::make_unique<WordsSeen>(text, words);
    }
    return std::make_unique<NothingSeen>(words);
}

Leakage leakageOf(ControlChannel channel, const VectorD& prior) {
    const double largest = priorVulnerability(prior);
    return channel == ControlChannel::identity
               ? Leakage{largest, prior.sum(), static_cast<double>(prior.size())}
               : Leakage{largest, largest, 1.0};
}

Result<std::array<ExactReconstruction, 2>> reconstructControls(
    const engine::MetricSpace& space, const AttackedText& text, const VectorD& prior,
    const WordChain* chain, std::span<const Row> random, const ReconstructionOptions& options,
    const JobContext& job) {
    return ControlAttack(space, text, prior, chain, options).run(random, job);
}

}  // namespace epsilens::experiment
