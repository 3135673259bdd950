#include "core/attack/context_attack.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>
#include <span>
#include <utility>

#include "core/base/in_parallel.h"
#include "core/base/job_part.h"
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

/// For each of some tokens the place of the first of them whose observation is of the same kind.
std::vector<std::size_t> firstEqual(const Channel& channel, std::span<const std::int64_t> tokens) {
    std::map<std::int64_t, std::size_t> known;
    std::vector<std::size_t> first;
    for (const std::int64_t token : tokens) {
        first.push_back(known.try_emplace(channel.kindOf(token), first.size()).first->second);
    }
    return first;
}

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

    Evidence() = default;
    /// Nothing is read yet.
    ///
    /// tokens  rising
    Evidence(const Question& question, std::vector<std::int64_t> tokens)
        : m_block(observationsAtOnce(question.logPrior.size())), m_tokens(std::move(tokens)) {
        for (const std::size_t first : firstEqual(question.channel, m_tokens)) {
            const std::size_t place = m_places.size();
            m_places.push_back(first == place ? m_distinct.size() : m_places[first]);
            if (first == place) {
                m_distinct.push_back(m_tokens[place]);
            }
        }
        m_guesses.resize(m_distinct.size());
        if (question.chain != nullptr) {
            m_likelihoods.resize(static_cast<Eigen::Index>(m_distinct.size()),
                                 question.chain->states());
            m_others.resize(m_distinct.size());
        }
    }

    [[nodiscard]] std::span<const std::int64_t> tokens() const { return m_tokens; }
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

    /// The word with the largest pi times likelihood.
    [[nodiscard]] Row guess(std::int64_t token) const { return m_guesses[placeOf(token)]; }
    /// Likelihood in each state, up to a factor of the token; of any other word the mean by pi.
    [[nodiscard]] RowMatrixF::ConstRowXpr likelihood(std::int64_t token) const {
        return m_likelihoods.row(static_cast<Eigen::Index>(placeOf(token)));
    }
    [[nodiscard]] const OtherWord& otherWord(std::int64_t token) const {
        return m_others[placeOf(token)];
    }

private:
    [[nodiscard]] std::size_t placeOf(std::int64_t token) const {
        return m_places[static_cast<std::size_t>(
            std::lower_bound(m_tokens.begin(), m_tokens.end(), token) - m_tokens.begin())];
    }

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

    std::size_t m_block = 1;
    std::vector<std::int64_t> m_tokens{};
    std::vector<std::size_t> m_places{};  ///< of each token's observation among the different ones
    std::vector<std::int64_t> m_distinct{};  ///< a token with each different observation
    std::vector<Row> m_guesses{};            ///< this and what follows: of each different one
    RowMatrixF m_likelihoods{};              ///< observations x states
    std::vector<OtherWord> m_others{};
};

/// Lines of a text whose evidence is read together.
struct LineGroup {
    std::int64_t first = 0;
    std::int64_t end = 0;
    std::int64_t distinct = 0;  ///< different observations
};

/// Lines with at most `most` different observations together, or lines with more in each, which are
/// read in blocks.
std::vector<LineGroup> lineGroups(const AttackedText& text, const ReplacedTokens& replaced,
                                  std::span<const std::size_t> firstEqual, std::int64_t most) {
    std::vector<LineGroup> groups;
    std::vector<std::size_t> lastGroup(firstEqual.size());
    std::size_t place = 0;
    for (std::int64_t line = 0; line < text.lines(); ++line) {
        const std::size_t begin = place;
        const auto addTo = [&](std::size_t group) {
            std::int64_t added = 0;
            for (place = begin;
                 place < replaced.size() && replaced.tokens[place] < text.lineEnd(line); ++place) {
                std::size_t& last = lastGroup[firstEqual[place]];
                added += last == group ? 0 : 1;
                last = group;
            }
            return added;
        };
        if (!groups.empty()) {
            const std::int64_t distinct = groups.back().distinct + addTo(groups.size());
            if (distinct <= most) {
                groups.back().end = line + 1;
                groups.back().distinct = distinct;
                continue;
            }
        }
        LineGroup alone{line, line + 1, 0};
        alone.distinct = addTo(groups.size() + 1);
        if (alone.distinct > most && !groups.empty() && groups.back().distinct > most) {
            groups.back().end = alone.end;
        } else {
            groups.push_back(alone);
        }
    }
    return groups;
}

