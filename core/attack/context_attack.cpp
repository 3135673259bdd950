#include "core/attack/context_attack.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <span>
#include <utility>

#include "core/base/job_context.h"
#include "core/base/parallel.h"
#include "core/base/pass_on.h"
#include "core/engine/aligned_matrix.h"
#include "core/engine/exponential_kernel.h"

namespace epsilens::attack {
namespace {

// Of the work, for the progress.
constexpr double kReadingShare = 0.8;

/// What is asked of observations. All that it refers to outlives it.
struct Question {
    const Channel& channel;
    const VectorF& logPrior;
    const WordChain* chain = nullptr;  ///< null: for guesses alone
};

/// What the observations of some tokens say: of each the best guess, and, for a chain, how
/// likely it is in each of its states. Equal observations are read once and share their evidence.
class Evidence {
public:
    /// Of the words that share a state, the most probable one.
    struct OtherWord {
        Row row = kUnknownWord;
        double share = 0.0;  ///< its part of pi times the likelihood of all of them
    };
    /// Memory to read in: one object per task.
    struct Scratch {
        ChannelScratch channel{};
        VectorF ofLinked{};             ///< scores of the linked words
        engine::AlignedMatrix falls{};  ///< a row: by how much scores are below the best
    };

    /// Nothing is read yet.
    Evidence(const Question& question, std::span<const std::size_t> tokens)
        : m_block(observationsAtOnce(question.logPrior.size())) {
        std::map<std::size_t, std::size_t> known;
        for (const std::size_t token : tokens) {
            const auto [found, isNew] =
                known.try_emplace(question.channel.kindOf(token), m_distinct.size());
            if (isNew) {
                m_distinct.push_back(token);
            }
            m_places.push_back(found->second);
        }
        m_guesses.resize(m_distinct.size());
        if (question.chain != nullptr) {
            m_likelihoods.resize(static_cast<Eigen::Index>(m_distinct.size()),
                                 question.chain->states());
            m_others.resize(m_distinct.size());
        }
    }

    /// How many blocks there are to read: each by itself, by several threads at once if need be.
    [[nodiscard]] std::size_t blocks() const { return (m_distinct.size() + m_block - 1) / m_block; }

    /// question  as at the beginning
    /// block     below blocks()
    void read(const Question& question, std::size_t block, Scratch& scratch) {
        const std::size_t first = block * m_block;
        const auto observations =
            std::span(m_distinct).subspan(first, std::min(m_block, m_distinct.size() - first));
        question.channel.read(observations, scratch.channel, [&](std::size_t i, VectorF& scores) {
            scores += question.logPrior;
            if (question.chain != nullptr) {
                readStates(question, scores, first + i, scratch);
            } else {
                m_guesses[first + i] = bestGuess(scores).word;
            }
        });
    }

    /// The word with the largest pi times likelihood, of token i of those given.
    [[nodiscard]] Row guess(std::size_t i) const { return m_guesses[m_places[i]]; }
    /// Likelihood in each state, up to a factor of the token; of any other word the mean by pi.
    [[nodiscard]] RowMatrixF::ConstRowXpr likelihood(std::size_t i) const {
        return m_likelihoods.row(static_cast<Eigen::Index>(m_places[i]));
    }
    [[nodiscard]] const OtherWord& otherWord(std::size_t i) const { return m_others[m_places[i]]; }

private:
    // Each score is looked at once: those of the linked words, then the others in their place.
    void readStates(const Question& question, VectorF& scores, std::size_t place,
                    Scratch& scratch) {
        const WordChain& chain = *question.chain;
        scratch.ofLinked = scores(chain.linked());
        scores(chain.linked()).setConstant(-std::numeric_limits<float>::infinity());
        const BestGuess ofOthers = bestGuess(scores);
        BestGuess best = ofOthers;
        if (scratch.ofLinked.size() > 0) {
            const BestGuess linked = bestGuess(scratch.ofLinked);
            const Row word = chain.linked()[static_cast<std::size_t>(linked.word)];
            if (linked.score > best.score || (linked.score == best.score && word < best.word)) {
                best = {word, linked.score};
            }
        }
        m_guesses[place] = best.word;
        auto likelihood = m_likelihoods.row(static_cast<Eigen::Index>(place));
        likelihood.head(chain.otherState()) =
            ((scratch.ofLinked.array() - best.score).max(kNegligible) -
             question.logPrior(chain.linked()).array())
                .exp()
                .transpose();
        const double prior = chain.law()[chain.otherState()];
        likelihood[chain.otherState()] = 0.0F;
        if (!(prior > 0.0)) {
            return;
        }
        if (scratch.falls.rows() == 0) {
            scratch.falls = engine::AlignedMatrix(1, engine::paddedRowLength(scores.size()));
        }
        Eigen::Map<VectorF>(scratch.falls.row(0), scores.size()) =
            (best.score - scores.array()).matrix();
        const double sum =
            engine::exponentialSum(scratch.falls.row(0), scores.size(), 1.0F, -kNegligible);
        const double most =
            std::exp(static_cast<double>(std::max(ofOthers.score - best.score, kNegligible)));
        m_others[place] = {ofOthers.word, most / sum};
        likelihood[chain.otherState()] = static_cast<float>(sum / prior);
    }

