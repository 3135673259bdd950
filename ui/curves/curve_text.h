#pragma once

#include <QString>

#include "core/calibration/run_curves.h"
#include "ui/state/analysis_settings.h"

namespace epsilens::ui {

using calibration::Curve;
using calibration::CurveParameter;
using calibration::CurvePoint;
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

enum class Statistic { nw, sw };

/// In words, where only plain text can be drawn: "kept draws", "different outputs".
[[nodiscard]] QString statisticName(Statistic statistic);
/// N or S with a subscript w, as rich text.
[[nodiscard]] QString statisticSymbol(Statistic statistic);

/// Says which part of a plot is exact and which is sampled, for the line above it.
[[nodiscard]] QString originText(const RunCurves& run, Statistic statistic);

/// Values of all curves at an epsilon, as rich text for a tooltip.
[[nodiscard]] QString tooltipText(const RunCurves& run, Statistic statistic, double epsilon,
                                  PercentileBand band);

/// "At ε 10, λ 0.5: N_w 34.9 (median 33, P5–P95 12–60) · S_w ≈ 56.1 (…)" for a curve, after a
/// sentence that says so where it is not that of the mechanism set, but the nearest to it.
[[nodiscard]] QString readingText(const RunCurves& run, std::size_t curve, double epsilon,
                                  PercentileBand band, const mechanism::Mechanism& set);

/// One sentence about what a plot shows, for assistive technology.
[[nodiscard]] QString plotDescription(const RunCurves& run, Statistic statistic, double epsilon);

}  // namespace epsilens::ui
