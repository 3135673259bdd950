#pragma once

#include <cstdint>

#include "core/calibration/options.h"

namespace epsilens::calibration {

/// About how many bytes the results of a run of noise take, and what grows with its draws.
///
/// words  number of words measured
[[nodiscard]] double resultBytes(const CalibrationOptions& options, std::int64_t words);

}  // namespace epsilens::calibration
