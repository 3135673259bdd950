#include "core/experiment/attack/context_attack.h"

#include <algorithm>
#include <span>
#include <utility>

#include "core/base/pass_on.h"
#include "core/experiment/attack/evidence.h"
#include "core/experiment/attack/in_parallel.h"

namespace epsilens::experiment {
namespace {

/// Lines of a text that are read together: a block of tokens, or a single longer line.
struct LineGroup {
    std::int64_t first = 0;
    std::int64_t end = 0;
};

std::vector<LineGroup> lineGroups(const AttackedText& text, std::size_t block) {
    std::vector<LineGroup> groups;
    for (std::int64_t line = 0; line < text.lines(); ++line) {
        const bool fits =
            !groups.empty() && text.lineEnd(line) - text.lineBegin(groups.back().first) <=
                                   static_cast<std::int64_t>(block);
        if (fits) {
            groups.back().end = line + 1;
        } else {
            groups.push_back({line, line + 1});
        }
    }
    return groups;
}

// Guesses the tokens of lines. Forward-backward in blocks: the forward pass keeps what enters each
// block and the backward pass, which starts with the block just done, repeats the others from
// there.
class LineModel {
public:
    /// guesses  of all tokens; those of the lines that are solved are set
    LineModel(const AttackedText& text, const Observations& observations, const VectorF& logPrior,
              const WordChain* chain, std::span<const Row> listed,
              std::span<const std::size_t> places, TextGuesses& guesses)
        : m_text(text),
          m_chain(chain),
          m_places(places),
          m_guesses(guesses),
          m_evidence(observations, logPrior, chain, listed),
          m_block(Evidence::tokensAtOnce(logPrior.size())),
          m_states(chain != nullptr ? m_block : 0) {}

    void solve(const LineGroup& group, const JobContext& job) {
        collect(m_text.lineBegin(group.first), m_text.lineEnd(group.end - 1));
        if (m_line.size() <= m_block) {
            readEvidence(m_line);
        }
        for (std::int64_t line = group.first; line < group.end && !job.stopRequested(); ++line) {
            collect(m_text.lineBegin(line), m_text.lineEnd(line));
            solveLine(job);
        }
    }

private:
    [[nodiscard]] Treatment treatment(std::int64_t token) const {
        return m_text.treatments[static_cast<std::size_t>(token)];
    }
    [[nodiscard]] std::span<const std::int64_t> tokensOf(std::size_t block) const {
        const std::size_t first = block * m_block;
        return std::span(m_line).subspan(first, std::min(m_block, m_line.size() - first));
    }

    void collect(std::int64_t begin, std::int64_t end) {
        m_line.clear();
        for (std::int64_t token = begin; token < end; ++token) {
            if (treatment(token) != Treatment::dropped) {
                m_line.push_back(token);
            }
        }
    }

    void readEvidence(std::span<const std::int64_t> tokens) {
        std::vector<std::int64_t> replaced;
        for (const std::int64_t token : tokens) {
            if (treatment(token) == Treatment::replaced) {
                replaced.push_back(token);
            }
        }
        if (replaced.empty() ||
            (m_evidence.has(replaced.front()) && m_evidence.has(replaced.back()))) {
            return;
        }
        m_evidence.read(replaced);
        for (std::size_t i = 0; i < replaced.size(); ++i) {
            m_guesses.ranked[placeOf(replaced[i])] = m_evidence.ranked(i);
            if (!m_guesses.listedPosterior.empty()) {
                m_guesses.listedPosterior[placeOf(replaced[i])] = m_evidence.listedPosterior(i);
            }
        }
    }

    [[nodiscard]] std::size_t placeOf(std::int64_t token) const {
        return m_places[static_cast<std::size_t>(token)];
    }

    void solveLine(const JobContext& job) {
        const std::size_t blocks = (m_line.size() + m_block - 1) / m_block;
        if (m_chain == nullptr) {
            for (std::size_t block = 0; block < blocks && !job.stopRequested(); ++block) {
                readEvidence(tokensOf(block));
            }
            return;
        }
        m_entries.resize(blocks);
        VectorD entry = m_chain->law();
        for (std::size_t block = 0; block < blocks && !job.stopRequested(); ++block) {
            m_entries[block] = entry;
            passForward(block, entry);
        }
        VectorD later = VectorD::Ones(m_chain->states());
        for (std::size_t block = blocks; block-- > 0 && !job.stopRequested();) {
            if (block + 1 < blocks) {
                entry = m_entries[block];
                passForward(block, entry);
            }
            passBackward(block, later);
        }
    }

