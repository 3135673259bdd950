#pragma once

#include <QColor>
#include <QFont>
#include <QSharedPointer>

#include "ui/curves/curve_text.h"

class QCPAxisTicker;
class QCPScatterStyle;

namespace epsilens::ui {

struct Theme;

/// Colour of one of several curves, from the smallest value of their parameter on: blues for N_w,
/// oranges for S_w, each at least 3:1 against the ground. A single curve has the theme's own colour
/// of its statistic.
[[nodiscard]] QColor curveColour(Statistic statistic, const Theme& theme, int index, int count);

/// Marker of a curve at the points of the grid; ten in a row differ in shape
/// or filling.
[[nodiscard]] QCPScatterStyle curveMarker(int index, const QColor& colour, const QColor& surface);
/// Cross at a number of a paper.
[[nodiscard]] QCPScatterStyle publishedMarker(const QColor& colour);

/// Ticks at 1, 2 and 5 of each decade while few decades are shown, at powers of ten otherwise.
[[nodiscard]] QSharedPointer<QCPAxisTicker> fewDecadesTicker();

}  // namespace epsilens::ui
