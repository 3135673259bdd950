#pragma once

#include <optional>
#include <vector>

#include "core/base/error.h"
#include "core/base/job_context.h"
#include "core/calibration/limits.h"
#include "core/calibration/setting_statistics.h"

namespace epsilens::calibration {

/// Steps in which a search goes down from the first epsilon that may meet all limits, over a factor
/// of 1,000 in epsilon - origin.
inline constexpr int kScanSteps = 40;

/// The largest epsilon that meets all limits, as far as a search can tell.
struct EpsilonFound {
    std::optional<double> epsilon{};  ///< the safe end: every limit was seen met there
    /// The smallest epsilon above it that was seen to miss a limit; nothing where all limits are
    /// met up to the end of what was looked at.
    std::optional<double> above{};
    /// The limit that is missed by most at `above`; without an epsilon, at `closest`.
    std::optional<LimitCheck> binding{};
    /// Without an epsilon: where the limit that is missed by most is missed by least.
    double closest = 0.0;
};

/// Limits that a setting meets up to some epsilon and misses above are bisected; where others exist
/// the search then goes down in kScanSteps even steps of ln(epsilon - origin) to the first epsilon
/// that meets them all, and bisects between it and the step above. The epsilon found is rounded
/// down to 6 digits where it still meets the limits.
///
/// limits  at least one
/// draws   R;  words  of the run
/// bounds  least and largest epsilon allowed; nothing: wherever statistics change
/// Fails as statistics.cells does, and with unsupported for a limit on what a cell does not have.
[[nodiscard]] Result<EpsilonFound> findLargestEpsilon(SettingStatistics& statistics,
                                                      const std::vector<Limit>& limits, int draws,
                                                      std::int64_t words,
                                                      const std::optional<EpsilonInterval>& bounds,
                                                      const JobContext& job = {});

/// By how much a limit is missed, as a share of what its statistic can differ by: R, 1, log2 R bits
/// or the number of words; negative when it is met.
[[nodiscard]] double shareMissed(const LimitCheck& check, int draws, std::int64_t words);

/// The check that is missed by most, as a share of what its statistic can be; nothing when all are
/// met.
[[nodiscard]] std::optional<LimitCheck> mostMissed(const std::vector<LimitCheck>& checks, int draws,
                                                   std::int64_t words);

}  // namespace epsilens::calibration
