#include "ui/words/kept_histogram.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <qcustomplot.h>
#include <QMouseEvent>

#include "ui/state/output_mark.h"
#include "ui/widgets/qt_convert.h"

namespace epsilens::ui {

namespace {

constexpr double kAll = 100.0;
constexpr double kBarWidth = kAll / static_cast<double>(std::tuple_size_v<KeptCounts>);
constexpr double kHeadRoom = 1.08;

}  // namespace

KeptHistogram::KeptHistogram(QWidget* parent)
    : PlotWidget(parent), m_bars(new QCPBars(plot().xAxis, plot().yAxis)) {
    setObjectName(QStringLiteral("keptHistogram"));
    setAccessibleName(tr("Words by how often they are kept"));
    m_bars->setWidth(kBarWidth);
    m_bars->removeFromLegend();
    setAxisTitles(tr("outputs of 100 that are the word itself"), tr("words"));
    plot().xAxis->grid()->setVisible(false);
    setToolTip(tr("A click on a bar shows its words in the table."));
    connect(&plot(), &QCustomPlot::mouseRelease, this, [this](QMouseEvent* event) {
        if (event->button() == Qt::LeftButton) {
            chooseAt(event->position());
        }
    });
    refreshTheme();
    setCounts({});
}

void KeptHistogram::setCounts(const KeptCounts& counts) {
    m_counts = counts;
    QVector<double> middles;
    QVector<double> heights;
    for (std::size_t bar = 0; bar < counts.size(); ++bar) {
        middles.append((static_cast<double>(bar) + 0.5) * kBarWidth);
        heights.append(static_cast<double>(counts[bar]));
    }
    m_bars->setData(middles, heights, true);
    const double highest = *std::max_element(heights.begin(), heights.end());
    setHomeRange({0.0, kAll}, {0.0, std::max(1.0, kHeadRoom * highest)});
    const auto words = std::accumulate(counts.begin(), counts.end(), std::int64_t{0});
    setShownDescription(tr("Of %1 words %2 are kept in under 10 of 100 outputs, %3 in 90 or more.")
                            .arg(counted(words), counted(counts.front()), counted(counts.back())));
    replotSoon();
}

QString KeptHistogram::visibleCsv() const {
    QString csv = QStringLiteral("kept_from_percent,words\n");
    for (std::size_t bar = 0; bar < m_counts.size(); ++bar) {
        csv +=
            QStringLiteral("%1,%2\n").arg(kBarWidth * static_cast<double>(bar)).arg(m_counts[bar]);
    }
    return csv;
}

void KeptHistogram::chooseAt(const QPointF& position) {
    const double share = plot().xAxis->pixelToCoord(position.x());
    const double words = plot().yAxis->pixelToCoord(position.y());
    const auto bar = static_cast<std::ptrdiff_t>(std::floor(share / kBarWidth));
    if (bar >= 0 && bar < static_cast<std::ptrdiff_t>(m_counts.size()) && words >= 0.0 &&
        words <= static_cast<double>(m_counts[static_cast<std::size_t>(bar)])) {
        const auto low = static_cast<int>(kBarWidth) * static_cast<int>(bar);
        Q_EMIT barChosen(low, low + static_cast<int>(kBarWidth));
    }
}

void KeptHistogram::applyTheme(const Theme& theme) {
    PlotWidget::applyTheme(theme);
    m_bars->setBrush(areaBrush(OutputMark::kept, theme));
    m_bars->setPen(QPen(theme.surface, 1.0));
}

}  // namespace epsilens::ui
