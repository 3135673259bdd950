#pragma once

#include <nlohmann/json_fwd.hpp>

#include "core/calibration/calibrate.h"
#include "core/report/run_description.h"

/// Pieces that the documents about calibrated settings share.
namespace epsilens::report {

[[nodiscard]] nlohmann::ordered_json jsonSelection(const SelectionDescription& selection);
[[nodiscard]] nlohmann::ordered_json jsonRun(const RunDescription& run,
                                             const calibration::CalibrationSummary& summary);
[[nodiscard]] nlohmann::ordered_json jsonCell(const calibration::CalibrationSummary& summary,
                                              const calibration::Cell& cell);

}  // namespace epsilens::report
