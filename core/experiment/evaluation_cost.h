#pragma once

#include "core/base/error.h"
#include "core/base/job_context.h"
#include "core/experiment/evaluation_parts.h"

namespace epsilens::experiment {

/// What an evaluation takes on this machine, by small runs of the same work: each task without
/// settings on some of the words, the attackers who guess words on some of the items of each stage,
/// and the perturbing on some words of the vocabulary. The whole is their sum by how much larger it
/// is.
///
/// Fails with resourceLimit when more memory is needed than is free, as the tasks do on these data,
/// and with cancelled.
[[nodiscard]] Result<EvaluationCost> estimateCost(const EvaluationParts& parts,
                                                  const JobContext& job);

}  // namespace epsilens::experiment
