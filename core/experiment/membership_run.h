#pragma once

#include <cstddef>

#include "core/base/error.h"
#include "core/base/job_context.h"
#include "core/experiment/evaluation_parts.h"
#include "core/experiment/findings.h"
#include "core/experiment/perturber.h"

namespace epsilens::experiment {

/// RepeatDesign::testRatio of the figures of this attack.
inline constexpr double kMembershipTestRatio = 1.0;

/// Epsilons that are perturbed together, and that a cancelled run finishes or loses together.
inline constexpr std::size_t kMembershipEpsilons = 4;

/// Infers which texts a classifier was trained on. The target learns from released texts of one
/// half of the training documents, the shadow from those of one half of the test documents; every
/// repeat halves both by seed. Settings not reached before the job is stopped are left empty.
///
/// Fails with unsupported where a half would have no documents of two classes.
[[nodiscard]] Result<AttackResults> runMembership(const EvaluationParts& parts,
                                                  const Perturber& perturber,
                                                  const JobContext& job);

}  // namespace epsilens::experiment
