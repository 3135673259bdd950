#pragma once

#include <QFontMetrics>
#include <QWidget>

#include "ui/widgets/layout.h"

namespace epsilens::ui {

/// Whether text is so large that what otherwise stands side by side gets lines of its own.
[[nodiscard]] inline bool isLargeText(const QFontMetrics& metrics) {
    constexpr int kWhole = 100;
    constexpr int kLarge = 135;
    return scaledToText(kWhole, metrics) >= kLarge;
}

/// Whether a widget stands in a window too low for all that it could show.
[[nodiscard]] inline bool isInLowWindow(const QWidget& widget) {
    constexpr int kLow = 700;
    return widget.window()->height() < scaledToText(kLow, widget.fontMetrics());
}

/// For texts in a splitter that wrap while they are large: it asks for the height of one line, and
/// would cut what stands below by that of the second.
inline void keepRoomForTwoLines(QWidget* text) {
    followFont(text, [text](const QFontMetrics& metrics) {
        text->setMinimumHeight(isLargeText(metrics) ? 2 * metrics.lineSpacing() : 0);
    });
}

}  // namespace epsilens::ui
