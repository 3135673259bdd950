#pragma once

#include <span>
#include <vector>

#include "core/experiment/attack/exact_channel.h"
#include "core/experiment/attack/reconstruction.h"
#include "core/experiment/attack/word_chain.h"

namespace epsilens::experiment {

struct ExactReconstruction {
    ReconstructionSummary text{};
    // The best that any attacker on words with the law of the prior reaches, without an output and
    // from one. Source: Alvim et al. 2020, The Science of Quantitative Information Flow, chapter 5.
    double priorVulnerability = 0.0;      ///< max pi
    double posteriorVulnerability = 0.0;  ///< sum_u max_w pi(w) C(w, u)
};

struct ReconstructionOptions {
    bool bestAlone = false;  ///< of a sampled channel: as AttackOptions has it
    /// Noisy vectors that the upper end of a channel without a formula is estimated from, >= 2.
    std::int64_t samples = 5000;
    std::uint64_t seed = 1;  ///< of the halves of documents and of noisy vectors
    int threads = 0;
};

/// Attacks a text that an exact channel replaces, at each setting. The attackers know channel,
/// setting and vocabulary:
///   echo    guesses the output
///   prior   guesses the commonest word whatever the output
///   map     guesses argmax_w pi(w) C(w, u)
///   context guesses from the whole line (guessText)
/// The successes of echo, prior and map are exact sums over the channel, context is scored on the
/// outputs.
///
/// prior     pi, V entries, > 0
/// chain     for context; null: without it
/// outputs   one for each token at each setting; empty: no context
/// Fails with invalidArgument when the text has no replaced token, and with cancelled.
[[nodiscard]] Result<std::vector<ExactReconstruction>> reconstructExactly(
    const ExactChannel& channel, const AttackedText& text, const VectorD& prior,
    const WordChain* chain, std::span<const std::vector<Row>> outputs,
    const ReconstructionOptions& options, const JobContext& job = {});

}  // namespace epsilens::experiment
