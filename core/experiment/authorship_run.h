#pragma once

#include "core/base/error.h"
#include "core/base/job_context.h"
#include "core/experiment/evaluation_parts.h"
#include "core/experiment/findings.h"
#include "core/experiment/perturber.h"

namespace epsilens::experiment {

/// Asks for the author of each test document from its released text, by the training documents of
/// the first split: these as they were, and in the adaptive case released in the same way. Settings
/// not reached before the job is stopped are left empty.
///
/// Fails with unsupported where fewer than two authors have training documents, or no test document
/// is by one of them.
[[nodiscard]] Result<AttackResults> runAuthorship(const EvaluationParts& parts,
                                                  const Perturber& perturber,
                                                  const JobContext& job);

}  // namespace epsilens::experiment
