#include "ui/tradeoff/frontier_plot.h"

#include <algorithm>
#include <utility>

#include <qcustomplot.h>
#include <QMouseEvent>
#include <QToolTip>

#include "core/experiment/figure_reader.h"
#include "core/report/evaluation_parts.h"
#include "ui/plot/plot_style.h"
#include "ui/widgets/qt_convert.h"

namespace epsilens::ui {

namespace {

using experiment::TradeOffPoint;

constexpr double kMargin = 0.08;  ///< of the range of values
constexpr int kClickDistance = 12;
constexpr int kFaintAlpha = 90;
constexpr int kLineAlpha = 130;

QString outOf100(double share) {
    return QString::number(100.0 * share, 'f', 1);
}

}  // namespace

FrontierPlot::FrontierPlot(QWidget* parent) : PlotWidget(parent) {
    setAccessibleName(tr("Usefulness against risk"));
    setAxisTitles(tr("words of 100 guessed beyond those without the release"),
                  tr("right class, texts of 100"));
    placeLegendAbove(plot());
    plot().setMouseTracking(true);
    refreshTheme();
}

void FrontierPlot::setResult(TradeOffResultHandle result) {
    m_result = std::move(result);
    m_points =
        m_result ? experiment::tradeOffOf(m_result->summary(), 0) : std::vector<TradeOffPoint>();
    showHome();
    rebuild();
}

void FrontierPlot::setOutdated(bool outdated) {
    if (outdated != m_isOutdated) {
        m_isOutdated = outdated;
        rebuild();
    }
}

void FrontierPlot::setMarked(std::optional<std::size_t> cell) {
    if (cell != m_marked) {
        m_marked = cell;
        rebuild();
    }
}

void FrontierPlot::showHome() {
    if (m_points.empty()) {
        return;
    }
    QCPRange risk(100.0 * m_points.front().risk, 100.0 * m_points.front().risk);
    QCPRange utility(100.0 * m_points.front().utility, 100.0 * m_points.front().utility);
    for (const TradeOffPoint& point : m_points) {
        risk.expand(100.0 * point.risk);
        utility.expand(100.0 * point.utility);
    }
    const double besides = std::max(1.0, kMargin * risk.size());
    const double above = std::max(1.0, kMargin * utility.size());
    setHomeRange({risk.lower - besides, risk.upper + besides},
                 {utility.lower - above, utility.upper + above});
}

QString FrontierPlot::settingText(const TradeOffPoint& point) const {
    const experiment::EvaluationSummary& summary = m_result->summary();
    const QString family = toQString(report::familyText(summary, summary.cells[point.cell]));
    const QString epsilon = QStringLiteral("ε %1").arg(shortest(summary.cells[point.cell].epsilon));
    return family.isEmpty() ? epsilon : QStringLiteral("%1, %2").arg(epsilon, family);
}

QString FrontierPlot::pointText(const TradeOffPoint& point) const {
    const experiment::EvaluationSummary& summary = m_result->summary();
    const auto figure = [&](experiment::FigureName::Kind kind, double value) {
        const auto found =
            experiment::figureOf(summary, point.cell, {kind, summary.options.classifiers.front()});
        return found.ci95 ? tr("%1 (%2 to %3)")
                                .arg(outOf100(value), outOf100((*found.ci95)[0]),
                                     outOf100((*found.ci95)[1]))
                          : outOf100(value);
    };
    return tr("%1: right class %2, guessed beyond those without the release %3 of 100")
        .arg(settingText(point), figure(experiment::FigureName::Kind::accuracy, point.utility),
             figure(experiment::FigureName::Kind::gain, point.risk));
}

void FrontierPlot::rebuild() {
    plot().clearPlottables();
    plot().clearItems();
    plot().legend->clearItems();
    if (m_result) {
        for (std::size_t family = 0; family < m_result->families.size(); ++family) {
            addFamily(family);
        }
    }
    markPoint();
    const bool isEmpty = m_points.empty();
    plot().xAxis->setVisible(!isEmpty);
    plot().yAxis->setVisible(!isEmpty);
    if (isEmpty) {
        // The rectangle of the axes may be narrow: it leaves room for a legend.
        auto* text = new QCPItemText(&plot());
        text->position->setType(QCPItemPosition::ptViewportRatio);
        text->position->setCoords(0.5, 0.5);
        text->setClipToAxisRect(false);
        text->setColor(theme().mutedText);
        text->setText(tr("This measurement has no setting yet with both usefulness and risk."));
    }
    plot().legend->setVisible(plot().legend->itemCount() > 0);
    fitLegend(plot());
    describe();
    replotSoon();
}

void FrontierPlot::addFamily(std::size_t family) {
    const auto index = static_cast<int>(family);
    const QColor colour = m_isOutdated ? theme().pinned : theme().series(index);
    QColor faint = colour;
    faint.setAlpha(kFaintAlpha);
    QColor soft = colour;
    soft.setAlpha(kLineAlpha);
    // A curve keeps the order of its points: risk need not rise with epsilon.
    auto* line = new QCPCurve(plot().xAxis, plot().yAxis);
    QVector<double> order;
    QVector<double> risks;
    QVector<double> utilities;
    QCPGraph* best = plot().addGraph();
    QCPGraph* beaten = plot().addGraph();
    for (const TradeOffPoint& point : m_points) {
        if (point.family != family) {
            continue;
        }
        order.append(static_cast<double>(order.size()));
        risks.append(100.0 * point.risk);
        utilities.append(100.0 * point.utility);
        (point.isDominated ? beaten : best)->addData(risks.back(), utilities.back());
        addLabel(point, point.isDominated ? theme().mutedText : theme().text);
    }
    line->setData(order, risks, utilities, true);
    line->setPen(QPen(soft, 1.4));
    line->removeFromLegend();
    for (QCPGraph* graph : {best, beaten}) {
        const QColor& own = graph == best ? colour : faint;
        graph->setLineStyle(QCPGraph::lsNone);
        graph->setPen(QPen(own, 1.4));
        graph->setScatterStyle(curveMarker(index, own, theme().surface));
        graph->removeFromLegend();
    }
    if (!order.empty()) {
        const experiment::EvaluationSummary& summary = m_result->summary();
        const std::size_t first = m_result->families[family].cells.front();
        best->setName(toQString(report::familyText(summary, summary.cells[first])));
        if (!best->name().isEmpty()) {
            best->addToLegend();
        }
    }
}

void FrontierPlot::markPoint() {
    QCPGraph* ring = plot().addGraph();
    ring->removeFromLegend();
    ring->setLineStyle(QCPGraph::lsNone);
    ring->setScatterStyle(markedPoint(theme().text));
    for (const TradeOffPoint& point : m_points) {
        if (point.cell == m_marked && !m_isOutdated) {
            ring->addData(100.0 * point.risk, 100.0 * point.utility);
        }
    }
}

void FrontierPlot::addLabel(const TradeOffPoint& point, const QColor& colour) {
    // Of beaten settings the pointer tells; labels of all would hide each other.
    if (point.isDominated) {
        return;
    }
    auto* label = new QCPItemText(&plot());
    label->position->setCoords(100.0 * point.risk, 100.0 * point.utility);
    label->setPositionAlignment(Qt::AlignLeft | Qt::AlignTop);
    label->setPadding(QMargins(6, 4, 0, 0));
    label->setText(shortest(m_result->summary().cells[point.cell].epsilon));
    label->setColor(colour);
    label->setClipToAxisRect(true);
}

void FrontierPlot::describe() {
    QStringList best;
    for (const TradeOffPoint& point : m_points) {
        if (!point.isDominated) {
            best.append(
                tr("%1: right %2, guessed %3 of 100")
                    .arg(settingText(point), outOf100(point.utility), outOf100(point.risk)));
        }
    }
    setShownDescription(best.isEmpty() ? tr("Empty: not measured.")
                                       : tr("No other setting is both more useful and less risky "
                                            "than these. %1.")
                                             .arg(best.join(QStringLiteral("; "))));
}

void FrontierPlot::applyTheme(const Theme& theme) {
    PlotWidget::applyTheme(theme);
    plot().legend->setBorderPen(Qt::NoPen);
    plot().legend->setBrush(Qt::NoBrush);
    rebuild();
}

const TradeOffPoint* FrontierPlot::pointAt(const QPoint& position) {
    const TradeOffPoint* nearest = nullptr;
    double distance = kClickDistance;
    for (const TradeOffPoint& point : m_points) {
        const QPointF place(plot().xAxis->coordToPixel(100.0 * point.risk),
                            plot().yAxis->coordToPixel(100.0 * point.utility));
        const double away = QLineF(place, position).length();
        if (away < distance) {
            distance = away;
            nearest = &point;
        }
    }
    return nearest;
}

bool FrontierPlot::eventFilter(QObject* watched, QEvent* event) {
    if (watched != &plot()) {
        return PlotWidget::eventFilter(watched, event);
    }
    if (event->type() == QEvent::MouseButtonPress) {
        m_pressed = static_cast<QMouseEvent*>(event)->pos();
    } else if (event->type() == QEvent::MouseButtonRelease && !m_isOutdated) {
        const auto& mouse = *static_cast<QMouseEvent*>(event);
        constexpr int kSteady = 3;  // pixels; more is a drag
        const TradeOffPoint* point = pointAt(mouse.pos());
        if (point != nullptr && mouse.button() == Qt::LeftButton &&
            (mouse.pos() - m_pressed).manhattanLength() <= kSteady) {
            Q_EMIT cellChosen(point->cell);
        }
    } else if (event->type() == QEvent::MouseMove) {
        const auto& mouse = *static_cast<QMouseEvent*>(event);
        if (const TradeOffPoint* point = pointAt(mouse.pos())) {
            QToolTip::showText(mouse.globalPosition().toPoint(), pointText(*point), &plot());
        } else {
            QToolTip::hideText();
        }
    }
    return PlotWidget::eventFilter(watched, event);
}

QString FrontierPlot::visibleCsv() const {
    if (m_points.empty()) {
        return {};
    }
    QString csv = QStringLiteral("setting,gain,accuracy,beaten\n");
    for (const TradeOffPoint& point : m_points) {
        csv += QStringLiteral("\"%1\",%2,%3,%4\n")
                   .arg(settingText(point), shortest(point.risk), shortest(point.utility),
                        point.isDominated ? QStringLiteral("true") : QStringLiteral("false"));
    }
    return csv;
}

}  // namespace epsilens::ui
