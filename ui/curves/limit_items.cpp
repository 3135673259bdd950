#include "ui/curves/limit_items.h"

#include <qcustomplot.h>

#include "ui/plot/plot_style.h"

namespace epsilens::ui {

namespace {

constexpr double kLineWidth = 1.6;
constexpr double kSmall = 0.85;
constexpr double kFromEdge = 0.01;  ///< of the width of the axes
constexpr double kFromLine = 2.0;   ///< pixels; the line would hide underscores

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
    items.label->setPadding(QMargins(3, 1, 3, 1));
    items.label->position->setTypeX(QCPItemPosition::ptAxisRectRatio);
    items.label->position->setParentAnchorY(items.line->point1);
    items.label->position->setTypeY(QCPItemPosition::ptAbsolute);
    return items;
}

void LimitItems::drawLine(const LimitLine& line, const Items& items, const Theme& theme) {
    items.line->point1->setCoords(1.0, line.value);
    items.line->point2->setCoords(2.0, line.value);
    items.line->setPen(QPen(colourOf(line, theme), kLineWidth, dashOf(line)));
    items.label->setColor(theme.text);
    items.label->setBrush(behindTexts(theme));
    QFont small = m_plot.font();
    small.setPointSizeF(small.pointSizeF() * kSmall);
    items.label->setFont(small);
}

void LimitItems::draw(const Theme& theme) {
    while (m_items.size() < m_lines.size()) {
        m_items.push_back(makeItems());
    }
    for (std::size_t i = 0; i < m_items.size(); ++i) {
        const Items& items = m_items[i];
        const bool isShown = i < m_lines.size() && m_plot.yAxis->range().contains(m_lines[i].value);
        items.line->setVisible(isShown);
        items.label->setVisible(isShown);
        if (isShown) {
            drawLine(m_lines[i], items, theme);
            placeLabel(m_lines[i], *items.label, i % 2 == 0);
        }
    }
}

/// Above the line, or below it in the upper half, by turns at its left and its right end.
void LimitItems::placeLabel(const LimitLine& line, QCPItemText& label, bool isLeft) {
    const bool isBelow = line.value > m_plot.yAxis->range().center();
    label.setText(line.label());
    label.setPositionAlignment((isLeft ? Qt::AlignLeft : Qt::AlignRight) |
                               (isBelow ? Qt::AlignTop : Qt::AlignBottom));
    label.position->setCoords(isLeft ? kFromEdge : 1.0 - kFromEdge,
                              isBelow ? kFromLine : -kFromLine);
}

}  // namespace epsilens::ui
