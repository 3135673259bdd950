#include "core/attack/context_attack.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <tuple>

#include "core/base/parallel.h"
#include "core/corpus/streams.h"
#include "core/engine/aligned_matrix.h"
#include "core/engine/exponential_kernel.h"

namespace epsilens::attack {
namespace {

using Tokens = std::span<const std::size_t>;

// Of the work, for the progress.
constexpr double kReadingShare = 0.8;

/// What the observations of some tokens say: of each the best guess, and, for a chain, how
/// likely it is in each of its states. Equal observations are read once and share their evidence.
class Evidence {
public:
    /// Of the words that share a state, the most probable one.
    struct OtherWord {
        Row row = kUnknownWord;
        double share = 0.0;  ///< its part of pi times the likelihood of all of them
    };

    /// All outlive it. Nothing is read yet.
    ///
    /// chain  null: for guesses alone
    Evidence(const Channel& channel, const VectorF& logPrior, const WordChain* chain)
        : m_channel(channel), m_logPrior(logPrior), m_chain(chain) {}

    /// Reads observations in the place of those before.
    ///
    /// tokens  of the replaced ones those from place `first` on
    Result<void> read(std::span<const std::size_t> tokens, std::size_t first, int threads,
                      const JobContext& job) {
        m_first = first;
        m_kinds.clear();
        std::vector<std::size_t> distinct;  // a token with each different observation
        std::map<std::size_t, std::size_t> known;
        for (const std::size_t token : tokens) {
            const auto [found, isNew] = known.try_emplace(m_channel.kindOf(token), distinct.size());
            if (isNew) {
                distinct.push_back(token);
            }
            m_kinds.push_back(found->second);
        }
        m_guesses.resize(distinct.size());
        if (m_chain != nullptr) {
            m_likelihoods.resize(static_cast<Eigen::Index>(distinct.size()), m_chain->states());
            m_others.assign(distinct.size(), {});
        }
        const std::size_t atOnce = observationsAtOnce(m_logPrior.size());
        return inParallel((distinct.size() + atOnce - 1) / atOnce, threads, "Attacking", job,
                          [](int) { return Scratch{}; },
                          [&](Scratch& scratch, std::size_t block) {
                              const std::size_t begin = block * atOnce;
                              m_channel.read(partFrom(distinct, begin, atOnce), scratch.channel,
                                             [&](std::size_t i, VectorF& scores) {
                                                 scores += m_logPrior;
                                                 if (m_chain != nullptr) {
                                                     readStates(scores, begin + i, scratch);
                                                 } else {
                                                     m_guesses[begin + i] = bestGuess(scores).word;
                                                 }
                                             });
                          });
    }

    // Of a token that was read, by its place among the replaced ones:

    /// The word with the largest pi times likelihood.
    [[nodiscard]] Row guess(std::size_t place) const { return m_guesses[kindOf(place)]; }
    /// Likelihood in each state, up to a factor of the token; of any other word the mean by pi.
    [[nodiscard]] RowMatrixF::ConstRowXpr likelihood(std::size_t place) const {
        return m_likelihoods.row(static_cast<Eigen::Index>(kindOf(place)));
    }
    [[nodiscard]] const OtherWord& otherWord(std::size_t place) const {
        return m_others[kindOf(place)];
    }

private:
    /// Memory to read in: one object per task.
    struct Scratch {
        ChannelScratch channel{};
        VectorF ofLinked{};             ///< scores of the linked words
        engine::AlignedMatrix falls{};  ///< a row: by how much scores are below the best
    };

    [[nodiscard]] std::size_t kindOf(std::size_t place) const { return m_kinds[place - m_first]; }

    // Each score is looked at once: those of the linked words, then the others in their place.
    void readStates(VectorF& scores, std::size_t kind, Scratch& scratch) {
        const WordChain& chain = *m_chain;
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
        m_guesses[kind] = best.word;
        auto likelihood = m_likelihoods.row(static_cast<Eigen::Index>(kind));
        likelihood.head(chain.otherState()) =
            ((scratch.ofLinked.array() - best.score).max(kNegligible) -
             m_logPrior(chain.linked()).array())
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
        m_others[kind] = {ofOthers.word, most / sum};
        likelihood[chain.otherState()] = static_cast<float>(sum / prior);
    }

