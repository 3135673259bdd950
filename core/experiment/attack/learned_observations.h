#pragma once

#include <cstddef>
#include <span>

#include "core/base/eigen.h"
#include "core/experiment/attack/learned_counts.h"
#include "core/experiment/attack/released_observations.h"
#include "core/experiment/attack/smoothing_models.h"

namespace epsilens::experiment {

/// How a learned attacker reads outputs; as in LearnedAttacker.
struct LearnedReading {
    double kappa = 0.0;    ///< may be infinite
    double caution = 1.0;  ///< >= 1
};

/// What a learned attacker takes an output to say, ln C'(w, u), C' as in LearnedAttacker; nothing
/// where that makes no word `caution` times as probable as the commonest one: his best guess is
/// then the commonest word.
///
/// models   with h_s at `model`; outlive the result, as do space, counts, logPrior and outputs
/// Derivation: sampled_reconstruction.md
[[nodiscard]] ReleasedObservations learnedObservations(
    const engine::MetricSpace& space, const SmoothingModels& models, std::size_t model,
    const LearnedCounts& counts, const VectorD& logPrior, const LearnedReading& reading,
    std::span<const Row> outputs);

}  // namespace epsilens::experiment