    // Multiplies a state with the emission of a token.
    void emit(std::int64_t token, VectorD& state) const {
        if (treatment(token) == Treatment::replaced) {
            state.array() *= m_evidence.likelihood(token).transpose().array().cast<double>();
            state /= state.sum();
        } else if (const Row word = m_text.words[static_cast<std::size_t>(token)];
                   treatment(token) == Treatment::kept && word != kUnknownWord) {
            state.setZero();
            state[m_chain->stateOf(word)] = 1.0;
        }
    }

    // entry  law of the first word of the block given what is before; set to that of the next block
    void passForward(std::size_t block, VectorD& entry) {
        const auto tokens = tokensOf(block);
        readEvidence(tokens);
        for (std::size_t i = 0; i < tokens.size(); ++i) {
            m_states[i] = entry;
            emit(tokens[i], m_states[i]);
            m_chain->forward(m_states[i], entry);
        }
    }

    // later  likelihood of what is after the block, by its last word; set to that of the block
    // before
    void passBackward(std::size_t block, VectorD& later) {
        const auto tokens = tokensOf(block);
        for (std::size_t i = tokens.size(); i-- > 0;) {
            if (treatment(tokens[i]) == Treatment::replaced) {
                m_guesses.inContext[placeOf(tokens[i])] =
                    mostProbable(tokens[i], m_states[i].cwiseProduct(later));
            }
            if (block > 0 || i > 0) {
                emit(tokens[i], later);
                m_chain->backward(later, m_previous);
                later.swap(m_previous);
            }
        }
    }

    // marginal  of the states, up to a factor
    [[nodiscard]] Row mostProbable(std::int64_t token, const VectorD& marginal) const {
        const Evidence::OtherWord& other = m_evidence.otherWord(token);
        Row best = other.row;
        double largest =
            other.row == kUnknownWord ? -1.0 : marginal[m_chain->otherState()] * other.share;
        for (std::size_t state = 0; state < m_chain->linked().size(); ++state) {
            const double value = marginal[static_cast<Eigen::Index>(state)];
            const Row word = m_chain->linked()[state];
            if (value > largest || (value == largest && word < best)) {
                largest = value;
                best = word;
            }
        }
        return best;
    }

    const AttackedText& m_text;
    const WordChain* m_chain;
    std::span<const std::size_t> m_places;  ///< of tokens among the replaced ones
    TextGuesses& m_guesses;
    Evidence m_evidence;
    std::size_t m_block;                 ///< tokens whose states are held at once
    std::vector<std::int64_t> m_line{};  ///< tokens without the dropped ones
    std::vector<VectorD> m_entries{};    ///< one for each block
    std::vector<VectorD> m_states;       ///< of the tokens of a block, given what came so far
    VectorD m_previous{};
};

}  // namespace

Result<TextGuesses> guessText(const AttackedText& text, const Observations& observations,
                              const VectorD& prior, const WordChain* chain,
                              std::span<const Row> listed, int threads, const JobContext& job) {
    const ReplacedTokens replaced = replacedTokens(text);
    std::vector<std::size_t> places(text.words.size());
    for (std::size_t i = 0; i < replaced.size(); ++i) {
        places[static_cast<std::size_t>(replaced.tokens[i])] = i;
    }
    TextGuesses guesses;
    guesses.ranked.resize(replaced.size());
    guesses.listedPosterior.resize(listed.empty() ? 0 : replaced.size());
    guesses.inContext.resize(chain != nullptr ? replaced.size() : 0, kUnknownWord);
    const VectorF logPrior = prior.array().log().cast<float>();
    const auto groups = lineGroups(text, Evidence::tokensAtOnce(prior.size()));
    RETURN_IF_ERROR(inParallel(
        groups.size(), threads, "Attacking", job,
        [&](int) {
            return LineModel(text, observations, logPrior, chain, listed, places, guesses);
        },
        [&](LineModel& model, std::size_t group) { model.solve(groups[group], job); },
        [&](std::size_t group) {
            return static_cast<double>(text.lineEnd(groups[group].end - 1) -
                                       text.lineBegin(groups[group].first));
        }));
    return guesses;
}

std::vector<float> callsOf(std::span<const double> listedPosterior) {
    std::vector<float> calls;
    calls.reserve(listedPosterior.size());
    for (const double posterior : listedPosterior) {
        calls.push_back(posterior >= 0.5 ? 1.0F : 0.0F);
    }
    return calls;
}

std::vector<Row> firstGuesses(std::span<const RankedGuesses> ranked) {
    std::vector<Row> guesses;
    guesses.reserve(ranked.size());
    for (const RankedGuesses& of : ranked) {
        guesses.push_back(of.rows.empty() ? kUnknownWord : of.rows.front());
    }
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