    std::size_t m_block;
    std::vector<std::size_t> m_places{};  ///< of each token's observation among the different ones
    std::vector<std::size_t> m_distinct{};  ///< a token with each different observation
    std::vector<Row> m_guesses{};           ///< this and what follows: of each different one
    RowMatrixF m_likelihoods{};             ///< observations x states
    std::vector<OtherWord> m_others{};
};

/// Ends of groups of lines, each of a line or of so many that they have at most `most` different
/// observations.
std::vector<std::size_t> groupEnds(const AttackedText& text, const ReplacedTokens& replaced,
                                   const Channel& channel, std::size_t most) {
    std::vector<std::size_t> ends;
    std::set<std::size_t> ofGroup;
    std::size_t place = 0;
    for (std::size_t line = 0; line < text.lines(); ++line) {
        std::set<std::size_t> ofLine;
        for (; place < replaced.size() && replaced.tokens[place] < text.lineEnd(line); ++place) {
            ofLine.insert(channel.kindOf(replaced.tokens[place]));
        }
        const auto more = static_cast<std::size_t>(std::ranges::count_if(
            ofLine, [&](std::size_t kind) { return !ofGroup.contains(kind); }));
        if (line > 0 && ofGroup.size() + more > most) {
            ends.push_back(line);
            ofGroup.clear();
        }
        ofGroup.merge(ofLine);
    }
    ends.push_back(text.lines());
    return ends;
}

// Guesses the tokens of lines by a chain. Forward-backward in blocks: the forward pass keeps what
// enters each block and the backward pass, which starts with the block just done, repeats the
// others from there.
class LineModel {
public:
    /// places    of tokens among the replaced ones
    /// evidence  of the replaced tokens from place `first` on
    /// guesses   of all replaced tokens; those of the lines that are solved are set
    LineModel(const AttackedText& text, const WordChain& chain, const Evidence& evidence,
              std::span<const std::size_t> places, std::size_t first, std::vector<Row>& guesses)
        : m_text(text),
          m_chain(chain),
          m_evidence(evidence),
          m_places(places),
          m_first(first),
          m_guesses(guesses),
          m_states(observationsAtOnce(chain.prior().size())) {}

    void solve(std::size_t line, const JobContext& job) {
        m_line.clear();
        for (std::size_t token = m_text.lineBegin(line); token < m_text.lineEnd(line); ++token) {
            if (treatment(token) != Treatment::dropped) {
                m_line.push_back(token);
            }
        }
        const std::size_t blocks = (m_line.size() + m_states.size() - 1) / m_states.size();
        m_entries.resize(blocks);
        VectorD entry = m_chain.law();
        for (std::size_t block = 0; block < blocks && !job.stopRequested(); ++block) {
            m_entries[block] = entry;
            passForward(block, entry);
        }
        VectorD later = VectorD::Ones(m_chain.states());
        for (std::size_t block = blocks; block-- > 0 && !job.stopRequested();) {
            if (block + 1 < blocks) {
                entry = m_entries[block];
                passForward(block, entry);
            }
            passBackward(block, later);
        }
    }

private:
    [[nodiscard]] Treatment treatment(std::size_t token) const { return m_text.treatments[token]; }
    /// Of a token among the evidence.
    [[nodiscard]] std::size_t placeOf(std::size_t token) const { return m_places[token] - m_first; }
    [[nodiscard]] std::span<const std::size_t> tokensOf(std::size_t block) const {
        const std::size_t first = block * m_states.size();
        return std::span(m_line).subspan(first, std::min(m_states.size(), m_line.size() - first));
    }

    // Multiplies a state with the emission of a token.
    void emit(std::size_t token, VectorD& state) const {
        if (treatment(token) == Treatment::replaced) {
            state.array() *=
                m_evidence.likelihood(placeOf(token)).transpose().array().cast<double>();
            state /= state.sum();
        } else if (const Row word = m_text.words[token];
                   treatment(token) == Treatment::kept && word != kUnknownWord) {
            state.setZero();
            state[m_chain.stateOf(word)] = 1.0;
        }
    }

    // entry  law of the first word of the block given what is before; set to that of the next block
    void passForward(std::size_t block, VectorD& entry) {
        const auto tokens = tokensOf(block);
        for (std::size_t i = 0; i < tokens.size(); ++i) {
            m_states[i] = entry;
            emit(tokens[i], m_states[i]);
            m_chain.forward(m_states[i], entry);
        }
    }

