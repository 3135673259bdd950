#include "ui/curves/statistic_plot.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include <qcustomplot.h>
#include <QMouseEvent>
#include <QToolTip>

#include "core/calibration/run_curves.h"
#include "ui/plot/plot_style.h"
#include "ui/widgets/qt_convert.h"

namespace epsilens::ui {

namespace {

constexpr int kRestMs = 100;
constexpr double kHomeMargin = 1.25;   ///< factor of epsilon beyond the grid
constexpr double kValueMargin = 0.03;  ///< of the draws, above R and below 0
constexpr int kBandAlpha = 46;
constexpr double kMedianWidth = 1.4;

double meanOf(const calibration::Summary& over) {
    return over.mean;
}

bool isWithin(const PlotWidget::Range& range, double value) {
    return value >= range.low && value <= range.high;
}

/// Where a family of colours begins (the smallest lambda) and ends; each at least 3:1 against the
/// plot's ground.
std::array<QColor, 2> coloursOf(Statistic statistic, bool dark) {
    if (statistic == Statistic::nw) {
        return dark ? std::array{QColor(0xc4, 0xe6, 0xfa), QColor(0x2e, 0x8b, 0xc7)}
                    : std::array{QColor(0x00, 0x33, 0x55), QColor(0x3d, 0x9b, 0xd6)};
    }
    return dark ? std::array{QColor(0xff, 0xdf, 0xa3), QColor(0xdc, 0x7a, 0x2a)}
                : std::array{QColor(0x7a, 0x2e, 0x00), QColor(0xe5, 0x6c, 0x14)};
}

}  // namespace

QColor curveColour(Statistic statistic, const Theme& theme, int index, int count) {
    if (count == 1) {
        return statistic == Statistic::nw ? theme.nw : theme.sw;
    }
    const auto [first, last] = coloursOf(statistic, theme.dark);
    const double share = static_cast<double>(index) / (count - 1);
    const auto mix = [share](int low, int high) {
        return static_cast<int>(std::lround(low + share * (high - low)));
    };
    return {mix(first.red(), last.red()), mix(first.green(), last.green()),
            mix(first.blue(), last.blue())};
}

StatisticPlot::StatisticPlot(Statistic statistic, QWidget* parent)
    : EpsilonPlot(parent), m_statistic(statistic), m_rest(kRestMs) {
    plot().setAutoAddPlottableToLegend(false);
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
        const int draws = m_run->summary().draws;
        setAxisTitles(epsilonTitle(),
                      (m_statistic == Statistic::nw ? tr("kept, of %1 draws")
                                                    : tr("different outputs of %1 draws"))
                          .arg(counted(draws)));
        const auto& markers = curves().front().markers;
        setHomeRange({markers.front().epsilon / kHomeMargin, markers.back().epsilon * kHomeMargin},
                     {-kValueMargin * draws, (1.0 + kValueMargin) * draws});
    }
    rebuild();
}

void StatisticPlot::setBand(PercentileBand band, int bandOf) {
    if (band != m_band || bandOf != m_bandOf) {
        m_band = band;
        m_bandOf = bandOf;
        rebuild();
    }
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
    setShownDescription((m_isOutdated ? tr("Of earlier settings. ") : QString()) +
                        plotDescription(*m_run, m_statistic, epsilon()));
}

QColor StatisticPlot::colourOf(int index) const {
    return m_isOutdated
               ? theme().pinned
               : curveColour(m_statistic, theme(), index, static_cast<int>(curves().size()));
}

double StatisticPlot::widthOf(int index) const {
    return m_bandOf == index ? 2.6 : 1.6;
}

QColor StatisticPlot::fillOf(int index) const {
    QColor fill = colourOf(index);
    fill.setAlpha(kBandAlpha);
    return fill;
}

QCPGraph* StatisticPlot::addGraph(const std::vector<CurvePoint>& points, const Value& value,
                                  const QPen& pen) {
    QVector<double> epsilons;
    QVector<double> values;
    for (const CurvePoint& point : points) {
        epsilons.append(point.epsilon);
        values.append(value(point.over));
    }
    QCPGraph* graph = plot().addGraph();
    graph->setData(epsilons, values, true);
    graph->setPen(pen);
    return graph;
}

