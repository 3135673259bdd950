#pragma once

#include <QString>

#include "ui/curves/curve_parameter.h"
#include "ui/state/analysis_state.h"

namespace epsilens::ui {

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
/// sentence that says so where it is not that of the mechanism set.
///
/// reading  of the curve at epsilon
[[nodiscard]] QString readingText(const RunCurves& run, std::size_t curve, const Reading& reading,
                                  double epsilon, PercentileBand band,
                                  const mechanism::Mechanism& set);

/// Whether a curve is that of the mechanism set, and not only the nearest to it.
[[nodiscard]] bool isCurveOf(const RunCurves& run, std::size_t curve,
                             const mechanism::Mechanism& set);

/// One sentence about what a plot shows, for assistive technology.
[[nodiscard]] QString plotDescription(const RunCurves& run, Statistic statistic, double epsilon);

}  // namespace epsilens::ui
