#include "ui/live/distribution_chart.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <QEvent>
#include <QGraphicsLayout>
#include <QWheelEvent>
#include <QtCharts/QBarCategoryAxis>
#include <QtCharts/QBarSet>
#include <QtCharts/QChart>
#include <QtCharts/QHorizontalStackedBarSeries>
#include <QtCharts/QLegend>
#include <QtCharts/QValueAxis>

#include "ui/common/theme.h"

namespace epsilens::ui::live {

namespace {

constexpr std::array kBarMarks{OutputMark::kept, OutputMark::near, OutputMark::far,
                               OutputMark::others};
constexpr int kLongestLabel = 18;
constexpr double kDimmedOpacity = 0.45;

QString percentText(double percent) {
    return percent >= 9.95 ? QString::number(percent, 'f', 0) : QString::number(percent, 'g', 2);
}

// Upper end of the axis: a little more than the longest bar, at a round number.
double axisEnd(double longest) {
    for (const double end : {1.0, 2.0, 4.0, 5.0, 10.0, 20.0, 40.0, 60.0, 80.0}) {
        if (longest <= end) {
            return end;
        }
    }
    return 100.0;
}

// The axis reads its labels as HTML and drops repeated ones.
QString categoryOf(const DistributionBar& bar, std::size_t index) {
    const QString word = bar.label.size() > kLongestLabel
                             ? bar.label.left(kLongestLabel - 1) + QStringLiteral("…")
                             : bar.label;
    return QStringLiteral("%1&nbsp; <b>%2&nbsp;%</b><!--%3-->")
        .arg(word.toHtmlEscaped(), percentText(bar.percent))
        .arg(index);
}

}  // namespace

DistributionChart::DistributionChart(QWidget* parent)
    : QChartView(parent),
      m_series(new QHorizontalStackedBarSeries),
      m_words(new QBarCategoryAxis),
      m_shares(new QValueAxis) {
    setRenderHint(QPainter::Antialiasing);
    setFrameShape(QFrame::NoFrame);
    setMinimumSize(220, 160);
    setFocusPolicy(Qt::TabFocus);
    setAccessibleName(tr("Output distribution"));
    chart()->legend()->hide();
    chart()->setMargins(QMargins(0, 0, 8, 0));
    chart()->setBackgroundRoundness(0);
    chart()->layout()->setContentsMargins(0, 0, 0, 0);
    buildSeries();
    applyTheme();
    describe({});
}

DistributionChart::~DistributionChart() = default;

void DistributionChart::buildSeries() {
    for (const OutputMark mark : kBarMarks) {
        auto* set = new QBarSet(markName(mark));
        m_series->append(set);
        m_sets.push_back(set);
    }
    m_series->setBarWidth(0.72);
    chart()->addSeries(m_series);
    chart()->addAxis(m_words, Qt::AlignLeft);
    chart()->addAxis(m_shares, Qt::AlignBottom);
    m_series->attachAxis(m_words);
    m_series->attachAxis(m_shares);
    m_words->setGridLineVisible(false);
    m_words->setLabelsVisible(true);
    m_shares->setTitleText(tr("share of draws in %"));
    m_shares->setLabelFormat(QStringLiteral("%g"));
    m_shares->setTickCount(5);
}

void DistributionChart::setBars(const QString& word, const std::vector<DistributionBar>& bars) {
    m_bars = bars;
    showBars();
    describe(word);
}

void DistributionChart::setDimmed(bool dimmed) {
    m_series->setOpacity(dimmed ? kDimmedOpacity : 1.0);
}

void DistributionChart::showBars() {
    QStringList categories;
    std::array<QList<qreal>, kBarMarks.size()> values;
    double longest = 0.0;
    // The category axis counts upwards, the most frequent output belongs on top.
    for (std::size_t i = m_bars.size(); i-- > 0;) {
        const DistributionBar& bar = m_bars[i];
        categories.append(categoryOf(bar, i));
        longest = std::max(longest, bar.percent);
        for (std::size_t k = 0; k < kBarMarks.size(); ++k) {
            values[k].append(bar.mark == kBarMarks[k] ? bar.percent : 0.0);
        }
    }
    for (std::size_t k = 0; k < m_sets.size(); ++k) {
        m_sets[k]->remove(0, m_sets[k]->count());
        m_sets[k]->append(values[k]);
    }
    m_words->setCategories(categories);
    m_shares->setRange(0.0, axisEnd(longest));
}

void DistributionChart::applyTheme() {
    const Theme theme = themeFor(palette());
    setBackgroundBrush(theme.surface);
    chart()->setBackgroundBrush(theme.surface);
    chart()->setPlotAreaBackgroundVisible(false);
    for (std::size_t k = 0; k < m_sets.size(); ++k) {
        m_sets[k]->setBrush(areaBrush(kBarMarks[k], theme));
        m_sets[k]->setPen(Qt::NoPen);
    }
    QFont small = font();
    small.setPointSizeF(small.pointSizeF() * 0.9);
    for (QAbstractAxis* axis :
         {static_cast<QAbstractAxis*>(m_words), static_cast<QAbstractAxis*>(m_shares)}) {
        axis->setLabelsFont(small);
        axis->setLabelsBrush(theme.text);
        axis->setTitleFont(small);
        axis->setTitleBrush(theme.mutedText);
        axis->setLinePen(QPen(theme.border, 1.0));
        axis->setGridLinePen(QPen(theme.grid, 1.0));
    }
    m_shares->setLabelsBrush(theme.mutedText);
}

void DistributionChart::describe(const QString& word) {
    if (m_bars.empty()) {
        setAccessibleDescription(tr("No distribution to show yet."));
        return;
    }
    QStringList parts;
    for (const DistributionBar& bar : m_bars) {
        parts.append(
            tr("%1 %2 percent, %3").arg(bar.label, percentText(bar.percent), markName(bar.mark)));
    }
    setAccessibleDescription(tr("Outputs of %1: %2.").arg(word, parts.join(tr("; "))));
}

void DistributionChart::changeEvent(QEvent* event) {
    QChartView::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) {
        applyTheme();
    }
}

void DistributionChart::wheelEvent(QWheelEvent* event) {
    event->ignore();
}

}  // namespace epsilens::ui::live
