#pragma once

#include <span>
#include <vector>

#include "core/base/error.h"
#include "core/base/job_context.h"
#include "core/calibration/limits.h"
#include "core/calibration/word_steps.h"

namespace epsilens::calibration {

/// Between the least and the largest change of the steps nothing is missed: half the one, twice the
/// other, both counted from the origin.
///
/// origin  what epsilon exceeds
[[nodiscard]] EpsilonSpan spanOfSteps(std::span<const WordSteps> steps, double origin);

/// The largest epsilon of a span at which all limits are met, exactly: every step is looked at,
/// from the largest epsilon down. The epsilon found has as few digits as the step allows, rounded
/// down; `above` lies 1e-9 beyond the step.
///
/// steps   of at least one word
/// limits  at least one, none on K_w
/// Fails with cancelled, and with unsupported for a limit on K_w.
[[nodiscard]] Result<EpsilonFound> findLargestOnSteps(std::span<const WordSteps> steps,
                                                      const CountLogs& logs,
                                                      const std::vector<Limit>& limits,
                                                      const EpsilonSpan& span,
                                                      const JobContext& job = {});

}  // namespace epsilens::calibration
