#include "ui/live/margin_list.h"

#include <algorithm>
#include <utility>

#include <QPainter>
#include <QStringList>

#include "ui/widgets/layout.h"
#include "ui/widgets/qt_convert.h"
#include "ui/widgets/theme.h"

namespace epsilens::ui::live {

namespace {

constexpr int kMostWordWidth = 110;
constexpr int kGap = 8;
constexpr int kBarHeight = 6;
constexpr int kLegendLines = 3;
constexpr int kPreferredWidth = 260;
constexpr double kBeyond = 1.05;  ///< of the longest bar or mark

}  // namespace

MarginList::MarginList(QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("marginList"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setAccessibleName(tr("What pulls the word away"));
}

void MarginList::setRows(std::vector<MarginRow> rows, double lambda) {
    m_rows = std::move(rows);
    m_lambda = lambda;
    QStringList parts;
    for (const MarginRow& row : m_rows) {
        parts.append(tr("%1: half the distance %2, spread of the noise in its direction %3")
                         .arg(row.word, significant(row.half, 2), significant(row.elliptical, 2)));
    }
    setAccessibleDescription(parts.join(tr("; ")));
    setToolTip(parts.join(QLatin1Char('\n')));
    updateGeometry();
    update();
}

int MarginList::rowHeight() const {
    return std::max(fontMetrics().height() + 2, 2 * kBarHeight + 6);
}

int MarginList::wordWidth() const {
    int width = 0;
    for (const MarginRow& row : m_rows) {
        width = std::max(width, fontMetrics().horizontalAdvance(row.word));
    }
    // What is as wide as its room would be cut by a fraction of a pixel.
    return std::min(width + 1, scaledToText(kMostWordWidth, fontMetrics()));
}

QSize MarginList::sizeHint() const {
    const int rows = static_cast<int>(m_rows.size());
    return {scaledToText(kPreferredWidth, fontMetrics()),
            rows == 0 ? 0 : rows * rowHeight() + kLegendLines * fontMetrics().height()};
}

QSize MarginList::minimumSizeHint() const {
    return {sizeHint().width() / 2, sizeHint().height()};
}

void MarginList::paintEvent(QPaintEvent* /*event*/) {
    if (m_rows.empty()) {
        return;
    }
    const Theme theme = themeOf(this);
    double longest = 0.0;
    for (const MarginRow& row : m_rows) {
        longest = std::max({longest, row.half, row.spherical, row.elliptical});
    }
    QPainter painter(this);
    const int left = wordWidth() + kGap;
    const double perUnit = (width() - left) / (longest * kBeyond);
    int top = 0;
    for (const MarginRow& row : m_rows) {
        painter.setPen(theme.text);
        painter.drawText(QRect(0, top, left - kGap, rowHeight()), Qt::AlignRight | Qt::AlignVCenter,
                         fontMetrics().elidedText(row.word, Qt::ElideRight, left - kGap));
        const int middle = top + rowHeight() / 2;
        const auto bar = [&](double length, int y, const QColor& colour) {
            painter.fillRect(QRectF(left, y, length * perUnit, kBarHeight), colour);
        };
        bar(row.spherical, middle - kBarHeight - 1, theme.pinned);
        bar(row.elliptical, middle + 1, theme.kept);
        painter.setPen(QPen(theme.text, 2.0));
        const double mark = left + row.half * perUnit;
        painter.drawLine(QPointF(mark, top + 2), QPointF(mark, top + rowHeight() - 2));
        top += rowHeight();
    }
    paintLegend(painter, top);
}

void MarginList::paintLegend(QPainter& painter, int top) const {
    const Theme theme = themeOf(this);
    const int line = fontMetrics().height();
    const int left = 2 * kBarHeight + 4;
    const auto text = [&](const QString& name) {
        painter.setPen(theme.mutedText);
        painter.drawText(QPoint(left, top + fontMetrics().ascent()), name);
        top += line;
    };
    const auto bar = [&](const QColor& colour) {
        painter.fillRect(0, top + (line - kBarHeight) / 2, 2 * kBarHeight, kBarHeight, colour);
    };
    bar(theme.pinned);
    text(tr("same in all directions"));
    bar(theme.kept);
    text(tr("λ = %1").arg(shortest(m_lambda)));
    painter.setPen(QPen(theme.text, 2.0));
    painter.drawLine(kBarHeight, top + 2, kBarHeight, top + line - 2);
    text(tr("half the distance"));
}

}  // namespace epsilens::ui::live
