#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/attack/attacked_text.h"
#include "core/attack/bigrams.h"
#include "core/attack/channel.h"
#include "core/base/error.h"
#include "core/base/job_context.h"

namespace epsilens::attack {

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
