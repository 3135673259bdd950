#pragma once

#include <vector>

#include "core/calibration/limits.h"

namespace epsilens::ui {

/// Options of a run whose results are held against limits: under one on how often the worst word is
/// kept, the words kept most often are counted again. TEM keeps them exactly as often as it says.
[[nodiscard]] calibration::CalibrationOptions optionsUnder(
    const std::vector<calibration::Limit>& limits, calibration::CalibrationOptions options);

}  // namespace epsilens::ui
