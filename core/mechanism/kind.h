#pragma once

#include <string_view>

#include "core/base/error.h"
#include "core/metric/metric.h"

namespace epsilens::mechanism {

/// The mechanisms an analyst can choose.
enum class Kind { laplace, mahalanobis, tem, hyperbolic };

/// Names of --mechanism: "laplace", "mahalanobis", "tem", "hyperbolic".
[[nodiscard]] std::string_view kindName(Kind kind);
/// Fails with invalidArgument; the message lists the names.
[[nodiscard]] Result<Kind> parseKind(std::string_view name);

/// The metric in which a mechanism states its guarantee: for tem the one chosen, for the others
/// their own.
[[nodiscard]] metric::Metric metricOf(Kind kind, metric::Metric chosen);

/// Whether a mechanism under a metric has the parameter lambda, the shape of a Mahalanobis
/// distance.
[[nodiscard]] bool hasLambda(Kind kind, metric::Metric metric);

}  // namespace epsilens::mechanism
