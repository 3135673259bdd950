#pragma once

#include <cstddef>

#include "core/base/error.h"
#include "core/base/job_context.h"
#include "core/experiment/evaluation_parts.h"
#include "core/experiment/findings.h"
#include "core/experiment/perturber.h"

namespace epsilens::experiment {

/// Settings that share their distances, and that a cancelled run finishes or loses together.
inline constexpr std::size_t kSettingsAtOnce = 5;

/// Attacks the test documents of the first split, each a line of its own: how often are their
/// words guessed? The settings of a mechanism whose channel is a formula are attacked exactly, the
/// others through draws, with a bracket. Settings not reached before the job is stopped are left
/// empty.
///
/// show  called with the results after each group of settings
/// Fails as reconstructExactly and reconstructFromDraws do, but for cancelled.
[[nodiscard]] Result<AttackResults> runReconstruction(const EvaluationParts& parts,
                                                      const Perturber& perturber,
                                                      const JobContext& job,
                                                      const ShowAttack& show = {});

}  // namespace epsilens::experiment
