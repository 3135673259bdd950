#pragma once

#include "core/calibration/calibrate.h"
#include "core/mechanism/grid.h"

namespace epsilens::calibration {

/// What tells the curves of a run apart: lambda, the error probability or the radius of a TEM, or
/// nothing, where a mechanism has one curve.
enum class CurveParameter { none, lambda, beta, gamma };

/// The parameter that a grid runs over; Laplace counts as lambda 0, beside Mahalanobis.
[[nodiscard]] CurveParameter parameterOf(const mechanism::Mechanism& mechanism);
/// A mechanism of a grid, for what all of them have in common.
[[nodiscard]] mechanism::Mechanism familyOf(const mechanism::Grid& grid);
/// Whether two have their values on the same curves, or on curves of the same grid.
[[nodiscard]] bool isSameFamily(const mechanism::Mechanism& a, const mechanism::Mechanism& b);
[[nodiscard]] double parameterValue(const Cell& cell, CurveParameter parameter);
/// Parameters that hold this one alone; none for CurveParameter::none.
[[nodiscard]] mechanism::Parameters parametersOf(CurveParameter parameter, double value);
/// Its value as set; 0 where there is none.
[[nodiscard]] double parameterValue(const mechanism::Mechanism& mechanism,
                                    CurveParameter parameter);

}  // namespace epsilens::calibration
