#pragma once

#include <QString>

#include "core/calibration/curve_parameter.h"
#include "core/calibration/run_curves.h"

namespace epsilens::ui {

using calibration::Curve;
using calibration::CurveParameter;
using calibration::CurvePoint;
using calibration::familyOf;
using calibration::isSameFamily;
using calibration::parameterOf;
using calibration::parameterValue;
using calibration::Reading;
using calibration::RunCurves;
using calibration::RunCurvesHandle;

/// "λ"; empty for none.
[[nodiscard]] QString parameterSymbol(CurveParameter parameter);
/// "lambda", as in files; "curve" for none.
[[nodiscard]] QString parameterKey(CurveParameter parameter);
/// "λ 0.5"; for none "all words".
[[nodiscard]] QString curveName(CurveParameter parameter, double value);

}  // namespace epsilens::ui