    const Channel& m_channel;
    const VectorF& m_logPrior;
    const WordChain* m_chain;
    std::size_t m_first = 0;
    std::vector<std::size_t> m_kinds{};  ///< of each token, among the different observations
    std::vector<Row> m_guesses{};        ///< this and what follows: of each different one
    RowMatrixF m_likelihoods{};          ///< observations x states
    std::vector<OtherWord> m_others{};
};

/// Lines whose evidence is read together.
struct LineGroup {
    std::size_t begin = 0;
    std::size_t end = 0;
    bool fits = true;  ///< else a single line, which is read in blocks
};

/// Groups of lines with at most `most` different observations, or of one line with more.
std::vector<LineGroup> groupsOf(const AttackedText& text, const ReplacedTokens& replaced,
                                const Channel& channel, std::size_t most) {
    std::vector<LineGroup> groups;
    std::set<std::size_t> ofGroup;
    std::size_t place = 0;
    for (std::size_t line = 0; line < text.lines(); ++line) {
        std::set<std::size_t> ofLine;
        for (; place < replaced.size() && replaced.tokens[place] < text.lineEnd(line); ++place) {
            ofLine.insert(channel.kindOf(replaced.tokens[place]));
        }
        const auto more = static_cast<std::size_t>(std::ranges::count_if(
            ofLine, [&](std::size_t kind) { return !ofGroup.contains(kind); }));
        if (groups.empty() || ofGroup.size() + more > most) {
            groups.push_back({line, line, ofLine.size() <= most});
            ofGroup.clear();
        }
        groups.back().end = line + 1;
        ofGroup.merge(ofLine);
    }
    return groups;
}

// Guesses the tokens of lines by a chain. Forward-backward in blocks: the forward pass keeps what
// enters each block and the backward pass, which starts with the block just done, repeats the
// others from there.
class LineModel {
public:
    /// evidence     of the lines, unless the model reads it block by block
    /// guesses      of all replaced tokens; those of the lines that are solved are set
    LineModel(const AttackedText& text, const ReplacedTokens& replaced, const WordChain& chain,
              Evidence& evidence, bool readsBlocks, TextGuesses& guesses)
        : m_text(text),
          m_replaced(replaced),
          m_chain(chain),
          m_evidence(evidence),
          m_readsBlocks(readsBlocks),
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
            passForward(block, entry, job);
        }
        VectorD later = VectorD::Ones(m_chain.states());
        for (std::size_t block = blocks; block-- > 0 && !job.stopRequested();) {
            if (block + 1 < blocks) {
                entry = m_entries[block];
                passForward(block, entry, job);
            }
            passBackward(block, later);
        }
    }

private:
    [[nodiscard]] Treatment treatment(std::size_t token) const { return m_text.treatments[token]; }
    /// Of a replaced token among these.
    [[nodiscard]] std::size_t placeOf(std::size_t token) const {
        return static_cast<std::size_t>(std::ranges::lower_bound(m_replaced.tokens, token) -
                                        m_replaced.tokens.begin());
    }
    [[nodiscard]] std::span<const std::size_t> tokensOf(std::size_t block) const {
        return partFrom(m_line, block * m_states.size(), m_states.size());
    }

    // Reads the evidence of a block, whose tokens follow each other.
    void read(std::span<const std::size_t> tokens, const JobContext& job) {
        const std::size_t first = placeOf(tokens.front());
        const std::size_t end = placeOf(tokens.back() + 1);
        // Fails only where the attack does.
        std::ignore = m_evidence.read(std::span(m_replaced.tokens).subspan(first, end - first),
                                      first, 1, {job.stop});
        for (std::size_t place = first; place < end && !job.stopRequested(); ++place) {
            m_guesses.alone[place] = m_evidence.guess(place);
        }
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
    void passForward(std::size_t block, VectorD& entry, const JobContext& job) {
        const auto tokens = tokensOf(block);
        if (m_readsBlocks) {
            read(tokens, job);
        }
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
                const std::size_t place = placeOf(tokens[i]);
                m_guesses.inContext[place] = mostProbable(place, m_states[i].cwiseProduct(later));
            }
            if (block > 0 || i > 0) {
                emit(tokens[i], later);
                m_chain.backward(later, m_previous);
                later.swap(m_previous);
            }
        }
    }

    // marginal  of the states, up to a factor
    [[nodiscard]] Row mostProbable(std::size_t place, const VectorD& marginal) const {
        const Evidence::OtherWord& other = m_evidence.otherWord(place);
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
    const ReplacedTokens& m_replaced;
    const WordChain& m_chain;
    Evidence& m_evidence;
    bool m_readsBlocks;
    TextGuesses& m_guesses;
    std::vector<std::size_t> m_line{};  ///< tokens without the dropped ones
    std::vector<VectorD> m_entries{};   ///< one for each block
    std::vector<VectorD> m_states;      ///< of the tokens of a block, given what came so far
    VectorD m_previous{};
};

}  // namespace

