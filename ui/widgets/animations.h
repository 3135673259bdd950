#pragma once

class QWidget;

namespace epsilens::ui {

/// Whether the analyst wants parts of the window to move and fade; yes until told otherwise.
void allowAnimations(bool allowed);

/// How long a change may take to show, in milliseconds: that of the style; 0 where its animations
/// are off, or the analyst wants none.
[[nodiscard]] int animationDuration(const QWidget& widget);

}  // namespace epsilens::ui
