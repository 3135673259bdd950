#pragma once

#include <nlohmann/json_fwd.hpp>

#include "core/calibration/calibrate.h"
#include "core/calibration/run_description.h"

/// Pieces that the documents about calibrated settings share.
namespace epsilens::document {

[[nodiscard]] nlohmann::ordered_json jsonSelection(
    const calibration::SelectionDescription& selection);
[[nodiscard]] nlohmann::ordered_json jsonRun(const calibration::RunDescription& run,
                                             const calibration::CalibrationSummary& summary);
[[nodiscard]] nlohmann::ordered_json jsonCell(const calibration::CalibrationSummary& summary,
                                              const calibration::Cell& cell);

}  // namespace epsilens::document