/// Sets the guesses from the tokens' own observations.
void takeGuesses(const Evidence& evidence, std::span<const std::size_t> places,
                 TextGuesses& guesses) {
    for (const std::int64_t token : evidence.tokens()) {
        guesses.alone[places[static_cast<std::size_t>(token)]] = evidence.guess(token);
    }
}

// Guesses the tokens of lines by a chain. Forward-backward in blocks: the forward pass keeps what
// enters each block and the backward pass, which starts with the block just done, repeats the
// others from there.
class LineModel {
public:
    /// question  with a chain
    /// shared    evidence of all lines; null: it is read in blocks
    /// places    of tokens among the replaced ones
    /// guesses   of all tokens; those of the lines that are solved are set
    LineModel(const AttackedText& text, const Question& question, const Evidence* shared,
              std::span<const std::size_t> places, TextGuesses& guesses)
        : m_text(text),
          m_question(question),
          m_chain(*question.chain),
          m_shared(shared),
          m_places(places),
          m_guesses(guesses),
          m_block(observationsAtOnce(m_question.logPrior.size())),
          m_states(m_block) {}

    void solve(std::int64_t line, const JobContext& job) {
        m_line.clear();
        for (std::int64_t token = m_text.lineBegin(line); token < m_text.lineEnd(line); ++token) {
            if (treatment(token) != Treatment::dropped) {
                m_line.push_back(token);
            }
        }
        const std::size_t blocks = (m_line.size() + m_block - 1) / m_block;
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
    [[nodiscard]] Treatment treatment(std::int64_t token) const {
        return m_text.treatments[static_cast<std::size_t>(token)];
    }
    [[nodiscard]] const Evidence& evidence() const {
        return m_shared != nullptr ? *m_shared : m_ofBlock;
    }
    [[nodiscard]] std::span<const std::int64_t> tokensOf(std::size_t block) const {
        const std::size_t first = block * m_block;
        return std::span(m_line).subspan(first, std::min(m_block, m_line.size() - first));
    }

    void readEvidence(std::span<const std::int64_t> tokens) {
        if (m_shared != nullptr) {
            return;
        }
        std::vector<std::int64_t> replaced;
        std::copy_if(tokens.begin(), tokens.end(), std::back_inserter(replaced),
                     [&](std::int64_t token) { return treatment(token) == Treatment::replaced; });
        if (std::equal(replaced.begin(), replaced.end(), m_ofBlock.tokens().begin(),
                       m_ofBlock.tokens().end())) {
            return;
        }
        m_ofBlock = Evidence(m_question, std::move(replaced));
        for (std::size_t block = 0; block < m_ofBlock.blocks(); ++block) {
            m_ofBlock.read(m_question, block, m_scratch);
        }
        takeGuesses(m_ofBlock, m_places, m_guesses);
    }

    // Multiplies a state with the emission of a token.
    void emit(std::int64_t token, VectorD& state) const {
        if (treatment(token) == Treatment::replaced) {
            state.array() *= evidence().likelihood(token).transpose().array().cast<double>();
            state /= state.sum();
        } else if (const Row word = m_text.words[static_cast<std::size_t>(token)];
                   treatment(token) == Treatment::kept && word != kUnknownWord) {
            state.setZero();
            state[m_chain.stateOf(word)] = 1.0;
        }
    }

    // entry  law of the first word of the block given what is before; set to that of the next block
    void passForward(std::size_t block, VectorD& entry) {
        const auto tokens = tokensOf(block);
        readEvidence(tokens);
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
                m_guesses.inContext[m_places[static_cast<std::size_t>(tokens[i])]] =
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
    [[nodiscard]] Row mostProbable(std::int64_t token, const VectorD& marginal) const {
        const Evidence::OtherWord& other = evidence().otherWord(token);
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
    const Question& m_question;
    const WordChain& m_chain;
    const Evidence* m_shared;
    std::span<const std::size_t> m_places;
    TextGuesses& m_guesses;
    Evidence::Scratch m_scratch{};
    Evidence m_ofBlock{};
    std::size_t m_block;                 ///< tokens whose states are held at once
    std::vector<std::int64_t> m_line{};  ///< tokens without the dropped ones
    std::vector<VectorD> m_entries{};    ///< one for each block
    std::vector<VectorD> m_states;       ///< of the tokens of a block, given what came so far
    VectorD m_previous{};
};

/// The evidence of all replaced tokens of some lines.
Result<Evidence> readTogether(const Question& question, std::vector<std::int64_t> tokens,
                              int threads, const JobContext& job) {
    Evidence evidence(question, std::move(tokens));
    RETURN_IF_ERROR(inParallel(
        evidence.blocks(), threads, "Attacking", job, [](int) { return Evidence::Scratch{}; },
        [&](Evidence::Scratch& scratch, std::size_t block) {
            evidence.read(question, block, scratch);
        }));
    return evidence;
}

}  // namespace

std::size_t observationsAtOnce(Eigen::Index words) {
    // Enough rows that a matrix product does not spend its time on packing the vocabulary.
    constexpr Eigen::Index kMostNumbers = Eigen::Index{8} << 20;
    return static_cast<std::size_t>(std::clamp<Eigen::Index>(kMostNumbers / words, 64, 256));
}

Result<TextGuesses> guessText(const AttackedText& text, const Channel& channel,
                              const VectorD& prior, const WordChain* chain, int threads,
                              const JobContext& job, std::int64_t sharedBytes) {
    const ReplacedTokens replaced = replacedTokens(text);
    std::vector<std::size_t> places(text.words.size());
    for (std::size_t i = 0; i < replaced.size(); ++i) {
        places[static_cast<std::size_t>(replaced.tokens[i])] = i;
    }
    TextGuesses guesses;
    guesses.alone.resize(replaced.size());
    guesses.inContext.resize(chain != nullptr ? replaced.size() : 0);
    const VectorF logPrior = prior.array().log().cast<float>();
    const Question question{channel, logPrior, chain};
    const std::int64_t most =
        chain != nullptr ? sharedBytes / static_cast<std::int64_t>(sizeof(float)) / chain->states()
                         : static_cast<std::int64_t>(replaced.size());
    const auto all = static_cast<double>(text.tokens());
    for (const LineGroup& group :
         lineGroups(text, replaced, firstEqual(channel, replaced.tokens), most)) {
        const std::int64_t begin = text.lineBegin(group.first);
        const std::int64_t end = text.lineEnd(group.end - 1);
        const JobContext part =
            partOf(job, static_cast<double>(begin) / all, static_cast<double>(end) / all);
        const bool isShared = group.distinct <= most;
        Evidence shared;
        if (isShared) {
            const auto first =
                std::lower_bound(replaced.tokens.begin(), replaced.tokens.end(), begin);
            const auto last = std::lower_bound(first, replaced.tokens.end(), end);
            ASSIGN_OR_RETURN(shared, readTogether(question, {first, last}, threads,
                                                  partOf(part, 0.0, kReadingShare)));
            takeGuesses(shared, places, guesses);
        }
        if (chain != nullptr) {
            const JobContext solving = partOf(part, isShared ? kReadingShare : 0.0, 1.0);
            RETURN_IF_ERROR(inParallel(
                static_cast<std::size_t>(group.end - group.first), threads, "Attacking", solving,
                [&](int) {
                    return LineModel(text, question, isShared ? &shared : nullptr, places, guesses);
                },
                [&](LineModel& model, std::size_t i) {
                    model.solve(group.first + static_cast<std::int64_t>(i), solving);
                }));
        }
    }
    return guesses;
}

}  // namespace epsilens::attack
