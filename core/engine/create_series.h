#pragma once

#include <vector>

#include "core/base/error.h"
#include "core/engine/noise_series.h"
#include "core/mechanism/elliptical_noise.h"
#include "core/mechanism/hyperbolic_noise.h"
#include "core/mechanism/mechanism.h"

namespace epsilens::engine {

/// Creates a noise mechanism on a space, which must outlive it.
///
/// lambdas  variants of its shape; ignored by a mechanism without lambda
/// Fails as Mechanism::on, and with unsupported for a mechanism that draws no noise.
[[nodiscard]] Result<NoiseSeriesHandle> createSeries(const SearchSpace& space,
                                                     const mechanism::Mechanism& mechanism,
                                                     const std::vector<double>& lambdas);

/// The multivariate Laplace and regularized Mahalanobis mechanisms, one variant per lambda, with
/// Euclidean distances.
[[nodiscard]] NoiseSeriesHandle ellipticalSeries(const SearchSpace& space,
                                                 std::vector<mechanism::EllipticalNoise> noises);
/// The hyperbolic mechanism with one law of the radius, with Poincaré distances. All rows of the
/// space must lie inside the ball.
[[nodiscard]] NoiseSeriesHandle hyperbolicSeries(const SearchSpace& space,
                                                 const mechanism::HyperbolicNoise& noise);

}  // namespace epsilens::engine
