#pragma once

#include "ui/dial/dial_layout.h"
#include "ui/dial/dial_picture.h"
#include "ui/widgets/theme.h"

class QPainter;

namespace epsilens::ui {

/// Draws a dial without its cursor.
///
/// labels  draws what is written on it, for above the cursor
/// axis    the part of epsilon that is shown
void drawDial(QPainter& painter, QPainter& labels, const DialPicture& picture,
              const ValueScale& axis, const DialLayout& layout, const Theme& theme);

}  // namespace epsilens::ui
