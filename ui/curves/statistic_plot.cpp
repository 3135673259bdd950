#include "ui/curves/statistic_plot.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include <qcustomplot.h>
#include <QMouseEvent>
#include <QToolTip>
#include <QVector>

#include "core/calibration/run_curves.h"
#include "ui/curves/curve_style.h"
#include "ui/plot/plot_legend.h"
#include "ui/plot/plot_style.h"
#include "ui/widgets/qt_convert.h"

namespace epsilens::ui {

namespace {

/// Points of a curve as plots take them.
inline QVector<double> epsilonsOf(const std::vector<calibration::CurvePoint>& points) {
    QVector<double> values;
    for (const calibration::CurvePoint& point : points) {
        values.append(point.epsilon);
    }
    return values;
}

/// value  takes the summary over the words at a point
template <typename Value>
QVector<double> valuesOf(const std::vector<calibration::CurvePoint>& points, Value value) {
    QVector<double> values;
    for (const calibration::CurvePoint& point : points) {
        values.append(value(point.over));
    }
    return values;
}

inline double meanOf(const statistics::Summary& over) {
    return over.mean;
}

constexpr int kRestMs = 100;
constexpr double kHomeMargin = 1.25;   ///< factor of epsilon beyond the grid
constexpr double kValueMargin = 0.03;  ///< of the draws, above R and below 0
constexpr int kBandAlpha = 46;
constexpr double kMedianWidth = 1.4;

bool isWithin(const PlotWidget::Range& range, double value) {
    return value >= range.low && value <= range.high;
}

}  // namespace

StatisticPlot::StatisticPlot(Statistic statistic, QWidget* parent)
    : EpsilonPlot(parent),
      m_statistic(statistic),
      m_canvas(&plot()),
      m_limits(*m_canvas, overlayLayer()),
      m_rest(kRestMs) {
    connect(&m_rest, &QTimer::timeout, this, &StatisticPlot::describe);
    setAccessibleName(tr("%1 against epsilon").arg(statisticName(statistic)));
    setAxisTitles(epsilonTitle(), statisticName(statistic));
    refreshTheme();
}

const std::vector<Curve>& StatisticPlot::curves() const {
    static const std::vector<Curve> none;
    if (!m_run) {
        return none;
    }
    return m_statistic == Statistic::nw ? m_run->nw : m_run->sw;
}

void StatisticPlot::setRun(RunCurvesHandle run) {
    m_run = std::move(run);
    if (m_run) {
        setAxisTitles(epsilonTitle(),
                      (m_statistic == Statistic::nw ? tr("kept, of %1 draws")
                                                    : tr("different outputs of %1 draws"))
                          .arg(counted(m_run->summary().draws)));
        showHome();
    }
    rebuild();
}

void StatisticPlot::showHome() {
    const auto& markers = curves().front().markers;
    const double draws = m_run->summary().draws;
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

void StatisticPlot::setOutdated(bool outdated) {
    if (outdated != m_isOutdated) {
        m_isOutdated = outdated;
        setCursorShown(!outdated);
        rebuild();
    }
}

void StatisticPlot::setEpsilon(double epsilon) {
    EpsilonPlot::setEpsilon(epsilon);
    if (m_run) {
        m_rest.start();
    }
}

void StatisticPlot::describe() {
    if (!m_run) {
        setShownDescription(tr("Empty: nothing measured yet."));
        return;
    }
    QString text = m_isOutdated ? tr("Of earlier settings. ") : QString();
    text += plotDescription(*m_run, m_statistic, epsilon());
    setShownDescription(text + limitsDescription(m_limits.lines()));
}

void StatisticPlot::setLimits(std::vector<LimitLine> lines) {
    if (lines == m_limits.lines()) {
        return;
    }
    m_limits.setLines(std::move(lines));
    drawLimits();
    if (isVisible()) {
        replotOverlay();
    }
    describe();
}

QColor StatisticPlot::colourOf(int index) const {
    return m_isOutdated
               ? theme().pinned
               : curveColour(m_statistic, theme(), index, static_cast<int>(curves().size()));
}

void StatisticPlot::rebuild() {
    m_canvas->clearPlottables();
    const auto hasBand = [this](int index) { return m_bandOf == index || m_bandOf == kBandOfAll; };
    const auto forEach = [&all = curves()](const auto& action) {
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
    drawLimits();
    describe();
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
    return curveMarker(index, colourOf(index), theme().surface);
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
    fitLegend(*m_canvas);
}

void StatisticPlot::drawLimits() {
    m_limits.draw(theme());
}

void StatisticPlot::applyTheme(const Theme& theme) {
    EpsilonPlot::applyTheme(theme);
    rebuild();
}

void StatisticPlot::readAt(const QMouseEvent& event) {
    if (!m_run || !m_canvas->axisRect()->rect().contains(event.pos())) {
        QToolTip::hideText();
        return;
    }
    QToolTip::showText(
        event.globalPosition().toPoint(),
        tooltipText(*m_run, m_statistic, m_canvas->xAxis->pixelToCoord(event.pos().x()), m_band),
        m_canvas);
}

QString StatisticPlot::visibleCsv() const {
    if (!m_run) {
        return {};
    }
    QString csv = QStringLiteral("%3,epsilon,mean,p%1,median,p%2\n")
                      .arg(m_band.low)
                      .arg(m_band.high)
                      .arg(parameterKey(m_run->parameter));
    for (const Curve& curve : curves()) {
        for (const CurvePoint& point : curve.line) {
            const std::array values{point.over.mean, point.over.percentile(m_band.low),
                                    point.over.p50, point.over.percentile(m_band.high)};
            if (!isWithin(shownEpsilons(), point.epsilon) ||
                std::none_of(values.begin(), values.end(),
                             [this](double value) { return isWithin(shownY(), value); })) {
                continue;
            }
            QStringList fields{shortest(curve.value), shortest(point.epsilon)};
            for (const double value : values) {
                fields.append(isWithin(shownY(), value) ? shortest(value) : QString());
            }
            csv += fields.join(QLatin1Char(',')) + QLatin1Char('\n');
        }
    }
    return csv;
}

}  // namespace epsilens::ui
