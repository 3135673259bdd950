#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/base/eigen.h"
#include "core/base/error.h"
#include "core/base/job_context.h"
#include "core/engine/metric_space.h"
#include "core/experiment/attack/share.h"
#include "core/experiment/attack/smoothing_models.h"

namespace epsilens::experiment {

/// Outputs that an attacker draws from a mechanism himself, to learn what it does.
struct LearningDraws {
    std::vector<Row> words{};    ///< distinct
    int draws = 0;               ///< R_a >= 1 of each word
    std::vector<Row> outputs{};  ///< words x draws
};

/// Words and an output of each.
struct DrawnPairs {
    std::vector<Row> words{};
    std::vector<Row> outputs{};
    SharedDraws draws{};  ///< of the words
};

/// A mechanism of which only draws are known, at one epsilon, with independent sets of them.
struct SampledSetting {
    double epsilon = 1.0;      ///< > 0, per unit of the metric of the space
    LearningDraws learning{};  ///< the counts
    /// Words as the prior has them; chooses the attacker under it. Empty: none is chosen.
    DrawnPairs selection{};
    DrawnPairs rehearsal{};  ///< words as a text has them; chooses the attacker on texts
    /// On which guesses are wanted; those of the draws for selection and of the rehearsal always
    /// are.
    std::vector<Row> outputs{};
};

/// An attacker who smooths counts with a model of the mechanism,
///   C'(w, u) = (count(w, u) + kappa h_s(w, u)) / (R_a + kappa),
///   h_s(w, u) = e^{-s epsilon d(w, u)} / sum_x e^{-s epsilon d(w, x)},
/// h_s alone for words without draws, and guesses argmax_w prior(w) C'(w, u), or the commonest word
/// where that is not `caution` times as probable.
struct LearnedAttacker {
    double kappa = 0.0;    ///< may be infinite: the model alone
    double scale = 1.0;    ///< s
    double caution = 1.0;  ///< >= 1; infinite: always the commonest word, as without any output
    double selectionSuccess = 0.0;  ///< on the draws that chose him
    std::vector<Row>
        guesses{};  ///< on each of V outputs; the commonest word on those not asked for
};

struct LearnedAttackers {
    /// The most successes on the draws for selection, the first of equal ones; caution 1. Outputs
    /// on which the guess succeeds there less often than the commonest word get that. Only of those
    /// who do better than the commonest word when they are selected on one half and counted on the
    /// other; without any, caution is infinite. Empty without draws for selection.
    LearnedAttacker underPrior{};
    /// The most successes on one half of the rehearsal; kept only if on the other half the 95%
    /// interval of his gain over the commonest word is above 0, else caution is infinite.
    LearnedAttacker onText{};
    /// h_s of `onText`.
    std::optional<SmoothingModels> model{};
};

/// kappa, s and caution that attackers choose from.
[[nodiscard]] std::span<const double> smoothingWeights();
[[nodiscard]] std::span<const double> smoothingScales();
[[nodiscard]] std::span<const double> cautions();

/// What learnAttackers holds at most for each setting and word of the vocabulary.
[[nodiscard]] double bytesOfLearning();

/// Learns the attackers of each setting.
///
/// space  in the metric of the mechanism
/// Fails with cancelled. Derivation: sampled_reconstruction.md
[[nodiscard]] Result<std::vector<LearnedAttackers>> learnAttackers(
    const engine::MetricSpace& space, std::span<const SampledSetting> settings,
    const VectorD& prior, int threads = 0, const JobContext& job = {});

/// How often the attacker guesses right on independent pairs: the lower end of what the best
/// attacker achieves under the law of the pairs' words.
[[nodiscard]] Share learnedSuccess(const LearnedAttacker& attacker, const DrawnPairs& scoring);

}  // namespace epsilens::experiment
