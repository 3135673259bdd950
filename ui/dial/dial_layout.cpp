#include "ui/dial/dial_layout.h"

namespace epsilens::ui {

namespace {

constexpr double kSide = 12.0;  ///< room for half the handle beside the ends
constexpr double kGap = 3.0;
constexpr double kDotsInLines = 0.9;

}  // namespace

int DialLayout::lowHeight(const QFontMetrics& metrics) {
    constexpr int kLines = 4;
    constexpr int kTicksAndGaps = 14;
    return kLines * metrics.height() + kTicksAndGaps;
}

int DialLayout::fullHeight(const QFontMetrics& metrics) {
    constexpr int kLines = 9;
    return kLines * metrics.height();
}

DialLayout DialLayout::of(QSize size, const QFontMetrics& metrics) {
    const double line = metrics.height();
    const double left = metrics.horizontalAdvance(QStringLiteral("100")) + kSide;
    const double width = size.width() - left - kSide;
    const bool isFull = size.height() >= fullHeight(metrics);
    DialLayout layout;
    double top = 0.0;
    if (isFull) {
        layout.title = QRectF(left, top, width, line);
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
