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

/// For texts in a splitter that wrap while they are large: it asks for the height of one line, and
/// would cut what stands below by that of the second.
inline void keepRoomForTwoLines(QWidget* text) {
    followFont(text, [text](const QFontMetrics& metrics) {
        text->setMinimumHeight(isLargeText(metrics) ? 2 * metrics.lineSpacing() : 0);
    });
}

}  // namespace epsilens::ui
