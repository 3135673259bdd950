#pragma once

#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "core/calibration/calibrate.h"
#include "core/calibration/run_description.h"

namespace epsilens::document {

inline constexpr std::string_view kCalibrationSchema = "epsilens.calibration/1";

/// A calibration as the document "epsilens.calibration/1": keys in a fixed order, numbers in the
/// shortest form that reads back as the same double, null for what does not exist.
[[nodiscard]] std::string calibrationJson(const calibration::RunDescription& run,
                                          const calibration::CalibrationSummary& summary);

/// The same, to be part of another document.
[[nodiscard]] nlohmann::ordered_json calibrationDocument(
    const calibration::RunDescription& run, const calibration::CalibrationSummary& summary);

}  // namespace epsilens::document
