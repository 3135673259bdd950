#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/experiment/attack/control_channel.h"
#include "core/experiment/attack/exact_reconstruction.h"
#include "core/experiment/attack/learned_attack.h"
#include "core/experiment/attack/reconstruction.h"
#include "core/experiment/attack/word_chain.h"
#include "core/mechanism/form.h"

namespace epsilens::experiment {

/// A text released by a mechanism that adds noise, and draws of the mechanism for an attacker to
/// learn from. All draws are independent of each other and of the text's.
struct SampledRelease {
    const mechanism::Form* form = nullptr;
    SampledSetting setting{};
    DrawnPairs scoring{};        ///< for the lower end, words distributed as the prior
    std::vector<Row> outputs{};  ///< one for each token of the text
    /// In place of a mechanism, whose form is not read then: whoever sees noisy vectors sees this
    /// channel.
    std::optional<ControlChannel> control{};
};

struct SampledReconstruction {
    ReconstructionSummary text{};
    double priorVulnerability =
        0.0;               ///< max pi, which the ends below exceed with what outputs tell
    double kappa = 0.0;    ///< of the learned attacker on the text
    double scale = 0.0;    ///< s
    double caution = 1.0;  ///< infinite: he guesses as without any output
    /// Only the attackers on the text were tried; what follows is missing.
    bool bestAlone = false;
    /// Success under the prior: of the attacker learned for it, and of one who sees noisy vectors.
    /// The best attacker on outputs lies between.
    Share lower{};
    Share upper{};
};

/// Attacks a text of which only draws of the mechanism tell how it was replaced, at each setting:
///   echo, prior               as in reconstructExactly
///   learned                   guesses as LearnedAttacker
///   learned and context       the same from the whole line (guessText)
///   noisy vector              the best guess from the noisy vector
///   noisy vector and context  the same from the whole line (guessText)
/// The noisy vectors have noise of their own with the same law, are bounds rather than attackers,
/// and do not compete for the best.
///
/// space     in the metric of the mechanism
/// chain     for context; null: without it
/// releases  one for each setting
/// Fails with invalidArgument when the text has no replaced token, and with cancelled.
[[nodiscard]] Result<std::vector<SampledReconstruction>> reconstructFromDraws(
    const engine::MetricSpace& space, const AttackedText& text, const VectorD& prior,
    const WordChain* chain, std::span<const SampledRelease> releases,
    const ReconstructionOptions& options, const JobContext& job = {});

}  // namespace epsilens::experiment
