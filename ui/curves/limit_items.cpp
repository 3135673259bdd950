#include "ui/curves/limit_items.h"

#include <qcustomplot.h>

namespace epsilens::ui {

namespace {

constexpr double kLineWidth = 1.6;
constexpr double kSmall = 0.85;
constexpr double kFromEdge = 0.01;  ///< of the width of the axes
constexpr int kBehindAlpha = 220;

QColor colourOf(const LimitLine& line, const Theme& theme) {
    return !line.met ? theme.mutedText : *line.met ? theme.kept : theme.error;
}

Qt::PenStyle dashOf(const LimitLine& line) {
    return line.met && !*line.met ? Qt::DashDotDotLine : Qt::DashDotLine;
}

}  // namespace

LimitItems::Items LimitItems::makeItems() {
    Items items{new QCPItemStraightLine(&m_plot), new QCPItemText(&m_plot)};
    items.line->setLayer(m_layer);
    items.label->setLayer(m_layer);
    items.label->setPadding(QMargins(3, 0, 3, 0));
    items.label->position->setTypeX(QCPItemPosition::ptAxisRectRatio);
    items.label->position->setTypeY(QCPItemPosition::ptPlotCoords);
    return items;
}

void LimitItems::drawLine(const LimitLine& line, const Items& items, bool atRight,
                          const Theme& theme) {
    items.line->point1->setCoords(1.0, line.value);
    items.line->point2->setCoords(2.0, line.value);
    items.line->setPen(QPen(colourOf(line, theme), kLineWidth, dashOf(line)));
    items.label->setText(line.label());
    items.label->setColor(theme.text);
    QColor behind = theme.surface;
    behind.setAlpha(kBehindAlpha);
    items.label->setBrush(behind);
    QFont small = m_plot.font();
    small.setPointSizeF(small.pointSizeF() * kSmall);
    items.label->setFont(small);
    // Labels hang below lines of the upper half, so that none is cut off.
    const QCPRange shown = m_plot.yAxis->range();
    items.label->setPositionAlignment(
        (line.value > shown.center() ? Qt::AlignTop : Qt::AlignBottom) |
        (atRight ? Qt::AlignRight : Qt::AlignLeft));
    items.label->position->setCoords(atRight ? 1.0 - kFromEdge : kFromEdge, line.value);
    const bool isShown = shown.contains(line.value);
    items.line->setVisible(isShown);
    items.label->setVisible(isShown);
}

void LimitItems::draw(const Theme& theme) {
    while (m_items.size() < m_lines.size()) {
        m_items.push_back(makeItems());
    }
    for (std::size_t i = 0; i < m_items.size(); ++i) {
        if (i < m_lines.size()) {
            // Alternating sides keep labels of limits that lie close together apart.
            drawLine(m_lines[i], m_items[i], i % 2 == 0, theme);
        } else {
            m_items[i].line->setVisible(false);
            m_items[i].label->setVisible(false);
        }
    }
}

}  // namespace epsilens::ui
