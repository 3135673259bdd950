#pragma once

#include "core/base/error.h"
#include "core/base/job_context.h"
#include "core/experiment/evaluation_parts.h"
#include "core/experiment/findings.h"
#include "core/experiment/perturber.h"

namespace epsilens::experiment {

/// Attacks the test documents of the first split, each a line of its own: how often are their
/// words guessed? The settings of a mechanism whose channel is a formula are attacked exactly, the
/// others through draws, with a bracket. Settings not reached before the job is stopped are left
/// empty.
///
/// Fails as reconstructExactly and reconstructFromDraws do, but for cancelled.
[[nodiscard]] Result<AttackResults> runReconstruction(const EvaluationParts& parts,
                                                      const Perturber& perturber,
                                                      const JobContext& job);

/// Multiplications that the attackers of runReconstruction need, about.
[[nodiscard]] double reconstructionWork(const EvaluationParts& parts);

}  // namespace epsilens::experiment
