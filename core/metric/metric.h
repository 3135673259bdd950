#pragma once

#include <string_view>

namespace epsilens::metric {

/// Distance a guarantee is stated in. Values under different metrics must not be mixed.
enum class Metric { euclidean, mahalanobis, angular, poincare };

/// "Euclidean", "regularized Mahalanobis", "angular", "Poincaré".
[[nodiscard]] std::string_view metricName(Metric metric);

}  // namespace epsilens::metric
