#pragma once

#include <cmath>

namespace epsilens::metric {

/// Poincaré distance from the parts of its formula, in float64:
///   arcosh(1 + 2q),   q = ||a - b||^2 / ((1 - ||a||^2)(1 - ||b||^2)),
/// as 2 arsinh(sqrt(q)), which keeps small distances.
///
/// squaredDifference  ||a - b||^2
/// gapA, gapB         1 - ||a||^2 and 1 - ||b||^2, > 0
[[nodiscard]] inline double poincareDistance(double squaredDifference, double gapA, double gapB) {
    return 2.0 * std::asinh(std::sqrt(squaredDifference / (gapA * gapB)));
}

}  // namespace epsilens::metric
