#pragma once

#include <Eigen/Core>

#include "core/mechanism/guarantee.h"
#include "core/mechanism/parameters.h"

namespace epsilens::mechanism {

/// The guarantee of a mechanism as far as it follows from its parameters: all but the Euclidean
/// factors of a Mahalanobis distance, which depend on the vectors.
///
///   bound  epsilon; epsilon + m for the law eq7
///   cap    epsilon gamma, where there is a gamma and the product is finite
///
/// parameters  those that the mechanism has; beta is without effect
/// metric      of the guarantee
/// epsilon     per unit of the metric, finite, > 0
/// dimensions  m; of the law eq7 only
/// Derivations: elliptical_noise.md, truncated_exponential.md, hyperbolic_noise.md
[[nodiscard]] Guarantee guaranteeOf(const Parameters& parameters, Metric metric, double epsilon,
                                    Eigen::Index dimensions = 0);

}  // namespace epsilens::mechanism
