#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/base/job_context.h"
#include "core/calibration/measurement.h"
#include "core/engine/search_space.h"
#include "core/mechanism/prepared_mechanism.h"

namespace epsilens::calibration {

/// One mechanism of a comparison. Epsilons of different metrics do not compare, shares do: what
/// each mechanism promises, and what else it makes of the words, where all keep the same share of
/// them.
struct ComparedMechanism {
    mechanism::Mechanism mechanism{};
    std::string problem{};         ///< why it cannot run on the embedding; empty if it can
    MeasurementHandle response{};  ///< null where it cannot run, as is the next one
    std::optional<mechanism::PreparedMechanism> prepared{};
};

/// A mechanism at the epsilon at which a given share of the outputs is the word itself.
struct ComparedSetting {
    double epsilon = 0.0;
    OutputShares shares{};
    double differentOutputs = 0.0;     ///< mean S_w, out of R
    mechanism::Guarantee guarantee{};  ///< at the epsilon
    double reach10 = 0.0;              ///< largest distance within which odds change by at most 10
    double reachUseful = 0.0;  ///< the same for kLargestUsefulFactor; infinite under a lower cap
};

/// Every mechanism with its defaults; Mahalanobis at lambda 1 too, and TEM in the Poincaré metric
/// where all vectors lie in the unit ball.
[[nodiscard]] std::vector<mechanism::Mechanism> comparableMechanisms(
    const embedding::EmbeddingHandle& embedding);

/// Measures each mechanism on the same words, in their order. One that the embedding does not admit
/// has a problem instead of a response. Fails as measure() for other reasons.
///
/// how  its mechanism does not matter
[[nodiscard]] Result<std::vector<ComparedMechanism>> compareMechanisms(
    const engine::SearchSpace& space, const std::vector<mechanism::Mechanism>& mechanisms,
    const MeasurementOptions& how, const JobContext& job = {});

/// Nothing where the mechanism cannot run or keeps no such share at any epsilon of
/// Measurement::shown().
///
/// kept  share, in (0, 1)
[[nodiscard]] std::optional<ComparedSetting> settingAt(const ComparedMechanism& compared,
                                                       double kept);

}  // namespace epsilens::calibration
