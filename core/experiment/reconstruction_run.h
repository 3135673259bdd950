#pragma once

#include "core/base/error.h"
#include "core/base/job_context.h"
#include "core/experiment/evaluation_parts.h"
#include "core/experiment/findings.h"
#include "core/experiment/perturber.h"

namespace epsilens::experiment {

/// Attacks the test documents of the first split, each a line of its own: how often are their
/// words guessed? By guessWords in the views of AttackerView. Settings not reached before the job
/// is stopped are left empty.
///
/// show  called with the results after each setting
/// Fails as these do, but for cancelled.
[[nodiscard]] Result<AttackResults> runReconstruction(const EvaluationParts& parts,
                                                      const Perturber& perturber,
                                                      const JobContext& job,
                                                      const ShowAttack& show = {});

}  // namespace epsilens::experiment
