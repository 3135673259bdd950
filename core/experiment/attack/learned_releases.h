#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/base/eigen.h"
#include "core/base/error.h"
#include "core/base/job_context.h"
#include "core/engine/metric_space.h"
#include "core/experiment/attack/learned_attack.h"
#include "core/experiment/attack/share.h"

namespace epsilens::experiment {

/// A mechanism of which only draws are known, and what was released K times by it. All draws are
/// independent, and DrawnPairs hold K outputs of each word, one word after the other.
struct ReleasedSetting {
    /// Its outputs are those of the text, K of each token; read where there is a list.
    SampledSetting setting{};
    DrawnPairs scoring{};  ///< words as the prior has them; scores the attackers under it
};

/// A learned attacker on texts, who sees K outputs of each word and guesses
///   argmax_w prior(w) C'(w, u_1) ... C'(w, u_K),
/// or the commonest word where that is not `caution` times as probable; C' as in LearnedAttacker.
/// learnedObservations reads a text as he does.
struct LearnedGuesses {
    double kappa = 0.0;
    double scale = 1.0;
    double caution = 1.0;  ///< infinite: always the commonest word
    Share lower{};         ///< success under the prior, of the attacker chosen for it
    std::optional<SmoothingModels> model{};  ///< h_s, where it is at hand
};

/// One who says of each word whether it is listed: where the odds by C' are at least `odds`.
struct LearnedList {
    double kappa = 0.0;
    double scale = 1.0;
    double odds = 1.0;            ///< 0: always yes; infinite: never
    std::vector<float> called{};  ///< 1 for the tokens of the text that are called listed
    Share lower{};  ///< share of right answers under the prior, of the attacker chosen for it
};

struct LearnedOnReleases {
    LearnedGuesses guesses{};
    std::optional<LearnedList> list{};  ///< nothing without a list
};

struct ReleasesQuestion {
    int releases = 1;               ///< K >= 1
    std::span<const Row> listed{};  ///< words of a list, none twice; may be empty
    int threads = 0;
};

/// Odds from which a learned attacker may say that a word is listed; besides 0 and infinity.
[[nodiscard]] std::span<const double> listOdds();

/// Learns the attackers of each setting. kappa, s and caution of guesses on the text are those with
/// the most successes on one half of the rehearsal, confirmed on the other as in LearnedAttackers;
/// kappa, s and odds for the list have the most right answers on all of it. Those under the prior
/// have the most on the selection. Answers that are always the same are the first choice.
///
/// space  in the metric of the mechanism
/// Fails with cancelled. Derivation: sampled_reconstruction.md
[[nodiscard]] Result<std::vector<LearnedOnReleases>> learnOnReleases(
    const engine::MetricSpace& space, std::span<const ReleasedSetting> settings,
    const VectorD& prior, const ReleasesQuestion& question, const JobContext& job = {});

}  // namespace epsilens::experiment