    // later  likelihood of what is after the block, by its last word; set to that of the block
    // before
    void passBackward(std::size_t block, VectorD& later) {
        const auto tokens = tokensOf(block);
        for (std::size_t i = tokens.size(); i-- > 0;) {
            if (treatment(tokens[i]) == Treatment::replaced) {
                m_guesses[m_places[tokens[i]]] =
                    mostProbable(tokens[i], m_states[i].cwiseProduct(later));
            }
            if (block > 0 || i > 0) {
                emit(tokens[i], later);
                m_chain.backward(later, m_previous);
                later.swap(m_previous);
            }
        }
    }

    // marginal  of the states, up to a factor
    [[nodiscard]] Row mostProbable(std::size_t token, const VectorD& marginal) const {
        const Evidence::OtherWord& other = m_evidence.otherWord(placeOf(token));
        Row best = other.row;
        double largest =
            other.row == kUnknownWord ? -1.0 : marginal[m_chain.otherState()] * other.share;
        for (std::size_t state = 0; state < m_chain.linked().size(); ++state) {
            const double value = marginal[static_cast<Eigen::Index>(state)];
            const Row word = m_chain.linked()[state];
            if (value > largest || (value == largest && word < best)) {
                largest = value;
                best = word;
            }
        }
        return best;
    }

    const AttackedText& m_text;
    const WordChain& m_chain;
    const Evidence& m_evidence;
    std::span<const std::size_t> m_places;
    std::size_t m_first;
    std::vector<Row>& m_guesses;
    std::vector<std::size_t> m_line{};  ///< tokens without the dropped ones
    std::vector<VectorD> m_entries{};   ///< one for each block
    std::vector<VectorD> m_states;      ///< of the tokens of a block, given what came so far
    VectorD m_previous{};
};

}  // namespace

std::size_t observationsAtOnce(Eigen::Index words) {
    // Enough rows that a matrix product does not spend its time on packing the vocabulary.
    constexpr Eigen::Index kMostNumbers = Eigen::Index{8} << 20;
    return static_cast<std::size_t>(std::clamp<Eigen::Index>(kMostNumbers / words, 64, 256));
}

Result<TextGuesses> guessText(const AttackedText& text, const Channel& channel,
                              const VectorD& prior, const WordChain* chain, int threads,
                              const JobContext& job, std::size_t sharedBytes) {
    const ReplacedTokens replaced = replacedTokens(text);
    std::vector<std::size_t> places(text.words.size());
    for (std::size_t i = 0; i < replaced.size(); ++i) {
        places[replaced.tokens[i]] = i;
    }
    TextGuesses guesses{std::vector<Row>(replaced.size()),
                        std::vector<Row>(chain != nullptr ? replaced.size() : 0)};
    const VectorF logPrior = prior.array().log().cast<float>();
    const Question question{channel, logPrior, chain};
    const std::size_t most =
        chain != nullptr ? sharedBytes / sizeof(float) / static_cast<std::size_t>(chain->states())
                         : replaced.size();
    const double reading = chain != nullptr ? kReadingShare : 1.0;
    const auto all = static_cast<double>(text.tokens());
    std::size_t first = 0;
    std::size_t firstLine = 0;
    for (const std::size_t endLine : groupEnds(text, replaced, channel, most)) {
        const std::size_t end = text.lineEnd(endLine - 1);
        const JobContext part = partOf(job, static_cast<double>(text.lineBegin(firstLine)) / all,
                                       static_cast<double>(end) / all);
        const auto last = static_cast<std::size_t>(std::ranges::lower_bound(replaced.tokens, end) -
                                                   replaced.tokens.begin());
        Evidence evidence(question, std::span(replaced.tokens).subspan(first, last - first));
        RETURN_IF_ERROR(inParallel(
            evidence.blocks(), threads, "Attacking", partOf(part, 0.0, reading),
            [](int) { return Evidence::Scratch{}; },
            [&](Evidence::Scratch& scratch, std::size_t block) {
                evidence.read(question, block, scratch);
            }));
        for (std::size_t i = first; i < last; ++i) {
            guesses.alone[i] = evidence.guess(i - first);
        }
        if (chain != nullptr) {
            const JobContext solving = partOf(part, reading, 1.0);
            RETURN_IF_ERROR(inParallel(
                endLine - firstLine, threads, "Attacking", solving,
                [&](int) {
                    return LineModel(text, *chain, evidence, places, first, guesses.inContext);
                },
                [&](LineModel& model, std::size_t i) { model.solve(firstLine + i, solving); }));
        }
        first = last;
        firstLine = endLine;
    }
    return guesses;
}

}  // namespace epsilens::attack
