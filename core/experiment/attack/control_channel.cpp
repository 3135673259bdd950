#include "core/experiment/attack/control_channel.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/base/pass_on.h"
#include "core/experiment/attack/context_attack.h"
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
    ControlAttack(const AttackedText& text, const VectorD& prior, const WordChain* chain,
                  const ReconstructionOptions& options)
        : m_text(text),
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
        for (std::size_t i = 0; i < results.size(); ++i) {
            const std::vector<Row> outputs = kControlChannels[i] == ControlChannel::identity
                                                 ? m_tokens.words
                                                 : outputsOf(m_tokens, random);
            ASSIGN_OR_RETURN(results[i], attack(kControlChannels[i], outputs, job));
        }
        return results;
    }

private:
    Result<ExactReconstruction> attack(ControlChannel channel, std::span<const Row> outputs,
                                       const JobContext& job) const {
        const auto seen = observationsOf(channel, m_text.words, static_cast<Row>(m_prior.size()));
        ASSIGN_OR_RETURN(const TextGuesses guesses,
                         guessText(m_text, *seen, m_prior, m_chain, m_options.threads, job));
        std::vector<AttackerScores> scores{
            {std::string(kPriorAttacker),
             hits(m_tokens, std::vector(m_tokens.size(), m_commonest.front())), true},
            {"echo", hits(m_tokens, outputs), true},
            {"map", hits(m_tokens, guesses.alone), true}};
        if (m_chain != nullptr) {
            scores.push_back({"context", hits(m_tokens, guesses.inContext), true});
        }
        ExactReconstruction result;
        result.text = summarizeAttackers(m_tokens, scores, m_commonest, m_options.seed);
        result.priorVulnerability = priorVulnerability(m_prior);
        result.posteriorVulnerability = posteriorVulnerability(channel, m_prior);
        return result;
    }

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

double posteriorVulnerability(ControlChannel channel, const VectorD& prior) {
    return channel == ControlChannel::identity ? prior.sum() : priorVulnerability(prior);
}

Result<std::array<ExactReconstruction, 2>> reconstructControls(
    const AttackedText& text, const VectorD& prior, const WordChain* chain,
    std::span<const Row> random, const ReconstructionOptions& options, const JobContext& job) {
    return ControlAttack(text, prior, chain, options).run(random, job);
}

}  // namespace epsilens::experiment
