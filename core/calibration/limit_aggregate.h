#pragma once

#include <optional>

#include "core/calibration/limits.h"

namespace epsilens::calibration {

/// The member of a summary that an aggregate names.
[[nodiscard]] double statistics::Summary::*memberOf(LimitAggregate aggregate);

/// The share of words below a percentile, 0 of the minimum, 1 of the maximum; none of the mean.
[[nodiscard]] std::optional<double> probabilityOf(LimitAggregate aggregate);

}  // namespace epsilens::calibration
