#pragma once

class QWidget;

namespace epsilens::ui {

/// Draws a frame around a widget while it has the keyboard's focus: for plots and tables that show
/// it in no other way.
void showFocusAround(QWidget* widget);

}  // namespace epsilens::ui
