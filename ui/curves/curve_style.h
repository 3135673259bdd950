#pragma once

#include <QColor>
#include <QFont>

#include "ui/curves/curve_text.h"

class QCPScatterStyle;

namespace epsilens::ui {

struct Theme;

/// Colour of one of several curves, from the smallest value of their parameter on: blues for N_w,
/// oranges for S_w, each at least 3:1 against the ground. A single curve has the theme's own colour
/// of its statistic.
[[nodiscard]] QColor curveColour(Statistic statistic, const Theme& theme, int index, int count);

}  // namespace epsilens::ui
