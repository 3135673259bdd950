#include "ui/tradeoff/measured_plot.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include <qcustomplot.h>
#include <QMouseEvent>
#include <QToolTip>

#include "ui/plot/plot_style.h"
#include "ui/widgets/qt_convert.h"

namespace epsilens::ui {

namespace {

constexpr double kHomeMargin = 1.25;   ///< factor of epsilon beyond the grid
constexpr double kValueMargin = 0.06;  ///< of the range of values
constexpr int kClickDistance = 10;     ///< pixels around a measured epsilon that take a click
constexpr double kLineWidth = 1.8;
constexpr double kReferenceWidth = 1.2;

constexpr std::array kReferencePens{Qt::DashLine, Qt::DotLine, Qt::DashDotLine};

/// Those that lie on each other are one line: the dots of one in the gaps of another would look
/// solid.
std::vector<ReferenceLine> drawnReferences(const std::vector<ReferenceLine>& references) {
    constexpr double kSame = 0.15;  // of 100
    std::vector<ReferenceLine> drawn;
    for (const ReferenceLine& reference : references) {
        const auto same = std::find_if(drawn.begin(), drawn.end(), [&](const ReferenceLine& other) {
            return std::fabs(other.value - reference.value) < kSame &&
                   other.isLimit == reference.isLimit;
        });
        if (same == drawn.end()) {
            drawn.push_back(reference);
        } else {
            same->name += QStringLiteral(", ") + reference.name;
        }
    }
    return drawn;
}

}  // namespace

MeasuredPlot::MeasuredPlot(const QString& name, QWidget* parent) : EpsilonPlot(parent) {
    setAccessibleName(name);
    refreshTheme();
}

void MeasuredPlot::setCurves(MeasuredCurves curves) {
    m_curves = std::move(curves);
    setAxisTitles(epsilonTitle(), m_curves.title);
    showHome();
    rebuild();
}

void MeasuredPlot::setOutdated(bool outdated) {
    if (outdated != m_isOutdated) {
        m_isOutdated = outdated;
        setCursorShown(!outdated);
        rebuild();
    }
}

void MeasuredPlot::setMarked(std::optional<double> epsilon) {
    if (epsilon != m_marked) {
        m_marked = epsilon;
        rebuild();
    }
}

void MeasuredPlot::showHome() {
    if (m_curves.lines.empty()) {
        return;
    }
    QCPRange epsilons(m_curves.lines.front().points.front().epsilon,
                      m_curves.lines.front().points.back().epsilon);
    QCPRange values(m_curves.references.empty() ? 0.0 : m_curves.references.front().value,
                    m_curves.lines.front().points.front().value);
    values.normalize();
    for (const ReferenceLine& reference : m_curves.references) {
        values.expand(reference.value);
    }
    for (const MeasuredLine& line : m_curves.lines) {
        for (const MeasuredPoint& point : line.points) {
            epsilons.expand(point.epsilon);
            values.expand(point.ci95 ? (*point.ci95)[0] : point.value);
            values.expand(point.ci95 ? (*point.ci95)[1] : point.value);
        }
    }
    const double margin = std::max(1.0, kValueMargin * values.size());
    setHomeRange({epsilons.lower / kHomeMargin, epsilons.upper * kHomeMargin},
                 {values.lower - margin, values.upper + margin});
}

QColor MeasuredPlot::colourOf(int index) const {
    return m_isOutdated ? theme().pinned : theme().series(index);
}

void MeasuredPlot::rebuild() {
    plot().clearPlottables();
    plot().legend->clearItems();
    const std::vector<ReferenceLine> references = drawnReferences(m_curves.references);
    for (std::size_t i = 0; i < references.size(); ++i) {
        addReference(references[i], static_cast<int>(i));
    }
    for (std::size_t i = 0; i < m_curves.lines.size(); ++i) {
        addLine(m_curves.lines[i], static_cast<int>(i));
    }
    markPoints();
    plot().legend->setVisible(!m_curves.lines.empty());
    fitLegend(plot());
    describe();
    replotSoon();
}

void MeasuredPlot::addLine(const MeasuredLine& line, int index) {
    QVector<double> epsilons;
    QVector<double> values;
    QVector<double> below;
    QVector<double> above;
    for (const MeasuredPoint& point : line.points) {
        epsilons.append(point.epsilon);
        values.append(point.value);
        below.append(point.ci95 ? point.value - (*point.ci95)[0] : 0.0);
        above.append(point.ci95 ? (*point.ci95)[1] - point.value : 0.0);
    }
    const QColor colour = colourOf(index);
    QCPGraph* graph = plot().addGraph();
    graph->setName(line.name);
    graph->setData(epsilons, values, true);
    graph->setPen(QPen(colour, kLineWidth));
    graph->setScatterStyle(curveMarker(index, colour, theme().surface));
    graph->addToLegend();
    auto* intervals = new QCPErrorBars(plot().xAxis, plot().yAxis);
    intervals->setDataPlottable(graph);
    intervals->setData(below, above);
    intervals->setPen(QPen(colour, 1.0));
    intervals->removeFromLegend();
}

void MeasuredPlot::markPoints() {
    QCPGraph* rings = plot().addGraph();
    rings->removeFromLegend();
    rings->setLineStyle(QCPGraph::lsNone);
    rings->setScatterStyle(markedPoint(theme().text));
    for (const MeasuredLine& line : m_curves.lines) {
        for (const MeasuredPoint& point : line.points) {
            if (point.epsilon == m_marked && !m_isOutdated) {
                rings->addData(point.epsilon, point.value);
            }
        }
    }
}

void MeasuredPlot::addReference(const ReferenceLine& reference, int index) {
    constexpr double kFarLeft = 1e-9;
    constexpr double kStep = 1.1;
    constexpr int kSteps = 435;  ///< to 1e9
    QCPGraph* line = plot().addGraph();
    line->setName(reference.name);
    // In steps, of which only those in view are drawn: Qt draws a far longer line without dashes.
    QList<double> epsilons;
    for (int step = 0; step <= kSteps; ++step) {
        epsilons.append(kFarLeft * std::pow(kStep, step));
    }
    line->setData(epsilons, QList<double>(epsilons.size(), reference.value), true);
    const QColor colour = reference.isLimit ? theme().error : theme().mutedText;
    const Qt::PenStyle dash =
        reference.isLimit
            ? Qt::SolidLine
            : kReferencePens.at(static_cast<std::size_t>(index) % kReferencePens.size());
    line->setPen(QPen(m_isOutdated ? theme().pinned : colour, kReferenceWidth, dash));
    line->addToLegend();
}

void MeasuredPlot::describe() {
    if (m_curves.lines.empty()) {
        setShownDescription(tr("Empty: not measured."));
        return;
    }
    QStringList parts;
    for (const MeasuredLine& line : m_curves.lines) {
        parts.append(tr("%1: %2 at ε %3, %4 at ε %5")
                         .arg(line.name, valueText(line.points.front()),
                              shortest(line.points.front().epsilon), valueText(line.points.back()),
                              shortest(line.points.back().epsilon)));
    }
    for (const ReferenceLine& reference : m_curves.references) {
        parts.append(tr("%1: %2").arg(reference.name, QString::number(reference.value, 'f', 1)));
    }
    setShownDescription(m_curves.title + QStringLiteral(". ") + parts.join(QStringLiteral("; ")) +
                        QLatin1Char('.'));
}

void MeasuredPlot::applyTheme(const Theme& theme) {
    EpsilonPlot::applyTheme(theme);
    rebuild();
}

double MeasuredPlot::measuredAt(const QPoint& position) const {
    const QCPAxis& axis = *plot().xAxis;
    double nearest = 0.0;
    double distance = kClickDistance;
    for (const MeasuredLine& line : m_curves.lines) {
        for (const MeasuredPoint& point : line.points) {
            const double away = std::fabs(axis.coordToPixel(point.epsilon) - position.x());
            if (away < distance) {
                distance = away;
                nearest = point.epsilon;
            }
        }
    }
    return nearest;
}

void MeasuredPlot::readAt(const QMouseEvent& event) {
    const double epsilon = measuredAt(event.pos());
    if (epsilon == 0.0 || !plot().axisRect()->rect().contains(event.pos())) {
        QToolTip::hideText();
        return;
    }
    QStringList rows{QStringLiteral("ε %1").arg(shortest(epsilon))};
    for (const MeasuredLine& line : m_curves.lines) {
        for (const MeasuredPoint& point : line.points) {
            if (point.epsilon == epsilon) {
                rows.append(QStringLiteral("%1: %2").arg(line.name, valueText(point)));
            }
        }
    }
    QToolTip::showText(event.globalPosition().toPoint(), rows.join(QLatin1Char('\n')), &plot());
}

bool MeasuredPlot::eventFilter(QObject* watched, QEvent* event) {
    if (watched == &plot() && event->type() == QEvent::MouseButtonPress) {
        m_pressed = static_cast<QMouseEvent*>(event)->pos();
    }
    if (watched == &plot() && event->type() == QEvent::MouseButtonRelease && !m_isOutdated) {
        const auto& mouse = *static_cast<QMouseEvent*>(event);
        constexpr int kSteady = 3;  // pixels; more is a drag
        const double epsilon = measuredAt(mouse.pos());
        if (mouse.button() == Qt::LeftButton && epsilon > 0.0 &&
            (mouse.pos() - m_pressed).manhattanLength() <= kSteady) {
            Q_EMIT pointChosen(epsilon);
        }
    }
    return EpsilonPlot::eventFilter(watched, event);
}

QString MeasuredPlot::visibleCsv() const {
    if (m_curves.lines.empty()) {
        return {};
    }
    const auto field = [](const QString& text) {
        return QStringLiteral("\"%1\"").arg(
            QString(text).replace(QLatin1Char('"'), QStringLiteral("\"\"")));
    };
    QString csv = QStringLiteral("curve,epsilon,of100,low95,high95\n");
    for (const MeasuredLine& line : m_curves.lines) {
        for (const MeasuredPoint& point : line.points) {
            if (point.epsilon >= shownX().low && point.epsilon <= shownX().high) {
                csv += QStringLiteral("%1,%2,%3,%4,%5\n")
                           .arg(field(line.name), shortest(point.epsilon), shortest(point.value),
                                point.ci95 ? shortest((*point.ci95)[0]) : QString(),
                                point.ci95 ? shortest((*point.ci95)[1]) : QString());
            }
        }
    }
    for (const ReferenceLine& reference : m_curves.references) {
        csv += QStringLiteral("%1,,%2,,\n").arg(field(reference.name), shortest(reference.value));
    }
    return csv;
}

}  // namespace epsilens::ui
