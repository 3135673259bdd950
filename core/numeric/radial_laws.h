#pragma once

#include <cstdint>

namespace epsilens::numeric {

/// Quantile of Gamma(shape, scale 1), the radius of elliptical noise at epsilon = 1.
///
/// shape        > 0
/// probability  in (0, 1)
[[nodiscard]] double gammaQuantile(double shape, double probability);

/// Radius in a plane that holds a share of isotropic noise with Gamma(m, 1) radius in R^m:
/// the rho with E_Y[(1 - rho^2 / Y^2)_+^{(m-2)/2}] = 1 - share.
///
/// share       in (0, 1)
/// dimensions  m >= 2; for m = 2 the quantile of Y
/// Relative error at most 1e-9.
[[nodiscard]] double planarRadiusQuantile(double share, std::int64_t dimensions);

}  // namespace epsilens::numeric
