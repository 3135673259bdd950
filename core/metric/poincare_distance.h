#pragma once

#include <cstdint>

#include "core/base/eigen.h"

namespace epsilens::metric {

/// 1 - ||x||^2 of a stored vector, to full relative precision even near the edge of the ball; zero
/// or negative if the norm is 1 or more.
[[nodiscard]] double ballGap(const float* x, Eigen::Index dimensions);

/// cosh d_H(a, b) - 1 = 2 ||a - b||^2 / ((1 - ||a||^2) (1 - ||b||^2)). This ratio form has no
/// cancellation, unlike u_0 v_0 - sum u_i v_i.
///
/// squaredDistance  ||a - b||^2;  gapA, gapB  1 - ||a||^2 and 1 - ||b||^2, > 0
[[nodiscard]] inline double coshExcess(double squaredDistance, double gapA, double gapB) {
    return 2.0 * squaredDistance / (gapA * gapB);
}

/// The distance d with cosh d - 1 = excess, excess >= 0: ln(1 + x + sqrt(x (2 + x))), also accurate
/// for small distances.
[[nodiscard]] double distanceOfExcess(double excess);

/// Poincaré distance d_H(a, b) = arcosh(1 + 2 ||a - b||^2 / ((1 - ||a||^2) (1 - ||b||^2))) of two
/// stored vectors, in float64. Relative error about m 2^-53.
///
/// a, b  m float32 values each, of norm < 1
[[nodiscard]] double poincareDistance(const float* a, const float* b, Eigen::Index dimensions);

/// Number of rows with norm >= 1, which lie outside the Poincaré ball. Reads no vector but those
/// whose norm is near 1.
///
/// squaredNorms  of the rows, summed in float64
[[nodiscard]] std::int64_t rowsOutsideBall(const RowMatrixF& vectors, const VectorD& squaredNorms);

}  // namespace epsilens::metric
