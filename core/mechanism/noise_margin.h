#pragma once

#include "core/mechanism/elliptical_noise.h"

namespace epsilens::mechanism {

/// How much room a word has on the way to another one: the output is the other word, and no third
/// one, when the noise goes beyond half of their distance in its direction. True in all dimensions,
/// where a plane misleads.
struct NoiseMargin {
    double half = 0.0;        ///< half of the Euclidean distance of the two words
    double spherical = 0.0;   ///< standard deviation of the noise in any direction, at lambda 0
    double elliptical = 0.0;  ///< the same of this noise, in the direction of the other word
};

/// With unit vector e towards the other word, Var(e^T Z) = (m + 1) / epsilon^2 e^T A e, because
/// E Y^2 = m (m + 1) and E x x^T = I / m on the unit sphere.
///
/// from, to  m entries, different
/// epsilon   finite, > 0
[[nodiscard]] NoiseMargin noiseMargin(const EllipticalNoise& noise, const VectorD& from,
                                      const VectorD& to, double epsilon);

}  // namespace epsilens::mechanism
