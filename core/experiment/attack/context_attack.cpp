#include "core/experiment/attack/context_attack.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <span>

#include "core/base/pass_on.h"
#include "core/experiment/attack/in_parallel.h"

namespace epsilens::experiment {
namespace {

// Tokens whose vectors are held at once.
constexpr std::size_t kBlock = 64;

// Forward-backward of one line, in blocks: the forward pass keeps what enters each block and the
// backward pass, which starts with the block just done, repeats the others from there.
class LineModel {
public:
    LineModel(const AttackedText& text, const Observations& observations, const WordChain& chain)
        : m_text(text), m_chain(chain), m_reader(observations.reader()), m_states(kBlock) {}

    /// guess(token, row) is called for every replaced token of the line, unless the job is stopped.
    template <typename Guess>
    void solve(std::int64_t line, const JobContext& job, Guess guess) {
        m_line.clear();
        for (std::int64_t token = m_text.lineBegin(line); token < m_text.lineEnd(line); ++token) {
            if (treatment(token) != Treatment::dropped) {
                m_line.push_back(token);
            }
        }
        const std::size_t blocks = (m_line.size() + kBlock - 1) / kBlock;
        m_entries.resize(blocks);
        VectorD entry = m_chain.prior();
        for (std::size_t block = 0; block < blocks && !job.stopRequested(); ++block) {
            m_entries[block] = entry;
            passForward(block, entry);
        }
        VectorD later = VectorD::Ones(m_chain.words());
        for (std::size_t block = blocks; block-- > 0 && !job.stopRequested();) {
            if (block + 1 < blocks) {
                entry = m_entries[block];
                passForward(block, entry);
            }
            passBackward(block, later, guess);
        }
    }

private:
    [[nodiscard]] Treatment treatment(std::int64_t token) const {
        return m_text.treatments[static_cast<std::size_t>(token)];
    }
    [[nodiscard]] std::span<const std::int64_t> tokensOf(std::size_t block) const {
        const std::size_t first = block * kBlock;
        return std::span(m_line).subspan(first, std::min(kBlock, m_line.size() - first));
    }

    void readEmissions(std::span<const std::int64_t> tokens) {
        std::vector<std::int64_t> replaced;
        for (const std::int64_t token : tokens) {
            if (treatment(token) == Treatment::replaced) {
                replaced.push_back(token);
            }
        }
        m_reader->read(replaced, m_emissions);
        // Smaller likelihoods would turn denormal; no guess depends on them.
        constexpr float kNegligible = -80.0F;
        for (Eigen::Index row = 0; row < m_emissions.rows(); ++row) {
            const float largest = m_emissions.row(row).maxCoeff();
            m_emissions.row(row) =
                (m_emissions.row(row).array() - largest).max(kNegligible).exp().matrix();
        }
    }

    // Multiplies a state with the emission of a token; `row` counts the replaced ones of the block.
    void emit(std::int64_t token, Eigen::Index row, VectorD& state) const {
        if (treatment(token) == Treatment::replaced) {
            state.array() *= m_emissions.row(row).transpose().array().cast<double>();
        } else if (const Row word = m_text.words[static_cast<std::size_t>(token)];
                   treatment(token) == Treatment::kept && word != kUnknownWord) {
            const double weight = state[word];
            state.setZero();
            state[word] = weight;
        }
        state /= state.sum();
    }

    // entry  law of the first word of the block given what is before; set to that of the next block
    void passForward(std::size_t block, VectorD& entry) {
        const auto tokens = tokensOf(block);
        readEmissions(tokens);
        Eigen::Index row = 0;
        for (std::size_t i = 0; i < tokens.size(); ++i) {
            m_states[i] = entry;
            emit(tokens[i], row, m_states[i]);
            row += treatment(tokens[i]) == Treatment::replaced ? 1 : 0;
            m_chain.forward(m_states[i], entry);
        }
    }

