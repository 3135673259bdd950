#pragma once

#include "ui/dial/dial_layout.h"
#include "ui/dial/dial_picture.h"
#include "ui/widgets/theme.h"

class QPainter;

namespace epsilens::ui {

/// Draws a dial without its cursor.
///
/// axis  the part of epsilon that is shown
void drawDial(QPainter& painter, const DialPicture& picture, const ValueScale& axis,
              const DialLayout& layout, const Theme& theme);

/// The numbers of a logarithmic axis: 1, 2 and 5 times powers of ten above its origin.
[[nodiscard]] std::vector<double> axisNumbers(const ValueScale& axis);
/// How one of them is written; empty where the axis is so long that only powers of ten are named.
[[nodiscard]] QString axisText(const ValueScale& axis, double number);

}  // namespace epsilens::ui
