#include "ui/dial/dial_layout.h"

#include <algorithm>

#include "ui/widgets/large_text.h"

namespace epsilens::ui {

namespace {

constexpr double kSide = 12.0;  ///< room for half the handle beside the ends
constexpr double kGap = 3.0;
constexpr double kDotsInLines = 0.9;
constexpr int kLeastTitle = 24;  ///< what stands at its end is clicked

}  // namespace

int DialLayout::lowHeight(const QFontMetrics& metrics) {
    // Large text leaves less of the window to what is below.
    constexpr int kLines = 5;
    constexpr int kLargeLines = 4;
    constexpr int kTicksAndGaps = 14;
    return (isLargeText(metrics) ? kLargeLines : kLines) * metrics.height() + kTicksAndGaps;
}

int DialLayout::fullHeight(const QFontMetrics& metrics) {
    constexpr int kLines = 9;
    return (kLines - 1) * metrics.height() + std::max(kLeastTitle, metrics.height());
}

DialLayout DialLayout::of(QSize size, const QFontMetrics& metrics) {
    const double line = metrics.height();
    const double left = metrics.horizontalAdvance(QStringLiteral("100")) + kSide;
    const double width = size.width() - left - kSide;
    const bool isFull = size.height() >= fullHeight(metrics);
    DialLayout layout;
    double top = 0.0;
    if (isFull) {
        layout.title = QRectF(left, top, width, std::max<double>(kLeastTitle, line));
        top = layout.title.bottom() + 1.0;
    }
    layout.ruler = QRectF(left, top, width, line + 4.0);
    double bottom = size.height();
    if (isFull) {
        layout.ends = QRectF(left, bottom - line, width, line);
        bottom = layout.ends.top();
    }
    layout.axis = QRectF(left, bottom - line - 8.0, width, line + 8.0);
    bottom = layout.axis.top();
    if (isFull) {
        const double height = kDotsInLines * line;
        layout.dots = QRectF(left, bottom - height, width, height);
        bottom = layout.dots.top();
    }
    const double plotTop = layout.ruler.bottom() + 2.0 * kGap;
    layout.plot = QRectF(left, plotTop, width, bottom - kGap - plotTop);
    return layout;
}

}  // namespace epsilens::ui
