#pragma once

#include <vector>

#include "core/base/error.h"
#include "core/base/job_context.h"
#include "core/calibration/limits.h"
#include "core/calibration/measurement.h"

namespace epsilens::calibration {

/// Where one measured setting meets limits and where it does not.
struct LimitSpans {
    /// Rising, apart from each other: there at least one limit is missed.
    std::vector<EpsilonSpan> outside{};
    /// The largest epsilon that meets all of them, exact where the measurement is.
    EpsilonFound largest{};
};

/// Looks at kLimitPoints epsilons, evenly in ln(epsilon - origin), and at kPointsBeside on either
/// side up to a factor kLimitsBeside, where people pan to: a span ends halfway between two of them,
/// or at the largest epsilon within the limits where that lies between them.
///
/// limits  at least one
/// shown   its ends exceed the origin
/// Fails as Measurement::findLargest.
[[nodiscard]] Result<LimitSpans> limitSpans(const Measurement& measurement,
                                            const std::vector<Limit>& limits,
                                            const EpsilonSpan& shown, const JobContext& job = {});

inline constexpr int kLimitPoints = 160;
inline constexpr int kPointsBeside = 40;
inline constexpr double kLimitsBeside = 1e4;

}  // namespace epsilens::calibration
