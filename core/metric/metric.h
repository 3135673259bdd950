#pragma once

#include <string_view>

#include "core/base/error.h"

namespace epsilens::metric {

/// Distance a guarantee is stated in. Values under different metrics must not be mixed.
enum class Metric { euclidean, mahalanobis, angular, poincare };

/// "Euclidean", "regularized Mahalanobis", "angular", "Poincaré".
[[nodiscard]] std::string_view metricName(Metric metric);

/// Names of --metric: "euclidean", "mahalanobis", "angular", "poincare".
[[nodiscard]] std::string_view metricKey(Metric metric);
/// The metric with that key. Fails with invalidArgument; the message lists the keys.
[[nodiscard]] Result<Metric> parseMetric(std::string_view key);

}  // namespace epsilens::metric
