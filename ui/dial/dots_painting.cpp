#include "ui/dial/dots_painting.h"

#include <algorithm>
#include <array>
#include <vector>

#include <QCoreApplication>
#include <QPainter>

#include "ui/state/output_mark.h"

namespace epsilens::ui {

namespace {

constexpr double kDotRadius = 2.2;
constexpr double kLabelGap = 8.0;

}  // namespace

void drawDots(QPainter& painter, QPainter& labels, const DialPicture& picture,
              const ValueScale& axis, const QRectF& room, const Theme& theme) {
    if (room.isEmpty()) {
        return;
    }
    const QString text =
        QCoreApplication::translate("Dial", "one dot per word, where half of its draws keep it");
    // Words of the same place stand above each other, so that many read as a pile.
    constexpr int kPlaces = 4;
    const double step = room.height() / kPlaces;
    std::array<double, kPlaces> used{};
    std::vector<double> sorted = picture.halfKept;
    std::sort(sorted.begin(), sorted.end());
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    QColor ink = lineColour(OutputMark::kept, theme);
    ink.setAlphaF(picture.isOutdated ? 0.3F : 0.75F);
    painter.setBrush(ink);
    double first = room.right();
    for (const double epsilon : sorted) {
        if (epsilon < axis.low || epsilon > axis.high) {
            continue;
        }
        const double x = room.left() + axis.position(epsilon) * room.width();
        first = std::min(first, x);
        const auto free = std::min_element(used.begin(), used.end());
        const auto place = static_cast<double>(free - used.begin());
        *free = x + 2.0 * kDotRadius;
        painter.drawEllipse(QPointF(x, room.bottom() - (place + 0.5) * step), kDotRadius,
                            kDotRadius);
    }
    painter.setRenderHint(QPainter::Antialiasing, false);
    if (!picture.halfKept.empty() &&
        room.left() + painter.fontMetrics().horizontalAdvance(text) + kLabelGap < first) {
        QRectF written = labels.boundingRect(room, Qt::AlignLeft | Qt::AlignVCenter, text);
        written.setBottom(room.bottom());
        labels.fillRect(written, theme.window);
        labels.setPen(theme.mutedText);
        labels.drawText(room, Qt::AlignLeft | Qt::AlignVCenter, text);
    }
}

}  // namespace epsilens::ui
