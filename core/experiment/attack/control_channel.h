#pragma once

#include <array>
#include <memory>
#include <span>

#include "core/base/error.h"
#include "core/base/job_context.h"
#include "core/experiment/attack/exact_reconstruction.h"
#include "core/experiment/attack/observations.h"
#include "core/experiment/attack/word_chain.h"

namespace epsilens::experiment {

/// What every attack is compared with, and knows as well as he knows a mechanism.
enum class ControlChannel {
    identity,  ///< nothing was replaced: C(w, u) = 1 for u = w
    uniform    ///< any word stands for each: C(w, u) = 1 / V
};
inline constexpr std::array kControlChannels{ControlChannel::identity, ControlChannel::uniform};

/// What outputs of the channel say about words.
///
/// text   words of all tokens; outlives the result
/// words  V
[[nodiscard]] std::unique_ptr<Observations> observationsOf(ControlChannel channel,
                                                           std::span<const Row> text, Row words);

/// sum_u max_w pi(w) C(w, u): 1, or max pi.
[[nodiscard]] double posteriorVulnerability(ControlChannel channel, const VectorD& prior);

/// Attacks a text by the attackers of reconstructExactly, who know that the channel is one of
/// kControlChannels, in this order; successes are counted on the tokens.
///
/// chain   for context; null: without it
/// random  outputs of the uniform channel, one for each token
/// Fails with invalidArgument when the text has no replaced token, and with cancelled.
[[nodiscard]] Result<std::array<ExactReconstruction, 2>> reconstructControls(
    const AttackedText& text, const VectorD& prior, const WordChain* chain,
    std::span<const Row> random, const ReconstructionOptions& options, const JobContext& job = {});

}  // namespace epsilens::experiment
