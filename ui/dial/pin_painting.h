#pragma once

#include "ui/dial/dial_picture.h"
#include "ui/widgets/theme.h"

class QPainter;

namespace epsilens::ui {

/// Draws the share that the pinned setting keeps and its epsilon into the plot of a dial, grey and
/// dashed. Returns the share at its epsilon, or at the end of the axis; the middle where it is not
/// measured.
double drawPin(QPainter& painter, const DialPin& pin, const ValueScale& axis, const QRectF& plot,
               const Theme& theme);

}  // namespace epsilens::ui
