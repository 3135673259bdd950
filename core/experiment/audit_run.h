#pragma once

#include "core/base/error.h"
#include "core/base/job_context.h"
#include "core/experiment/evaluation_parts.h"
#include "core/experiment/findings.h"
#include "core/experiment/perturber.h"

namespace epsilens::experiment {

/// Audits a language model of released texts: is it found out whose texts it was trained on? All
/// documents with an author take part, whatever their split. Settings not reached before the job is
/// stopped are left empty.
///
/// Fails with unsupported where too few authors have documents for two users.
[[nodiscard]] Result<AttackResults> runAudit(const EvaluationParts& parts,
                                             const Perturber& perturber, const JobContext& job);

}  // namespace epsilens::experiment
