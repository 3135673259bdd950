#include "ui/plot/epsilon_plot.h"

#include <cmath>
#include <cstdlib>
#include <utility>

#include <qcustomplot.h>
#include <QCoreApplication>
#include <QKeyEvent>
#include <QMouseEvent>

#include "ui/plot/plot_legend.h"
#include "ui/plot/plot_style.h"
#include "ui/widgets/theme.h"
#include "ui/widgets/value_scale.h"

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

constexpr int kGrabDistance = 6;  ///< pixels around the cursor line that take it
constexpr int kPageSteps = 10;
constexpr ValueScale kEpsilonScale{ValueScale::Kind::logarithmic, 1e-9, 1e9};

}  // namespace

EpsilonPlot::EpsilonPlot(QWidget* parent) : PlotWidget(parent), m_cursor(plot(), overlayLayer()) {
    QLocale numbers = QLocale::c();
    numbers.setNumberOptions(QLocale::OmitGroupSeparator);
    plot().setLocale(numbers);
    setLogarithmic(true, false);
    plot().xAxis->setTicker(fewDecadesTicker());
    setAxisTitles(epsilonTitle(), {});
    plot().setMouseTracking(true);
    placeLegendAbove(plot());
    connect(this, &PlotWidget::viewChanged, this, &EpsilonPlot::placeCursor);
    // Where labels have room is known only now.
    connect(&plot(), &QCustomPlot::afterLayout, this, &EpsilonPlot::placeCursor);
}

QString EpsilonPlot::epsilonTitle() {
    return tr("ε, per unit of distance (log)");
}

void EpsilonPlot::setEpsilon(double epsilon) {
    m_epsilon = epsilon;
    placeCursor();
    if (isVisible()) {
        replotOverlay();
    }
}

void EpsilonPlot::showEpsilons(Range range) {
    const QCPRange shown = plot().xAxis->range();
    if (shown.lower != range.low || shown.upper != range.high) {
        plot().xAxis->setRange(range.low, range.high);
        replotSoon();
    }
}

void EpsilonPlot::setCursorShown(bool shown) {
    m_isCursorShown = shown;
    m_cursor.setShown(shown);
}

void EpsilonPlot::placeCursor() {
    m_cursor.place(m_epsilon);
    takeCursor();
}

void EpsilonPlot::applyTheme(const Theme& theme) {
    PlotWidget::applyTheme(theme);
    plot().legend->setBorderPen(Qt::NoPen);
    plot().legend->setBrush(Qt::NoBrush);
    m_cursor.paint(theme);
}

bool EpsilonPlot::isOnCursor(const QPoint& position) const {
    const auto* rect = m_cursor.plot().axisRect();
    return m_isCursorShown && rect->rect().contains(position) &&
           std::abs(position.x() - cursorPosition().x()) <= kGrabDistance;
}

double EpsilonPlot::epsilonAt(const QPoint& position) const {
    return kEpsilonScale.rounded(m_cursor.plot().xAxis->pixelToCoord(position.x()));
}

bool EpsilonPlot::pressed(const QMouseEvent& event) {
    m_dragging = event.button() == Qt::LeftButton && isOnCursor(event.pos());
    if (m_dragging) {
        Q_EMIT dragStarted();
    }
    return m_dragging;
}

bool EpsilonPlot::released() {
    const bool wasDragged = std::exchange(m_dragging, false);
    if (wasDragged) {
        Q_EMIT dragFinished();
    }
    return wasDragged;
}

bool EpsilonPlot::moved(const QMouseEvent& event) {
    if (m_dragging) {
        Q_EMIT epsilonMoved(epsilonAt(event.pos()));
        return true;
    }
    if (event.buttons() == Qt::NoButton) {
        plot().setCursor(isOnCursor(event.pos()) ? Qt::SplitHCursor : Qt::ArrowCursor);
        readAt(event);
    }
    return false;
}

bool EpsilonPlot::eventFilter(QObject* watched, QEvent* event) {
    const bool handled = PlotWidget::eventFilter(watched, event);
    if (handled || watched != &plot()) {
        return handled;
    }
    switch (event->type()) {
        case QEvent::MouseButtonPress:
            return pressed(*static_cast<QMouseEvent*>(event));
        case QEvent::MouseMove:
            return moved(*static_cast<QMouseEvent*>(event));
        case QEvent::MouseButtonRelease:
            return released();
        default:
            return false;
    }
}

void EpsilonPlot::keyPressEvent(QKeyEvent* event) {
    int steps = 0;
    switch (event->key()) {
        case Qt::Key_Left:
            steps = -1;
            break;
        case Qt::Key_Right:
            steps = 1;
            break;
        case Qt::Key_PageDown:
            steps = -kPageSteps;
            break;
        case Qt::Key_PageUp:
            steps = kPageSteps;
            break;
        default:
            PlotWidget::keyPressEvent(event);
            return;
    }
    Q_EMIT epsilonMoved(kEpsilonScale.rounded(kEpsilonScale.stepped(m_epsilon, steps)));
}

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
