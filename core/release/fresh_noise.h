#pragma once

#include "core/base/eigen.h"
#include "core/base/operating_system_stream.h"
#include "core/mechanism/elliptical_noise.h"

/// Noise for text that is to be released: from the operating system's random numbers, never from a
/// seed. Each call goes on where the last one left the stream, so no two rows of any two calls have
/// anything in common.
namespace epsilens::release {

/// Directions uniform on the unit sphere, count x m: standard normal numbers (ziggurat; Marsaglia
/// and Tsang 2000), normalised.
[[nodiscard]] RowMatrixD freshDirections(Eigen::Index count, Eigen::Index dimensions,
                                         OperatingSystemStream& stream);

/// Gamma(shape, scale 1) for a whole shape >= 1: the sum of as many standard exponentials, so that
/// its far tail is there.
[[nodiscard]] double freshGamma(Eigen::Index shape, OperatingSystemStream& stream);

/// Z = Y A^{1/2} X, the noise at epsilon = 1, count x m: X a direction, Y ~ Gamma(m, 1).
///
/// X is drawn in principal axes, in which A^{1/2} is diagonal, and turned back: a rotated uniform
/// direction is a uniform direction.
[[nodiscard]] RowMatrixD freshNoise(const mechanism::EllipticalNoise& noise, Eigen::Index count,
                                    OperatingSystemStream& stream);

}  // namespace epsilens::release
