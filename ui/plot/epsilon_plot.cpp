#include "ui/plot/epsilon_plot.h"

#include <cmath>
#include <cstdlib>
#include <utility>

#include <qcustomplot.h>
#include <QKeyEvent>
#include <QMouseEvent>

#include "ui/plot/plot_style.h"
#include "ui/widgets/theme.h"
#include "ui/widgets/value_scale.h"

namespace epsilens::ui {

namespace {

constexpr double kCursorWidth = 1.2;

constexpr int kGrabDistance = 6;  ///< pixels around the cursor line that take it
constexpr int kPageSteps = 10;
constexpr ValueScale kEpsilonScale{ValueScale::Kind::logarithmic, 1e-9, 1e9};

}  // namespace

EpsilonPlot::EpsilonPlot(QWidget* parent)
    : PlotWidget(parent),
      m_line(new QCPItemStraightLine(&plot())),
      m_label(new QCPItemText(&plot())) {
    m_line->setLayer(overlayLayer());
    m_line->setObjectName(QStringLiteral("epsilonLine"));
    m_label->setLayer(overlayLayer());
    m_label->position->setTypeX(QCPItemPosition::ptPlotCoords);
    m_label->position->setTypeY(QCPItemPosition::ptAxisRectRatio);
    m_label->setPadding(QMargins(4, 1, 4, 1));
    QLocale numbers = QLocale::c();
    numbers.setNumberOptions(QLocale::OmitGroupSeparator);
    plot().setLocale(numbers);
    setLogarithmic(true, false);
    plot().xAxis->setTicker(fewDecadesTicker());
    setAxisTitles(epsilonTitle(), {});
    plot().setMouseTracking(true);
    placeLegendAbove(plot());
    connect(this, &PlotWidget::viewChanged, this, &EpsilonPlot::placeCursor);
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
    placeCursor();
}

void EpsilonPlot::placeCursor() {
    constexpr double kRoomAtRight = 0.7;
    constexpr double kLowerEnd = 0.99;
    const QCPRange shown = plot().xAxis->range();
    const double share = std::log(m_epsilon / shown.lower) / std::log(shown.upper / shown.lower);
    m_line->point1->setCoords(m_epsilon, 0.0);
    m_line->point2->setCoords(m_epsilon, 1.0);
    m_label->position->setCoords(m_epsilon, kLowerEnd);
    m_label->setPositionAlignment(Qt::AlignBottom |
                                  (share > kRoomAtRight ? Qt::AlignRight : Qt::AlignLeft));
    m_label->setText(tr("ε %1").arg(brief(m_epsilon)));
    m_line->setVisible(m_isCursorShown);
    m_label->setVisible(m_isCursorShown && share >= 0.0 && share <= 1.0);
}

QPoint EpsilonPlot::cursorPosition() const {
    return {static_cast<int>(std::lround(plot().xAxis->coordToPixel(m_epsilon))),
            plot().axisRect()->center().y()};
}

void EpsilonPlot::applyTheme(const Theme& theme) {
    PlotWidget::applyTheme(theme);
    m_line->setPen(QPen(theme.text, kCursorWidth));
    m_label->setColor(theme.text);
    m_label->setBrush(behindTexts(theme));
    m_label->setPen(QPen(theme.border));
}

bool EpsilonPlot::isOnCursor(const QPoint& position) const {
    return m_isCursorShown && plot().axisRect()->rect().contains(position) &&
           std::abs(position.x() - cursorPosition().x()) <= kGrabDistance;
}

bool EpsilonPlot::eventFilter(QObject* watched, QEvent* event) {
    if (PlotWidget::eventFilter(watched, event)) {
        return true;
    }
    const bool isOfMouse = event->type() == QEvent::MouseButtonPress ||
                           event->type() == QEvent::MouseMove ||
                           event->type() == QEvent::MouseButtonRelease;
    if (watched != &plot() || !isOfMouse) {
        return false;
    }
    const auto& mouse = *static_cast<QMouseEvent*>(event);
    if (event->type() == QEvent::MouseButtonPress) {
        m_dragging = mouse.button() == Qt::LeftButton && isOnCursor(mouse.pos());
        if (m_dragging) {
            Q_EMIT dragStarted();
        }
        return m_dragging;
    }
    if (event->type() == QEvent::MouseButtonRelease) {
        const bool wasDragged = std::exchange(m_dragging, false);
        if (wasDragged) {
            Q_EMIT dragFinished();
        }
        return wasDragged;
    }
    if (m_dragging) {
        // With as many digits as the place of a pixel carries.
        Q_EMIT epsilonMoved(kEpsilonScale.rounded(plot().xAxis->pixelToCoord(mouse.pos().x())));
    } else if (mouse.buttons() == Qt::NoButton) {
        plot().setCursor(isOnCursor(mouse.pos()) ? Qt::SplitHCursor : Qt::ArrowCursor);
        readAt(mouse);
    }
    return m_dragging;
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

}  // namespace epsilens::ui
