#pragma once

#include <cstdint>

#include "core/base/error.h"
#include "core/calibration/options.h"

namespace epsilens::calibration {

/// About how many bytes the results of a run take, and what grows with its draws.
///
/// words  number of words measured
[[nodiscard]] double resultBytes(const CalibrationOptions& options, std::int64_t words);

/// Fails with resourceLimit when that is more memory than is free.
[[nodiscard]] Result<void> checkMemory(const CalibrationOptions& options, std::int64_t words);

}  // namespace epsilens::calibration
