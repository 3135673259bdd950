#include "ui/curves/limit_items.h"

#include <algorithm>
#include <array>
#include <utility>

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

/// Where a label may lie: at an end of its line, above it or below.
struct Place {
    Qt::AlignmentFlag side = Qt::AlignLeft;
    bool isBelow = false;
    bool inTwoLines = false;
};

/// In the order in which they are liked.
std::array<Place, 8> placesFor(Qt::AlignmentFlag side, bool isBelow) {
    const auto other = side == Qt::AlignLeft ? Qt::AlignRight : Qt::AlignLeft;
    return {{{side, isBelow, false},
             {other, isBelow, false},
             {side, isBelow, true},
             {other, isBelow, true},
             {side, !isBelow, false},
             {other, !isBelow, false},
             {side, !isBelow, true},
             {other, !isBelow, true}}};
}

double areaOf(const QRectF& bounds) {
    return bounds.width() * bounds.height();
}

/// Square pixels of what is taken that lie under a rectangle.
double coveredArea(const QRectF& bounds, const std::vector<QRectF>& taken) {
    double area = 0.0;
    for (const QRectF& other : taken) {
        area += areaOf(bounds.intersected(other));
    }
    return area;
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

void LimitItems::placeLabel(const LimitLine& line, QCPItemText& label, Qt::AlignmentFlag side,
                            const std::vector<QRectF>& taken) {
    const auto put = [&](const Place& place) {
        label.setText(place.inTwoLines ? line.labelInTwoLines() : line.label());
        label.setTextAlignment(place.side | Qt::AlignVCenter);
        label.setPositionAlignment(place.side | (place.isBelow ? Qt::AlignTop : Qt::AlignBottom));
        label.position->setCoords(place.side == Qt::AlignRight ? 1.0 - kFromEdge : kFromEdge,
                                  place.isBelow ? kFromLine : -kFromLine);
    };
    const QRectF axes = m_plot.axisRect()->rect();
    const auto places = placesFor(side, line.value > m_plot.yAxis->range().center());
    std::array<double, places.size()> costs{};
    std::transform(places.begin(), places.end(), costs.begin(), [&](const Place& place) {
        put(place);
        const QRectF bounds = boundsOf(label);
        return coveredArea(bounds, taken) + areaOf(bounds) - coveredArea(bounds, {axes});
    });
    const auto best = std::min_element(costs.begin(), costs.end()) - costs.begin();
    put(places.at(static_cast<std::size_t>(best)));
}

void LimitItems::draw(const Theme& theme, std::vector<QRectF> taken) {
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
            taken.push_back(boundsOfLine(*items.line));
        }
    }
    placeLabels(std::move(taken));
}

void LimitItems::placeLabels(std::vector<QRectF> taken) {
    for (std::size_t i = 0; i < m_lines.size(); ++i) {
        QCPItemText& label = *m_items[i].label;
        if (label.visible()) {
            // To the left N_w lies below its limits and S_w above.
            placeLabel(m_lines[i], label, i % 2 == 0 ? Qt::AlignLeft : Qt::AlignRight, taken);
            taken.push_back(boundsOf(label));
        }
    }
}

QRectF LimitItems::boundsOfLine(const QCPItemStraightLine& line) const {
    const QRectF axes = m_plot.axisRect()->rect();
    const double y = line.point1->pixelPosition().y();
    return {axes.left(), y - kLineWidth, axes.width(), 2.0 * kLineWidth};
}

}  // namespace epsilens::ui
