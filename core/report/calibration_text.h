#pragma once

#include <string>

#include "core/calibration/calibrate.h"
#include "core/calibration/run_description.h"

namespace epsilens::report {

/// A calibration as aligned tables for a terminal, UTF-8: the run, N_w and S_w with their 95%
/// intervals, the guarantee of every setting, entropies. A cancelled run says so first.
[[nodiscard]] std::string calibrationText(const calibration::RunDescription& run,
                                          const calibration::CalibrationSummary& summary);

}  // namespace epsilens::report
