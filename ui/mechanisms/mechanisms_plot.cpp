#include "ui/mechanisms/mechanisms_plot.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>

#include <qcustomplot.h>
#include <QMouseEvent>
#include <QToolTip>

#include "core/mechanism/guarantee.h"
#include "core/report/memo_words.h"
#include "ui/plot/plot_style.h"
#include "ui/state/mechanism_view.h"
#include "ui/widgets/qt_convert.h"

namespace epsilens::ui {

namespace {

constexpr double kLeastOdds = 1.0;
constexpr double kMostOdds = 1e18;  ///< shown at first; promises beyond it do not differ to anybody
constexpr double kLargestExponent = 300.0;  ///< of ten, that an axis can hold
constexpr int kZoneAlpha = 22;
constexpr std::array kDashes{Qt::SolidLine, Qt::DashLine, Qt::DotLine, Qt::DashDotLine};

double oddsOf(double loss) {
    return std::exp(std::min(loss, kLargestExponent * std::log(10.0)));
}

/// Between the points of a line; nothing beyond its ends.
std::optional<double> lossAt(const MechanismsPlot::Line& line, double kept) {
    const auto above = std::lower_bound(line.kept.begin(), line.kept.end(), kept);
    if (above == line.kept.end() || (above == line.kept.begin() && *above > kept)) {
        return std::nullopt;
    }
    const auto place = static_cast<std::size_t>(above - line.kept.begin());
    if (place == 0 || line.kept[place] == line.kept[place - 1]) {
        return line.losses[place];
    }
    const double share = (kept - line.kept[place - 1]) / (line.kept[place] - line.kept[place - 1]);
    return std::lerp(line.losses[place - 1], line.losses[place], share);
}

}  // namespace

MechanismsPlot::MechanismsPlot(QWidget* parent) : PlotWidget(parent) {
    setAccessibleName(tr("Odds of the two words against words kept"));
    QLocale numbers = QLocale::c();
    numbers.setNumberOptions(QLocale::OmitGroupSeparator);
    plot().setLocale(numbers);
    setLogarithmic(false, true);
    setAxisTitles(tr("words of 100 that survive"), tr("odds change by"));
    plot().yAxis->setTicker(QSharedPointer<QCPAxisTickerLog>::create());
    plot().yAxis->setNumberFormat(QStringLiteral("eb"));
    plot().yAxis->setNumberPrecision(0);
    placeLegendAbove(plot());
    plot().setMouseTracking(true);
    setHomeRange({0.0, 100.0}, {kLeastOdds, kMostOdds});
    refreshTheme();
}

void MechanismsPlot::show(std::vector<Line> lines, const QString& pair,
                          const mechanism::Mechanism& present, double kept) {
    m_lines = std::move(lines);
    m_pair = pair;
    m_present = present;
    m_kept = kept;
    rebuild();
}

void MechanismsPlot::rebuild() {
    plot().clearPlottables();
    plot().clearItems();
    plot().legend->clearItems();
    auto* zone = new QCPItemRect(&plot());
    zone->topLeft->setTypeX(QCPItemPosition::ptAxisRectRatio);
    zone->bottomRight->setTypeX(QCPItemPosition::ptAxisRectRatio);
    zone->topLeft->setCoords(0.0, std::pow(10.0, kLargestExponent));
    zone->bottomRight->setCoords(1.0, mechanism::kLargestUsefulFactor);
    QColor shade = theme().mutedText;
    shade.setAlpha(kZoneAlpha);
    zone->setPen(Qt::NoPen);
    zone->setBrush(shade);
    auto* said = new QCPItemText(&plot());
    said->position->setType(QCPItemPosition::ptAxisRectRatio);
    said->position->setCoords(1.0, 0.0);
    said->setPositionAlignment(Qt::AlignRight | Qt::AlignTop);
    said->setPadding(QMargins(4, 2, 4, 2));
    said->setColor(theme().mutedText);
    said->setText(tr("no useful bound"));
    for (std::size_t i = 0; i < m_lines.size(); ++i) {
        const Line& line = m_lines[i];
        const auto index = static_cast<int>(i);
        QVector<double> odds;
        std::transform(line.losses.begin(), line.losses.end(), std::back_inserter(odds), oddsOf);
        QCPGraph* graph = plot().addGraph();
        graph->setData(QVector<double>(line.kept.begin(), line.kept.end()), odds, true);
        graph->setPen(QPen(theme().series(index), line.mechanism == m_present ? 2.8 : 1.6,
                           kDashes.at(i % kDashes.size())));
        graph->setName(shortTitle(line.mechanism));
    }
    auto* now = new QCPItemStraightLine(&plot());
    now->point1->setCoords(m_kept, kLeastOdds);
    now->point2->setCoords(m_kept, kMostOdds);
    now->setPen(QPen(theme().text, 1.2));
    plot().legend->setVisible(!m_lines.empty());
    fitLegend(plot());
    describe();
    replotSoon();
}

QString MechanismsPlot::textAt(double kept) const {
    QStringList parts;
    for (const Line& line : m_lines) {
        if (const auto loss = lossAt(line, kept)) {
            parts.append(
                tr("%1: %2").arg(shortTitle(line.mechanism), toQString(report::oddsWords(*loss))));
        }
    }
    return parts.join(QLatin1Char('\n'));
}

void MechanismsPlot::describe() {
    setShownDescription(tr("Odds of %1 where %2 of 100 words survive: %3.")
                            .arg(m_pair, QString::number(m_kept, 'f', 0),
                                 textAt(m_kept).replace(QLatin1Char('\n'), QLatin1String("; "))));
}

void MechanismsPlot::applyTheme(const Theme& theme) {
    PlotWidget::applyTheme(theme);
    plot().legend->setBorderPen(Qt::NoPen);
    plot().legend->setBrush(Qt::NoBrush);
    rebuild();
}

bool MechanismsPlot::eventFilter(QObject* watched, QEvent* event) {
    if (watched == &plot() && event->type() == QEvent::MouseMove) {
        const auto& mouse = *static_cast<QMouseEvent*>(event);
        const double kept = plot().xAxis->pixelToCoord(mouse.pos().x());
        const QString text =
            plot().axisRect()->rect().contains(mouse.pos()) ? textAt(kept) : QString();
        QToolTip::showText(mouse.globalPosition().toPoint(), text, &plot());
    }
    return PlotWidget::eventFilter(watched, event);
}

QString MechanismsPlot::visibleCsv() const {
    QString csv = m_lines.empty() ? QString() : QStringLiteral("mechanism,kept,logOdds\n");
    for (const Line& line : m_lines) {
        for (std::size_t i = 0; i < line.kept.size(); ++i) {
            csv += QStringLiteral("\"%1\",%2,%3\n")
                       .arg(shortTitle(line.mechanism), shortest(line.kept[i] / 100.0),
                            shortest(line.losses[i]));
        }
    }
    return csv;
}

}  // namespace epsilens::ui
