#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "core/base/crew.h"
#include "core/calibration/run_part.h"

namespace epsilens::calibration {

/// The blocks that a process has finished, for another process; see Packer.
[[nodiscard]] std::string packBlocks(const std::map<std::int64_t, BlockOutcome>& finished);
/// Adds blocks that another process has finished.
void unpackBlocks(std::string_view packed, std::map<std::int64_t, BlockOutcome>& finished);

/// calibrate(), whose blocks the processes of a crew share: all of them have its results.
///
/// crew  null: this process alone
[[nodiscard]] Result<CalibrationSummary> calibrateShared(const engine::SearchSpace& space,
                                                         const CalibrationOptions& options,
                                                         Crew* crew, const JobContext& job);

}  // namespace epsilens::calibration
