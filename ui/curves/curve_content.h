#pragma once

#include <QString>

#include "core/calibration/run_curves.h"
#include "ui/plot/xy_plot.h"
#include "ui/state/analysis_settings.h"

namespace epsilens::ui {

using calibration::Curve;
using calibration::CurveParameter;
using calibration::parameterOf;
using calibration::parameterValue;
using calibration::Reading;
using calibration::RunCurves;
using calibration::RunCurvesHandle;

/// "λ"; empty for none.
[[nodiscard]] QString parameterSymbol(CurveParameter parameter);

enum class Statistic { nw, sw };

/// Says which part of a plot is exact and which is sampled, for the line above it.
[[nodiscard]] QString originText(const RunCurves& run, Statistic statistic);

/// "At ε 10, λ 0.5: N_w 34.9 (median 33, P5–P95 12–60) · S_w ≈ 56.1 (…)" for a curve, after a
/// sentence that says so where it is not that of the mechanism set, but the nearest to it.
[[nodiscard]] QString readingText(const RunCurves& run, std::size_t curve, double epsilon,
                                  PercentileBand band, const mechanism::Mechanism& set);

/// Colour of one of several curves, from the smallest value of their parameter on: blues for N_w,
/// oranges for S_w, each at least 3:1 against the ground. A single curve has the theme's own colour
/// of its statistic.
[[nodiscard]] QColor curveColour(Statistic statistic, const Theme& theme, int index, int count);

/// N_w or S_w against epsilon: the mean at each value of the parameter, with markers at the grid,
/// and of one curve the median and a band of percentiles.
[[nodiscard]] PlotContent curveContent(const RunCurves& run, Statistic statistic,
                                       PercentileBand band, std::size_t bandOf);

}  // namespace epsilens::ui
