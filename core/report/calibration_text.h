#pragma once

#include <string>

#include "core/calibration/run.h"

namespace epsilens::report {

/// A calibration as aligned tables for a terminal, UTF-8: the run, N_w and S_w with their 95%
/// intervals, the guarantee of every setting, entropies. A cancelled run says so first.
[[nodiscard]] std::string calibrationText(const calibration::Run& run);

}  // namespace epsilens::report
