#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "core/attack/attacker_view.h"
#include "core/attack/prior.h"
#include "core/base/eigen.h"
#include "core/base/error.h"
#include "core/base/job_context.h"
#include "core/corpus/share.h"
#include "core/engine/metric_rows.h"
#include "core/engine/metric_space.h"

namespace epsilens::attack {

/// What the mechanism and its policies do with a token, as the attacker can see.
enum class Treatment : std::uint8_t {
    replaced,  ///< the mechanism draws a word; the only tokens that are guessed
    kept,      ///< the attacker reads the word itself; an unknown one says nothing
    masked,    ///< a sign stands for it, which says nothing about the word
    dropped    ///< nothing stands for it, so that the attacker does not know it was there
};

/// The secret text: what an attacker tries to find out about, and what a success is measured on.
struct AttackedText {
    std::vector<Row> words{};  ///< of all tokens; kUnknownWord where the vocabulary lacks it
    std::vector<Treatment> treatments{};  ///< one for each token; replaced words are known
    /// End of each line in words, rising, the last its size; a line is a document.
    std::vector<std::size_t> lineEnds{};
    corpus::SharedDraws draws{};  ///< of all tokens

    [[nodiscard]] std::size_t tokens() const { return words.size(); }
    [[nodiscard]] std::size_t lines() const { return lineEnds.size(); }
    [[nodiscard]] std::size_t lineBegin(std::size_t line) const {
        return line == 0 ? 0 : lineEnds[line - 1];
    }
    [[nodiscard]] std::size_t lineEnd(std::size_t line) const { return lineEnds[line]; }
};

/// Tokens that the mechanism replaces, in the order of the text: the tokens of every success rate.
struct ReplacedTokens {
    std::vector<std::size_t> tokens{};      ///< index of each among the tokens of the text
    std::vector<Row> words{};               ///< true word of each
    std::vector<std::int32_t> documents{};  ///< of each: its line
    corpus::SharedDraws draws{};

    [[nodiscard]] std::size_t size() const { return tokens.size(); }
};

[[nodiscard]] ReplacedTokens replacedTokens(const AttackedText& text);

/// Whole documents, taken in an order drawn from the seed until they hold at least `tokens`
/// replaced tokens or there are no more. Returns which ones, rising.
///
/// replaced  tokens of each document
[[nodiscard]] std::vector<std::size_t> sampleDocuments(std::span<const std::int64_t> replaced,
                                                       std::int64_t tokens, std::uint64_t seed);

/// Memory that observations are read in: one object for each task.
struct ChannelScratch {
    engine::MetricRows rows{false};
    RowMatrixF points{};
    RowMatrixF products{};
    VectorF row{};
};

/// Called with the index of a token and ln Pr[its observation | word x] of every word x, up to a
/// constant: V entries, which it may change.
using LikelihoodVisitor = std::function<void(std::size_t index, VectorF& row)>;

/// What an attacker sees of a text and what it says: an observation for each token, an output or a
/// noisy vector, and how likely it is for every word. Tasks share it.
struct Channel {
    /// Reads the observations of some tokens, one after the other.
    std::function<void(std::span<const std::size_t> tokens, ChannelScratch& scratch,
                       const LikelihoodVisitor& visit)>
        read{};
    /// Observations of one kind say the same of every word. Noisy vectors are never equal; outputs
    /// often are.
    std::function<std::size_t(std::size_t token)> kindOf = [](std::size_t token) { return token; };
};

/// Outputs of which a kernel tells how likely they are. All outlive the channel.
///
/// space    in the metric of the kernel
/// outputs  one for every token; those of tokens that are not replaced are never read
[[nodiscard]] Channel releasedWords(const engine::MetricSpace& space, const DistanceKernel& kernel,
                                    std::span<const Row> outputs);

/// Outputs that tell nothing about their words. words  V
[[nodiscard]] Channel nothingSeen(Row words);

/// Of the evidence that the threads of an attack share: how likely each observation is in each
/// state.
inline constexpr std::size_t kSharedEvidenceBytes = std::size_t{1} << 28;

/// Observations of a channel that are read at once over a vocabulary of so many words: a block.
[[nodiscard]] std::size_t observationsAtOnce(Eigen::Index words);

/// Guesses for each of replacedTokens(text), in this order.
struct TextGuesses {
    /// From its own observation: the word with the largest prior(w) Pr[observation | w].
    std::vector<Row> alone{};
    /// From the whole line; empty without a chain.
    std::vector<Row> inContext{};
};

/// Guesses every replaced token, from its own observation and from its whole line: the word w with
/// the largest
///   Pr[token t is w | all observations of the line]
/// in a hidden Markov model whose states are the words of the chain and whose emissions are the
/// likelihoods of the channel. Kept words are known states, masked ones say nothing, dropped ones
/// are passed over. Ties go to the lower row.
///
/// chain   of the same prior; null: without lines
/// sharedBytes  of evidence that is held at once; a line with more is read in blocks, twice. It
///              changes likelihoods by no more than rounding.
/// Memory: that, and per thread a block (observationsAtOnce) times V numbers, and the states of the
/// chain for each further block of the longest line. Fails with cancelled.
/// Source: Rabiner 1989, equations 19 to 27 (forward-backward, scaled). Derivation:
/// reconstruction.md
[[nodiscard]] Result<TextGuesses> guessText(const AttackedText& text, const Channel& channel,
                                            const VectorD& prior, const WordChain* chain,
                                            int threads = 0, const JobContext& job = {},
                                            std::size_t sharedBytes = kSharedEvidenceBytes);

}  // namespace epsilens::attack
