#pragma once

#include <string>

#include "core/calibration/calibrate.h"
#include "core/report/run_description.h"

namespace epsilens::report {

/// A calibration as the document "epsilens.calibration/1": keys in a fixed order, numbers in the
/// shortest form that reads back as the same double, null for what does not exist.
[[nodiscard]] std::string calibrationJson(const RunDescription& run,
                                          const calibration::CalibrationSummary& summary);

}  // namespace epsilens::report