void StatisticPlot::rebuild() {
    plot().clearPlottables();
    const int count = static_cast<int>(curves().size());
    const auto hasBand = [this](int index) { return m_bandOf == index || m_bandOf == kBandOfAll; };
    // What is added later lies on top.
    for (int i = 0; i < count; ++i) {
        if (hasBand(i)) {
            addBand(i);
        }
    }
    for (int i = 0; i < count; ++i) {
        if (hasBand(i)) {
            (void)addGraph(
                curves()[static_cast<std::size_t>(i)].line,
                [](const calibration::Summary& over) { return over.p50; },
                QPen(colourOf(i), kMedianWidth, Qt::DashLine));
        }
    }
    for (int i = 0; i < count; ++i) {
        addMean(i);
    }
    fillLegend();
    describe();
    replotSoon();
}

void StatisticPlot::addBand(int index) {
    const auto& line = curves()[static_cast<std::size_t>(index)].line;
    const auto percentile = [&](int percent) {
        return addGraph(
            line, [percent](const calibration::Summary& over) { return over.percentile(percent); },
            Qt::NoPen);
    };
    QCPGraph* low = percentile(m_band.low);
    QCPGraph* high = percentile(m_band.high);
    QColor fill = fillOf(index);
    fill.setAlpha(m_bandOf == kBandOfAll ? kBandAlpha / 2 : kBandAlpha);
    high->setBrush(fill);
    high->setChannelFillGraph(low);
}

void StatisticPlot::addMean(int index) {
    const Curve& curve = curves()[static_cast<std::size_t>(index)];
    const QPen pen(colourOf(index), widthOf(index));
    (void)addGraph(curve.line, meanOf, pen);
    QCPGraph* points = addGraph(curve.markers, meanOf, pen);
    points->setLineStyle(QCPGraph::lsNone);
    points->setScatterStyle(curveMarker(index, colourOf(index), theme().surface));
}

// Entries belong to empty graphs of their own: they show line and marker together, which no graph
// of the plot has, and their order is not that of the layers.
void StatisticPlot::fillLegend() {
    const auto entry = [this](const QPen& pen, const QString& name) {
        QCPGraph* key = addGraph({}, meanOf, pen);
        key->setName(name);
        key->addToLegend();
        return key;
    };
    const int count = static_cast<int>(curves().size());
    for (int i = 0; i < count; ++i) {
        entry(QPen(colourOf(i), widthOf(i)),
              curveName(m_run->parameter, curves()[static_cast<std::size_t>(i)].value))
            ->setScatterStyle(curveMarker(i, colourOf(i), theme().surface));
    }
    if (m_bandOf != kBandOfNone && count > 0) {
        const int shown = m_bandOf == kBandOfAll ? count / 2 : m_bandOf;
        entry(QPen(colourOf(shown), kMedianWidth, Qt::DashLine), tr("median"));
        entry(Qt::NoPen, tr("P%1–P%2").arg(m_band.low).arg(m_band.high))->setBrush(fillOf(shown));
    }
    plot().legend->setVisible(count > 0);
    fitLegend(plot());
}

void StatisticPlot::applyTheme(const Theme& theme) {
    EpsilonPlot::applyTheme(theme);
    rebuild();
}

void StatisticPlot::readAt(const QMouseEvent& event) {
    if (!m_run || !plot().axisRect()->rect().contains(event.pos())) {
        QToolTip::hideText();
        return;
    }
    QToolTip::showText(
        event.globalPosition().toPoint(),
        tooltipText(*m_run, m_statistic, plot().xAxis->pixelToCoord(event.pos().x()), m_band),
        &plot());
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
            QStringList fields{shortest(curve.value), shortest(point.epsilon)};
            bool isShown = false;
            for (const double value : {point.over.mean, point.over.percentile(m_band.low),
                                       point.over.p50, point.over.percentile(m_band.high)}) {
                fields.append(isWithin(shownY(), value) ? shortest(value) : QString());
                isShown = isShown || !fields.back().isEmpty();
            }
            if (isShown && isWithin(shownX(), point.epsilon)) {
                csv += fields.join(QLatin1Char(',')) + QLatin1Char('\n');
            }
        }
    }
    return csv;
}

}  // namespace epsilens::ui
