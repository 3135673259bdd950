#pragma once

#include <string_view>

#include "core/metric/metric.h"

namespace epsilens::report {

/// What a metric is whose name few readers know: "the usual distance, with …". Empty for others.
[[nodiscard]] std::string_view metricMeaning(metric::Metric metric);

}  // namespace epsilens::report
