#pragma once

class QWidget;

namespace epsilens::ui {

/// Keeps the mouse wheel from changing a combo box or spin box that does not have the focus; the
/// event goes on to whatever scrolls around it.
void guardWheel(QWidget* widget);

}  // namespace epsilens::ui
