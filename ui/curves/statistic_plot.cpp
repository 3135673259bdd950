#include "ui/curves/statistic_plot.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include <qcustomplot.h>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QToolTip>

#include "ui/common/qt_convert.h"
#include "ui/common/value_scale.h"
#include "ui/curves/grid_text.h"

namespace epsilens::ui {

namespace {

constexpr int kGrabDistance = 6;       ///< pixels around the cursor line that take it
constexpr double kHomeMargin = 1.25;   ///< factor of epsilon beyond the grid
constexpr double kValueMargin = 0.03;  ///< of the draws, above R and below 0
constexpr int kBandAlpha = 46;
constexpr int kPageSteps = 10;
constexpr double kMarkerSize = 7.0;
constexpr double kMedianWidth = 1.4;

constexpr std::array kMarkers{QCPScatterStyle::ssDisc, QCPScatterStyle::ssSquare,
                              QCPScatterStyle::ssTriangle, QCPScatterStyle::ssDiamond,
                              QCPScatterStyle::ssTriangleInverted};

/// Ticks at 1, 2 and 5 of each decade while few decades are shown, at powers of ten otherwise.
class FewDecadesTicker final : public QCPAxisTickerLog {
protected:
    QVector<double> createTickVector(double step, const QCPRange& range) override {
        constexpr double kFewDecades = 2.6;
        m_few = range.lower > 0.0 && std::log10(range.upper / range.lower) < kFewDecades;
        if (!m_few) {
            return QCPAxisTickerLog::createTickVector(step, range);
        }
        QVector<double> ticks;
        const int last = static_cast<int>(std::floor(std::log10(range.upper)));
        for (int decade = static_cast<int>(std::floor(std::log10(range.lower))); decade <= last;
             ++decade) {
            for (const double factor : {1.0, 2.0, 5.0}) {
                ticks.append(factor * std::pow(10.0, decade));
            }
        }
        return ticks;
    }
    int getSubTickCount(double step) override {
        return m_few ? 0 : QCPAxisTickerLog::getSubTickCount(step);
    }

private:
    bool m_few = true;
};

QColor blend(const QColor& a, const QColor& b, double share) {
    const auto mix = [share](int low, int high) {
        return static_cast<int>(std::lround(low + share * (high - low)));
    };
    return {mix(a.red(), b.red()), mix(a.green(), b.green()), mix(a.blue(), b.blue())};
}

/// Where a family of colours begins (the smallest lambda) and ends; each at least 3:1 against the
/// plot's ground.
std::array<QColor, 2> familyOf(Statistic statistic, bool dark) {
    if (statistic == Statistic::nw) {
        return dark ? std::array{QColor(0xc4, 0xe6, 0xfa), QColor(0x2e, 0x8b, 0xc7)}
                    : std::array{QColor(0x00, 0x33, 0x55), QColor(0x3d, 0x9b, 0xd6)};
    }
    return dark ? std::array{QColor(0xff, 0xdf, 0xa3), QColor(0xdc, 0x7a, 0x2a)}
                : std::array{QColor(0x7a, 0x2e, 0x00), QColor(0xee, 0x73, 0x1c)};
}

QVector<double> epsilonsOf(const std::vector<CurvePoint>& points) {
    QVector<double> values;
    for (const CurvePoint& point : points) {
        values.append(point.epsilon);
    }
    return values;
}

template <typename Value>
QVector<double> valuesOf(const std::vector<CurvePoint>& points, Value value) {
    QVector<double> values;
    for (const CurvePoint& point : points) {
        values.append(value(point.over));
    }
    return values;
}

double meanOf(const statistics::Summary& over) {
    return over.mean;
}

/// Above the axes, in rows, so that it covers no curve however small the plot is.
void placeLegend(QCustomPlot& plot, const QFont& font) {
    constexpr int kEntriesPerRow = 4;
    constexpr double kSmall = 0.85;
    QCPLegend* legend = plot.legend;
    QFont small = font;
    small.setPointSizeF(small.pointSizeF() * kSmall);
    legend->setFont(small);
    legend->setFillOrder(QCPLayoutGrid::foColumnsFirst);
    legend->setWrap(kEntriesPerRow);
    legend->setRowSpacing(-2);
    legend->setColumnSpacing(8);
    legend->setIconSize(22, 12);
    legend->setMargins(QMargins(4, 0, 4, 0));
    plot.plotLayout()->insertRow(0);
    plot.plotLayout()->addElement(0, 0, legend);
    plot.plotLayout()->setRowStretchFactor(0, 0.001);
    plot.plotLayout()->setRowSpacing(0);
}

}  // namespace

StatisticPlot::StatisticPlot(Statistic statistic, QWidget* parent)
    : PlotWidget(parent), m_statistic(statistic), m_canvas(&plot()) {
    QLocale numbers = QLocale::c();
    numbers.setNumberOptions(QLocale::OmitGroupSeparator);
    m_canvas->setLocale(numbers);
    StatisticPlot::takeXScale(true);
    offerLinearX();
    m_cursor = new QCPItemStraightLine(m_canvas);
    m_cursor->setLayer(overlayLayer());
    m_cursorLabel = new QCPItemText(m_canvas);
    m_cursorLabel->setLayer(overlayLayer());
    m_cursorLabel->position->setTypeX(QCPItemPosition::ptPlotCoords);
    m_cursorLabel->position->setTypeY(QCPItemPosition::ptAxisRectRatio);
    m_cursorLabel->setPadding(QMargins(4, 1, 4, 1));
    m_canvas->setMouseTracking(true);
    placeLegend(*m_canvas, font());
    setCursor(Qt::ArrowCursor);
    connect(this, &PlotWidget::viewChanged, this, &StatisticPlot::placeCursor);
    setAccessibleName(tr("%1 against epsilon").arg(statisticName(statistic)));
    setAxisTitles(epsilonTitle(), statisticName(statistic));
    refreshTheme();
}

QString StatisticPlot::epsilonTitle() const {
    return isXLogarithmic() ? tr("ε, per unit of distance (log)") : tr("ε, per unit of distance");
}

void StatisticPlot::takeXScale(bool logarithmic) {
    PlotWidget::takeXScale(logarithmic);
    if (logarithmic) {
        m_canvas->xAxis->setTicker(QSharedPointer<QCPAxisTicker>(new FewDecadesTicker));
    }
    setAxisTitles(epsilonTitle(), m_canvas->yAxis->label());
}

const std::vector<Curve>& StatisticPlot::curves() const {
    static const std::vector<Curve> none;
    if (!m_run) {
        return none;
    }
    return m_statistic == Statistic::nw ? m_run->nw : m_run->sw;
}

void StatisticPlot::setRun(CurveRunHandle run) {
    m_run = std::move(run);
    if (m_run) {
        setAxisTitles(
            epsilonTitle(),
            (m_run->summary.exact ? tr("mean expected %1 (R = %2)") : tr("mean %1 (R = %2)"))
                .arg(statisticName(m_statistic), counted(m_run->summary.draws)));
        showHome();
    }
    rebuild();
}

void StatisticPlot::showHome() {
    const auto& markers = curves().front().markers;
    const double draws = m_run->summary.draws;
    setHomeRange({markers.front().epsilon / kHomeMargin, markers.back().epsilon * kHomeMargin},
                 {-kValueMargin * draws, (1.0 + kValueMargin) * draws});
}

void StatisticPlot::setBand(PercentileBand band, int bandOf) {
    if (band == m_band && bandOf == m_bandOf) {
        return;
    }
    m_band = band;
    m_bandOf = bandOf;
    rebuild();
}

void StatisticPlot::setEpsilon(double epsilon) {
    m_epsilon = epsilon;
    placeCursor();
    if (isVisible()) {
        replotOverlay();
    }
    if (m_run) {
        setShownDescription(plotDescription(*m_run, m_statistic, m_epsilon));
    }
}

void StatisticPlot::showEpsilons(Range range) {
    const QCPRange shown = m_canvas->xAxis->range();
    if (shown.lower != range.low || shown.upper != range.high) {
        m_canvas->xAxis->setRange(range.low, range.high);
        replotSoon();
    }
}

PlotWidget::Range StatisticPlot::shownEpsilons() const {
    const QCPRange shown = m_canvas->xAxis->range();
    return {shown.lower, shown.upper};
}

QColor StatisticPlot::colourOf(int index) const {
    const auto ends = familyOf(m_statistic, theme().dark);
    const auto count = static_cast<int>(curves().size());
    return blend(ends[0], ends[1], count > 1 ? static_cast<double>(index) / (count - 1) : 0.5);
}

void StatisticPlot::rebuild() {
    m_canvas->clearPlottables();
    const auto& all = curves();
    const auto hasBand = [this](int index) { return m_bandOf == index || m_bandOf == kBandOfAll; };
    const auto forEach = [&all](const auto& action) {
        for (int i = 0; i < static_cast<int>(all.size()); ++i) {
            action(i, all[static_cast<std::size_t>(i)]);
        }
    };
    // What is added later lies on top.
    forEach([&](int i, const Curve& curve) {
        if (hasBand(i)) {
            addBand(curve, colourOf(i));
        }
    });
    forEach([&](int i, const Curve& curve) {
        if (hasBand(i)) {
            addMedian(curve, colourOf(i));
        }
    });
    forEach([&](int i, const Curve& curve) { addMean(curve, i, m_bandOf == i); });
    fillLegend();
    placeCursor();
    setShownDescription(m_run ? plotDescription(*m_run, m_statistic, m_epsilon)
                              : tr("Empty: no run yet."));
    replotSoon();
}

void StatisticPlot::addBand(const Curve& curve, const QColor& colour) {
    const QVector<double> epsilons = epsilonsOf(curve.line);
    const auto percentile = [](int percent) {
        return [percent](const statistics::Summary& over) { return over.percentile(percent); };
    };
    QCPGraph* low = m_canvas->addGraph();
    low->setData(epsilons, valuesOf(curve.line, percentile(m_band.low)), true);
    low->setPen(Qt::NoPen);
    QCPGraph* high = m_canvas->addGraph();
    high->setData(epsilons, valuesOf(curve.line, percentile(m_band.high)), true);
    high->setPen(Qt::NoPen);
    QColor fill = colour;
    fill.setAlpha(m_bandOf == kBandOfAll ? kBandAlpha / 2 : kBandAlpha);
    high->setBrush(fill);
    high->setChannelFillGraph(low);
}

void StatisticPlot::addMedian(const Curve& curve, const QColor& colour) {
    QCPGraph* median = m_canvas->addGraph();
    median->setData(epsilonsOf(curve.line),
                    valuesOf(curve.line, [](const statistics::Summary& over) { return over.p50; }),
                    true);
    median->setPen(QPen(colour, kMedianWidth, Qt::DashLine));
}

QCPScatterStyle StatisticPlot::markerOf(int index) const {
    const QColor colour = colourOf(index);
    const auto shape = kMarkers[static_cast<std::size_t>(index) % kMarkers.size()];
    return {shape, QPen(colour, 1.4),
            QBrush(shape == QCPScatterStyle::ssDisc ? colour : theme().surface), kMarkerSize};
}

void StatisticPlot::addMean(const Curve& curve, int index, bool emphasised) {
    QCPGraph* line = m_canvas->addGraph();
    line->setData(epsilonsOf(curve.line), valuesOf(curve.line, meanOf), true);
    line->setPen(QPen(colourOf(index), emphasised ? 2.6 : 1.6));
    QCPGraph* points = m_canvas->addGraph();
    points->setData(epsilonsOf(curve.markers), valuesOf(curve.markers, meanOf), true);
    points->setLineStyle(QCPGraph::lsNone);
    points->setScatterStyle(markerOf(index));
}

// Entries belong to empty graphs of their own: they show line and marker together, which no graph
// of the plot has, and their order is not that of the layers.
void StatisticPlot::fillLegend() {
    const auto entry = [this](const QPen& pen, const QString& name) {
        QCPGraph* key = m_canvas->addGraph();
        key->setPen(pen);
        key->setName(name);
        return key;
    };
    m_canvas->legend->clearItems();
    const auto& all = curves();
    for (int i = 0; i < static_cast<int>(all.size()); ++i) {
        QCPGraph* key = entry(QPen(colourOf(i), m_bandOf == i ? 2.6 : 1.6),
                              curveName(m_run->parameter, all[static_cast<std::size_t>(i)].value));
        key->setScatterStyle(markerOf(i));
        key->addToLegend();
    }
    if (m_bandOf != kBandOfNone && !all.empty()) {
        const int shown = m_bandOf == kBandOfAll ? static_cast<int>(all.size()) / 2 : m_bandOf;
        entry(QPen(colourOf(shown), kMedianWidth, Qt::DashLine), tr("median"))->addToLegend();
        QColor fill = colourOf(shown);
        fill.setAlpha(kBandAlpha);
        QCPGraph* band = entry(Qt::NoPen, tr("P%1–P%2").arg(m_band.low).arg(m_band.high));
        band->setBrush(fill);
        band->addToLegend();
    }
    m_canvas->legend->setVisible(!all.empty());
}

void StatisticPlot::placeCursor() {
    m_cursor->point1->setCoords(m_epsilon, 0.0);
    m_cursor->point2->setCoords(m_epsilon, 1.0);
    const QRect area = m_canvas->axisRect()->rect();
    const double share =
        (m_canvas->xAxis->coordToPixel(m_epsilon) - area.left()) / std::max(1, area.width());
    m_cursorLabel->position->setCoords(m_epsilon, 0.99);
    m_cursorLabel->setPositionAlignment(Qt::AlignBottom |
                                        (share > 0.7 ? Qt::AlignRight : Qt::AlignLeft));
    m_cursorLabel->setText(tr("ε %1").arg(brief(m_epsilon)));
    m_cursorLabel->setVisible(share >= 0.0 && share <= 1.0);
}

QPoint StatisticPlot::cursorPosition() const {
    return {static_cast<int>(std::lround(m_canvas->xAxis->coordToPixel(m_epsilon))),
            m_canvas->axisRect()->center().y()};
}

void StatisticPlot::applyTheme(const Theme& theme) {
    PlotWidget::applyTheme(theme);
    if (m_cursor == nullptr) {
        return;
    }
    m_canvas->legend->setBorderPen(Qt::NoPen);
    m_canvas->legend->setBrush(Qt::NoBrush);
    m_cursor->setPen(QPen(theme.text, 1.2));
    QColor behind = theme.surface;
    behind.setAlpha(220);
    m_cursorLabel->setColor(theme.text);
    m_cursorLabel->setBrush(behind);
    m_cursorLabel->setPen(QPen(theme.border));
    rebuild();
}

bool StatisticPlot::isOnCursor(const QPoint& position) const {
    const auto* rect = m_canvas->axisRect();
    return rect->rect().contains(position) &&
           std::abs(position.x() - cursorPosition().x()) <= kGrabDistance;
}

double StatisticPlot::epsilonAt(const QPoint& position) const {
    const double exact = m_canvas->xAxis->pixelToCoord(position.x());
    return ValueScale{ValueScale::Kind::logarithmic, 1e-9, 1e9}.rounded(exact);
}

bool StatisticPlot::pressed(const QMouseEvent& event) {
    m_dragging = event.button() == Qt::LeftButton && isOnCursor(event.pos());
    return m_dragging;
}

bool StatisticPlot::moved(const QMouseEvent& event) {
    if (m_dragging) {
        Q_EMIT epsilonMoved(epsilonAt(event.pos()));
        return true;
    }
    if (event.buttons() == Qt::NoButton) {
        m_canvas->setCursor(isOnCursor(event.pos()) ? Qt::SplitHCursor : Qt::ArrowCursor);
        showReadout(event);
    }
    return false;
}

void StatisticPlot::showReadout(const QMouseEvent& event) {
    if (!m_run || !m_canvas->axisRect()->rect().contains(event.pos())) {
        QToolTip::hideText();
        return;
    }
    QToolTip::showText(
        event.globalPosition().toPoint(),
        tooltipText(*m_run, m_statistic, m_canvas->xAxis->pixelToCoord(event.pos().x()), m_band),
        m_canvas);
}

bool StatisticPlot::eventFilter(QObject* watched, QEvent* event) {
    const bool handled = PlotWidget::eventFilter(watched, event);
    if (handled || watched != m_canvas) {
        return handled;
    }
    switch (event->type()) {
        case QEvent::MouseButtonPress:
            return pressed(*static_cast<QMouseEvent*>(event));
        case QEvent::MouseMove:
            return moved(*static_cast<QMouseEvent*>(event));
        case QEvent::MouseButtonRelease:
            return std::exchange(m_dragging, false);
        default:
            return false;
    }
}

void StatisticPlot::keyPressEvent(QKeyEvent* event) {
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
    const ValueScale scale{ValueScale::Kind::logarithmic, 1e-9, 1e9};
    Q_EMIT epsilonMoved(scale.rounded(scale.stepped(m_epsilon, steps)));
}

QString StatisticPlot::visibleCsv() const {
    if (!m_run) {
        return {};
    }
    const Range shown = shownEpsilons();
    QString csv = QStringLiteral("%3,epsilon,mean,p%1,median,p%2\n")
                      .arg(m_band.low)
                      .arg(m_band.high)
                      .arg(parameterKey(m_run->parameter));
    for (const Curve& curve : curves()) {
        for (const CurvePoint& point : curve.line) {
            if (point.epsilon >= shown.low && point.epsilon <= shown.high) {
                csv +=
                    QStringLiteral("%1,%2,%3,%4,%5,%6\n")
                        .arg(shortest(curve.value), shortest(point.epsilon),
                             shortest(point.over.mean), shortest(point.over.percentile(m_band.low)),
                             shortest(point.over.p50),
                             shortest(point.over.percentile(m_band.high)));
            }
        }
    }
    return csv;
}

}  // namespace epsilens::ui
