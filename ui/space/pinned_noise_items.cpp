#include "ui/space/pinned_noise_items.h"

#include <initializer_list>

#include <qcustomplot.h>

namespace epsilens::ui {

namespace {

constexpr std::array kWidths{1.4, 2.2};
constexpr double kCrossSize = 4.5;

QPen dashedPen(const QColor& colour, double width) {
    QPen pen(colour, width);
    pen.setDashPattern({8.0, 3.0, 2.0, 3.0});
    pen.setCapStyle(Qt::FlatCap);
    return pen;
}

}  // namespace

PinnedNoiseItems::PinnedNoiseItems(QCustomPlot& plot) {
    m_draws = plot.addGraph();
    m_draws->setLineStyle(QCPGraph::lsNone);
    m_draws->setVisible(false);
    for (QCPCurve*& curve : m_contours) {
        curve = new QCPCurve(plot.xAxis, plot.yAxis);
        curve->setVisible(false);
    }
}

void PinnedNoiseItems::show(const PlottedPin& pin, const PlanePoint& word, bool isVisible) {
    QVector<double> x;
    QVector<double> y;
    for (const PlanePoint& offset : pin.offsets) {
        x.append(word.x + offset.x);
        y.append(word.y + offset.y);
    }
    m_draws->setData(x, y);
    m_draws->setName(pin.drawsName);
    m_draws->setVisible(isVisible && !pin.offsets.empty());
    for (std::size_t i = 0; i < m_contours.size(); ++i) {
        const bool shown = isVisible && i < pin.contours.size();
        m_contours[i]->setVisible(shown);
        if (!shown) {
            continue;
        }
        x.clear();
        y.clear();
        for (const PlanePoint& point : outline(pin.contours[i], word, kOutlinePoints)) {
            x.append(point.x);
            y.append(point.y);
        }
        m_contours[i]->setData(x, y);
        m_contours[i]->setName(pin.names[i]);
    }
}

void PinnedNoiseItems::applyTheme(const Theme& theme) {
    for (std::size_t i = 0; i < m_contours.size(); ++i) {
        m_contours[i]->setPen(dashedPen(theme.pinned, kWidths[i]));
    }
    m_draws->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssCross, QPen(theme.pinned, 1.0),
                                             Qt::NoBrush, kCrossSize));
}

std::vector<QCPAbstractPlottable*> PinnedNoiseItems::shown() const {
    std::vector<QCPAbstractPlottable*> visible;
    for (QCPAbstractPlottable* item :
         std::initializer_list<QCPAbstractPlottable*>{m_contours[0], m_contours[1], m_draws}) {
        if (item->visible()) {
            visible.push_back(item);
        }
    }
    return visible;
}

}  // namespace epsilens::ui
