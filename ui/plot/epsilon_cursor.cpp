#include "ui/plot/epsilon_cursor.h"

#include <cmath>

#include <qcustomplot.h>
#include <QCoreApplication>

#include "ui/plot/plot_style.h"
#include "ui/widgets/theme.h"

namespace epsilens::ui {

namespace {

constexpr double kCursorWidth = 1.2;

/// Where a value lies between the ends of an axis; known before the plot was ever laid out.
double shareOfAxis(const QCPAxis& axis, double value) {
    const QCPRange range = axis.range();
    return axis.scaleType() == QCPAxis::stLogarithmic
               ? std::log(value / range.lower) / std::log(range.upper / range.lower)
               : (value - range.lower) / range.size();
}

}  // namespace

EpsilonCursor::EpsilonCursor(QCustomPlot& plot, QCPLayer* layer)
    : m_plot(plot), m_line(new QCPItemStraightLine(&plot)), m_label(new QCPItemText(&plot)) {
    m_line->setLayer(layer);
    m_line->setObjectName(QStringLiteral("epsilonLine"));
    m_label->setLayer(layer);
    m_label->position->setTypeX(QCPItemPosition::ptPlotCoords);
    m_label->position->setTypeY(QCPItemPosition::ptAxisRectRatio);
    m_label->setPadding(QMargins(4, 1, 4, 1));
}

void EpsilonCursor::place(double epsilon) {
    m_epsilon = epsilon;
    m_line->point1->setCoords(epsilon, 0.0);
    m_line->point2->setCoords(epsilon, 1.0);
    const double share = shareOfAxis(*m_plot.xAxis, epsilon);
    constexpr double kRoomAtRight = 0.7;
    constexpr double kLowerEnd = 0.99;
    m_label->position->setCoords(epsilon, kLowerEnd);
    m_label->setPositionAlignment(Qt::AlignBottom |
                                  (share > kRoomAtRight ? Qt::AlignRight : Qt::AlignLeft));
    m_label->setText(QCoreApplication::translate("EpsilonCursor", "ε %1").arg(brief(epsilon)));
    m_line->setVisible(m_isShown);
    m_label->setVisible(m_isShown && share >= 0.0 && share <= 1.0);
}

void EpsilonCursor::setShown(bool shown) {
    m_isShown = shown;
    place(m_epsilon);
}

void EpsilonCursor::paint(const Theme& theme) {
    m_line->setPen(QPen(theme.text, kCursorWidth));
    m_label->setColor(theme.text);
    m_label->setBrush(behindTexts(theme));
    m_label->setPen(QPen(theme.border));
}

QPoint EpsilonCursor::position() const {
    return {static_cast<int>(std::lround(m_plot.xAxis->coordToPixel(m_epsilon))),
            m_plot.axisRect()->center().y()};
}

}  // namespace epsilens::ui
