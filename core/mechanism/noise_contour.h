#pragma once

#include <cstdint>

#include "core/base/eigen.h"
#include "core/base/error.h"
#include "core/mechanism/elliptical_noise.h"

namespace epsilens::mechanism {

/// Radius that holds the given share of spherical noise at epsilon = 1, seen in a plane: the
/// quantile of Y B with Y ~ Gamma(m, 1), B^2 ~ Beta(1, (m-2)/2), from
///   E_Y[(1 - rho^2 / Y^2)_+^{(m-2)/2}] = 1 - share;   m = 2: the quantile of Y.
///
/// share       in (0, 1)
/// dimensions  m >= 2
/// Relative error at most 1e-9. Divide by epsilon for other epsilon.
/// Source: math of the projection in elliptical_noise.md.
[[nodiscard]] Result<double> planeRadius(double share, Eigen::Index dimensions);

/// Ellipse that holds a share of the noise in the plane of two principal axes, centred on the word.
struct ContourEllipse {
    double semiAxisX = 0.0;  ///< along the first axis, in units of the embedding
    double semiAxisY = 0.0;
};

[[nodiscard]] Result<ContourEllipse> noiseContour(const EllipticalNoise& noise, double epsilon,
                                                  double share, Eigen::Index axisX,
                                                  Eigen::Index axisY);

/// Noise draws in the plane of two principal axes at epsilon = 1, count x 2; divide by epsilon.
/// The same (seed, draw) gives the same direction and radius quantile for every lambda.
[[nodiscard]] RowMatrixD planeDraws(const EllipticalNoise& noise, std::uint64_t seed,
                                    std::int64_t count, Eigen::Index axisX, Eigen::Index axisY);

}  // namespace epsilens::mechanism
