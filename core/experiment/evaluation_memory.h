#pragma once

#include "core/base/error.h"
#include "core/experiment/evaluation_parts.h"

namespace epsilens::experiment {

/// Fails with resourceLimit when the copies and the models of an evaluation need more memory than
/// is free.
[[nodiscard]] Result<void> checkMemory(const EvaluationParts& parts);

}  // namespace epsilens::experiment
