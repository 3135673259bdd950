#pragma once

#include <QRectF>

#include "ui/dial/dial_picture.h"
#include "ui/widgets/theme.h"

class QPainter;

namespace epsilens::ui {

/// Draws a dot per word at the epsilon from which on half of its draws keep it, and says so where
/// there is room, by `labels`.
void drawDots(QPainter& painter, QPainter& labels, const DialPicture& picture,
              const ValueScale& axis, const QRectF& room, const Theme& theme);

}  // namespace epsilens::ui
