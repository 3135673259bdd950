#pragma once

#include "core/base/error.h"
#include "core/base/job_context.h"
#include "core/experiment/evaluation_parts.h"
#include "core/experiment/findings.h"
#include "core/experiment/perturber.h"

namespace epsilens::experiment {

/// Runs a task that attacks, at every setting of the grid. A cancelled run returns what was found
/// before, and nothing for the other settings.
///
/// show  called with what reconstruct has found so far
[[nodiscard]] Result<AttackResults> runAttack(Task task, const EvaluationParts& parts,
                                              const Perturber& perturber, const JobContext& job,
                                              const ShowAttack& show = {});

}  // namespace epsilens::experiment
