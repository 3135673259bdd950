#pragma once

#include <cmath>

namespace epsilens::metric {

/// Angle between two vectors in radian, in [0, pi], from their unit vectors a and b:
///   2 atan2(||a - b||, ||a + b||),
/// accurate for small angles and for angles near pi, where the arc cosine is not.
/// Source: Kahan 2006, "How futile are mindless assessments of roundoff", section 12
[[nodiscard]] inline double angularDistance(double differenceNorm, double sumNorm) {
    return 2.0 * std::atan2(differenceNorm, sumNorm);
}

}  // namespace epsilens::metric