    // later  likelihood of what is after the block, by its last word; set to that of the block
    // before
    template <typename Guess>
    void passBackward(std::size_t block, VectorD& later, Guess guess) {
        const auto tokens = tokensOf(block);
        Eigen::Index row = m_emissions.rows();
        for (std::size_t i = tokens.size(); i-- > 0;) {
            if (treatment(tokens[i]) == Treatment::replaced) {
                --row;
                Eigen::Index best = 0;
                m_states[i].cwiseProduct(later).maxCoeff(&best);
                guess(tokens[i], static_cast<Row>(best));
            }
            if (block > 0 || i > 0) {
                emit(tokens[i], row, later);
                m_chain.backward(later, m_previous);
                later.swap(m_previous);
            }
        }
    }

    const AttackedText& m_text;
    const WordChain& m_chain;
    std::unique_ptr<ObservationReader> m_reader;
    std::vector<std::int64_t> m_line{};  ///< tokens of the line without the dropped ones
    std::vector<VectorD> m_entries{};    ///< one for each block
    std::vector<VectorD> m_states;       ///< of the tokens of a block, given what came so far
    RowMatrixF m_emissions{};            ///< of the replaced tokens of a block
    VectorD m_previous{};
};

}  // namespace

Result<std::vector<Row>> guessFromContext(const AttackedText& text,
                                          const Observations& observations, const WordChain& chain,
                                          int threads, const JobContext& job) {
    std::vector<Row> byToken(text.words.size(), kUnknownWord);
    const auto lines = static_cast<std::size_t>(text.lines());
    RETURN_IF_ERROR(inParallel(
        lines, threads, "Context", job, [&](int) { return LineModel(text, observations, chain); },
        [&](LineModel& model, std::size_t line) {
            model.solve(static_cast<std::int64_t>(line), job, [&](std::int64_t token, Row guess) {
                byToken[static_cast<std::size_t>(token)] = guess;
            });
        },
        [&](std::size_t line) {
            return static_cast<double>(text.lineEnd(static_cast<std::int64_t>(line)) -
                                       text.lineBegin(static_cast<std::int64_t>(line)));
        }));
    std::vector<Row> guesses;
    for (const std::int64_t token : replacedTokens(text).tokens) {
        guesses.push_back(byToken[static_cast<std::size_t>(token)]);
    }
    return guesses;
}

Result<std::vector<RankedGuesses>> guessFromOutputs(const AttackedText& text,
                                                    const Observations& observations,
                                                    const VectorD& prior, int threads,
                                                    const JobContext& job) {
    struct Scratch {
        std::unique_ptr<ObservationReader> reader;
        RowMatrixF scores;
    };
    const ReplacedTokens replaced = replacedTokens(text);
    const VectorF logPrior = prior.array().log().cast<float>();
    std::vector<RankedGuesses> guesses(replaced.size());
    const std::size_t blocks = (replaced.size() + kBlock - 1) / kBlock;
    RETURN_IF_ERROR(inParallel(
        blocks, threads, "Attack", job,
        [&](int) {
            return Scratch{observations.reader(), {}};
        },
        [&](Scratch& scratch, std::size_t block) {
            const std::size_t first = block * kBlock;
            const std::size_t count = std::min(kBlock, replaced.size() - first);
            scratch.reader->read(std::span(replaced.tokens).subspan(first, count), scratch.scores);
            scratch.scores.rowwise() += logPrior.transpose();
            for (std::size_t i = 0; i < count; ++i) {
                const auto scores = scratch.scores.row(static_cast<Eigen::Index>(i));
                guesses[first + i] =
                    bestGuesses({scores.data(), static_cast<std::size_t>(scores.size())});
            }
        }));
    return guesses;
}

std::vector<float> hitsWithin(const ReplacedTokens& tokens, std::span<const RankedGuesses> ranked,
                              std::size_t guesses) {
    std::vector<float> successes;
    successes.reserve(tokens.size());
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        const std::vector<Row>& rows = ranked[i].rows;
        const auto end = rows.begin() + static_cast<std::ptrdiff_t>(std::min(guesses, rows.size()));
        successes.push_back(std::find(rows.begin(), end, tokens.words[i]) != end ? 1.0F : 0.0F);
    }
    return successes;
}

}  // namespace epsilens::experiment
