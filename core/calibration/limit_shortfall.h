#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/calibration/limits.h"

namespace epsilens::calibration {

/// By how much a limit is missed, as a share of what its statistic can differ by: R, 1, log2 R bits
/// or the number of words; negative when it is met.
///
/// draws  R;  words  of the run
[[nodiscard]] double shareMissed(const LimitCheck& check, int draws, std::int64_t words);

/// The check that is missed by most, as a share of what its statistic can be; nothing when all are
/// met.
[[nodiscard]] std::optional<LimitCheck> mostMissed(const std::vector<LimitCheck>& checks, int draws,
                                                   std::int64_t words);

}  // namespace epsilens::calibration