ReplacedTokens replacedTokens(const AttackedText& text) {
    ReplacedTokens result;
    for (std::size_t line = 0; line < text.lines(); ++line) {
        for (std::size_t token = text.lineBegin(line); token < text.lineEnd(line); ++token) {
            if (text.treatments[token] == Treatment::replaced) {
                result.tokens.push_back(token);
                result.words.push_back(text.words[token]);
                result.documents.push_back(static_cast<std::int32_t>(line));
            }
        }
    }
    result.draws = corpus::drawsAt(text.draws, result.tokens);
    return result;
}

std::vector<std::size_t> sampleDocuments(std::span<const std::int64_t> replaced,
                                         std::int64_t tokens, std::uint64_t seed) {
    std::vector<std::size_t> chosen;
    std::int64_t sum = 0;
    for (const std::size_t document :
         shuffledIndices(replaced.size(), {seed, corpus::kDocumentSample})) {
        if (sum >= tokens) {
            break;
        }
        chosen.push_back(document);
        sum += replaced[document];
    }
    std::ranges::sort(chosen);
    return chosen;
}

Channel releasedWords(const engine::MetricSpace& space, const DistanceKernel& kernel,
                      std::span<const Row> outputs) {
    const auto read = [&space, &kernel, outputs](Tokens tokens, ChannelScratch& scratch,
                                                 const LikelihoodVisitor& visit) {
        scratch.row.resize(space.wordCount());
        const auto atOnce = static_cast<std::size_t>(engine::MetricRows::wordsAtOnce(space));
        for (std::size_t first = 0; first < tokens.size(); first += atOnce) {
            std::vector<Row> some;
            for (const std::size_t token : partFrom(tokens, first, atOnce)) {
                some.push_back(outputs[token]);
            }
            scratch.rows.load(space, some);
            for (std::size_t i = 0; i < some.size(); ++i) {
                const engine::MetricRow row = scratch.rows.finish(static_cast<std::int64_t>(i), 0);
                kernel.logColumn(row.distances, scratch.row.data());
                visit(first + i, scratch.row);
            }
        }
    };
    return {read,
            [outputs](std::size_t token) { return static_cast<std::size_t>(outputs[token]); }};
}

Channel nothingSeen(Row words) {
    const auto read = [words](Tokens tokens, ChannelScratch& scratch,
                              const LikelihoodVisitor& visit) {
        for (std::size_t i = 0; i < tokens.size(); ++i) {
            scratch.row.setZero(words);
            visit(i, scratch.row);
        }
    };
    return {read, [](std::size_t /*token*/) { return std::size_t{0}; }};
}

std::size_t observationsAtOnce(Eigen::Index words) {
    // Enough rows that a matrix product does not spend its time on packing the vocabulary.
    constexpr Eigen::Index kMostNumbers = Eigen::Index{8} << 20;
    return static_cast<std::size_t>(std::clamp<Eigen::Index>(kMostNumbers / words, 64, 256));
}

Result<TextGuesses> guessText(const AttackedText& text, const Channel& channel,
                              const VectorD& prior, const WordChain* chain, int threads,
                              const JobContext& job, std::size_t sharedBytes) {
    const ReplacedTokens replaced = replacedTokens(text);
    TextGuesses guesses{std::vector<Row>(replaced.size()),
                        std::vector<Row>(chain != nullptr ? replaced.size() : 0)};
    const VectorF logPrior = prior.array().log().cast<float>();
    const std::size_t most =
        chain != nullptr ? sharedBytes / sizeof(float) / static_cast<std::size_t>(chain->states())
                         : replaced.size();
    const double reading = chain != nullptr ? kReadingShare : 1.0;
    Evidence evidence(channel, logPrior, chain);
    std::size_t first = 0;
    for (const LineGroup& group : groupsOf(text, replaced, channel, most)) {
        const std::size_t end = text.lineEnd(group.end - 1);
        const JobContext part = partOf(job, text.lineBegin(group.begin), end, text.tokens());
        const auto last = static_cast<std::size_t>(std::ranges::lower_bound(replaced.tokens, end) -
                                                   replaced.tokens.begin());
        if (group.fits) {
            RETURN_IF_ERROR(evidence.read(std::span(replaced.tokens).subspan(first, last - first),
                                          first, threads, partOf(part, 0.0, reading)));
            for (std::size_t place = first; place < last; ++place) {
                guesses.alone[place] = evidence.guess(place);
            }
        }
        if (chain != nullptr) {
            const JobContext solving = partOf(part, reading, 1.0);
            RETURN_IF_ERROR(inParallel(
                group.end - group.begin, threads, "Attacking", solving,
                [&](int) {
                    return LineModel(text, replaced, *chain, evidence, !group.fits, guesses);
                },
                [&](LineModel& model, std::size_t i) { model.solve(group.begin + i, solving); }));
        }
        first = last;
    }
    return guesses;
}

}  // namespace epsilens::attack
