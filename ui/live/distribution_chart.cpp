#include "ui/live/distribution_chart.h"

#include <algorithm>
#include <array>
#include <utility>

#include <QContextMenuEvent>
#include <QEvent>
#include <QGraphicsLayout>
#include <QMenu>
#include <QPainter>
#include <QWheelEvent>
#include <QtCharts/QBarCategoryAxis>
#include <QtCharts/QBarSet>
#include <QtCharts/QChart>
#include <QtCharts/QHorizontalStackedBarSeries>
#include <QtCharts/QLegend>
#include <QtCharts/QValueAxis>

#include "ui/plot/plot_menu_button.h"
#include "ui/widgets/focus_frame.h"
#include "ui/widgets/layout.h"
#include "ui/widgets/qt_convert.h"
#include "ui/widgets/theme.h"

namespace epsilens::ui::live {

namespace {

constexpr std::array kBarMarks{OutputMark::kept, OutputMark::near, OutputMark::far,
                               OutputMark::others};
constexpr QSize kLeastSize{220, 100};
constexpr int kLabelCharacters = 16;
constexpr double kAxisLines = 2.6;  // of text below the bars: numbers and title
constexpr int kPercentSpace = 46;
constexpr double kGap = 6.0;
constexpr double kTopSpace = 2.0;
constexpr int kLeastPitch = 11;  // of readable labels
constexpr int kLeastBars = 5;

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

}  // namespace

DistributionChart::DistributionChart(QWidget* parent)
    : QChartView(parent),
      m_series(new QHorizontalStackedBarSeries),
      m_words(new QBarCategoryAxis),
      m_shares(new QValueAxis) {
    setRenderHint(QPainter::Antialiasing);
    setFrameShape(QFrame::NoFrame);
    followFont(this, [this](const QFontMetrics& metrics) {
        setMinimumSize(scaledToText(kLeastSize.width(), metrics),
                       scaledToText(kLeastSize.height(), metrics));
    });
    setFocusPolicy(Qt::TabFocus);
    setAccessibleName(tr("Output distribution"));
    chart()->legend()->hide();
    chart()->setMargins({});
    chart()->setBackgroundRoundness(0);
    chart()->layout()->setContentsMargins(0, 0, 0, 0);
    buildAxes();
    applyTheme();
    describe({});
    showFocusAround(this);
    // Below, where the longest bar has no percentage.
    auto* menu = new PlotMenuButton(Qt::BottomRightCorner, this);
    connect(menu, &QToolButton::clicked, this, [this, menu] { showMenu(menu->menuPosition()); });
}

DistributionChart::~DistributionChart() = default;

void DistributionChart::buildAxes() {
    m_series->setBarWidth(0.74);
    chart()->addSeries(m_series);
    chart()->addAxis(m_words, Qt::AlignLeft);
    chart()->addAxis(m_shares, Qt::AlignBottom);
    m_series->attachAxis(m_words);
    m_series->attachAxis(m_shares);
    m_words->setGridLineVisible(false);
    m_words->setLabelsVisible(false);
    setExact(false);
    m_shares->setLabelFormat(QStringLiteral("%g"));
    m_shares->setTickCount(5);
}

void DistributionChart::setBars(const QString& word, const std::vector<DistributionBar>& bars) {
    m_bars = bars;
    showBars();
    describe(word);
}

void DistributionChart::setDimmed(bool dimmed) {
    m_isDimmed = dimmed;
    viewport()->update();
}

void DistributionChart::setExact(bool exact) {
    const QString title = exact ? tr("probability in %, exact") : tr("share of draws in %");
    if (m_shares->titleText() != title) {
        m_shares->setTitleText(title);
    }
}

void DistributionChart::showBars() {
    const Theme theme = themeFor(palette());
    QList<QBarSet*> sets;
    double longest = 0.0;
    for (const OutputMark mark : kBarMarks) {
        auto* set = new QBarSet(markName(mark));
        set->setBrush(areaBrush(mark, theme));
        set->setPen(Qt::NoPen);
        // The category axis counts upwards, the most frequent output belongs on top.
        for (std::size_t empty = m_bars.size(); empty < places(); ++empty) {
            set->append(0.0);
        }
        std::for_each(m_bars.rbegin(), m_bars.rend(), [&](const DistributionBar& bar) {
            set->append(bar.mark == mark ? bar.percent : 0.0);
            longest = std::max(longest, bar.percent);
        });
        sets.append(set);
    }
    if (m_words->count() != static_cast<int>(places())) {
        QStringList categories;
        while (categories.size() < static_cast<qsizetype>(places())) {
            categories.append(QString::number(categories.size()));
        }
        m_words->setCategories(categories);
    }
    m_shares->setRange(0.0, axisEnd(longest));
    // New sets in one go: changing values one by one would lay the chart out once for each.
    m_series->clear();
    m_series->append(sets);
    viewport()->update();
}

std::size_t DistributionChart::places() const {
    return m_bars.empty() ? 0 : std::max(m_bars.size(), static_cast<std::size_t>(kLeastBars));
}

int DistributionChart::labelWidth() const {
    return fontMetrics().averageCharWidth() * kLabelCharacters;
}

double DistributionChart::percentSpace() const {
    return scaledToText(kPercentSpace, fontMetrics());
}

QFont DistributionChart::labelFont() const {
    QFont labels = font();
    const double pitch = plotHeight() / static_cast<double>(std::max<std::size_t>(1, places()));
    labels.setPixelSize(
        static_cast<int>(std::clamp(pitch * 0.95, 8.0, fontInfo().pixelSize() * 1.0)));
    return labels;
}

void DistributionChart::placePlot() {
    const double left = labelWidth() + kGap;
    chart()->setPlotArea(
        QRectF(left, kTopSpace, std::max(10.0, width() - left - percentSpace()), plotHeight()));
}

void DistributionChart::drawForeground(QPainter* painter, const QRectF& /*rect*/) {
    if (m_bars.empty()) {
        return;
    }
    const Theme theme = themeFor(palette());
    const QRectF plot = chart()->plotArea();
    const double pitch = plot.height() / static_cast<double>(places());
    const QFont labels = labelFont();
    painter->setFont(labels);
    if (m_isDimmed) {
        QColor veil = theme.surface;
        veil.setAlphaF(static_cast<float>(1.0 - kDimmedOpacity));
        painter->fillRect(plot, veil);
        painter->setOpacity(kDimmedOpacity);
    }
    const QFontMetricsF metrics(labels);
    for (std::size_t i = 0; i < m_bars.size(); ++i) {
        const DistributionBar& bar = m_bars[i];
        const double top = plot.top() + static_cast<double>(i) * pitch;
        const QRectF word(0.0, top, plot.left() - kGap, pitch);
        painter->setPen(bar.mark == OutputMark::others ? theme.mutedText : theme.text);
        painter->drawText(word, Qt::AlignRight | Qt::AlignVCenter | Qt::TextDontClip,
                          metrics.elidedText(bar.label, Qt::ElideRight, word.width()));
        const double end = plot.left() + plot.width() * bar.percent / m_shares->max();
        painter->setPen(theme.mutedText);
        painter->drawText(QRectF(end + kGap, top, percentSpace(), pitch),
                          Qt::AlignLeft | Qt::AlignVCenter | Qt::TextDontClip,
                          tr("%1 %").arg(percentText(bar.percent)));
    }
    painter->setOpacity(1.0);
}

void DistributionChart::resizeEvent(QResizeEvent* event) {
    // The chart lays its axes out for the plot area it has when its size changes.
    placePlot();
    QChartView::resizeEvent(event);
    followRoom();
}

void DistributionChart::followRoom() {
    if (const int room = roomForBars(); std::exchange(m_room, room) != room) {
        Q_EMIT roomChanged();
    }
}

int DistributionChart::roomForBars() const {
    const int bars = static_cast<int>(plotHeight() / scaledToText(kLeastPitch, fontMetrics()));
    return std::clamp(bars - 1, kLeastBars, kMostBars);
}

double DistributionChart::plotHeight() const {
    return std::max(10.0, height() - fontMetrics().height() * kAxisLines - kTopSpace);
}

void DistributionChart::applyTheme() {
    const Theme theme = themeFor(palette());
    setBackgroundBrush(theme.surface);
    chart()->setBackgroundBrush(theme.surface);
    chart()->setPlotAreaBackgroundVisible(false);
    QFont small = font();
    small.setPointSizeF(small.pointSizeF() * 0.9);
    for (QAbstractAxis* axis :
         {static_cast<QAbstractAxis*>(m_words), static_cast<QAbstractAxis*>(m_shares)}) {
        axis->setLabelsFont(small);
        axis->setTitleFont(small);
        axis->setLabelsBrush(theme.mutedText);
        axis->setTitleBrush(theme.mutedText);
        axis->setLinePen(QPen(theme.border, 1.0));
        axis->setGridLinePen(QPen(theme.grid, 1.0));
    }
    showBars();
    placePlot();
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
        followRoom();
    }
}

void DistributionChart::wheelEvent(QWheelEvent* event) {
    event->ignore();
}

void DistributionChart::contextMenuEvent(QContextMenuEvent* event) {
    showMenu(event->globalPos());
}

void DistributionChart::showMenu(const QPoint& globalPosition) {
    QMenu menu(this);
    menu.setObjectName(QStringLiteral("distributionMenu"));
    addExportActions(menu, exported());
    menu.exec(globalPosition);
}

ExportedView DistributionChart::exported() {
    const auto paintLight = [this](QPaintDevice& device) {
        QPainter painter;
        if (!painter.begin(&device)) {
            return false;
        }
        setPalette(lightPalette());
        const QRectF whole(QPointF(), size());
        painter.fillRect(whole, themeFor(palette()).surface);
        render(&painter, whole, viewport()->rect(), Qt::IgnoreAspectRatio);
        setPalette({});  // again that of the window
        return painter.end();
    };
    return {this, paintLight,
            [this, paintLight] {
                QPixmap picture(size() * kPictureScale);
                picture.setDevicePixelRatio(kPictureScale);
                paintLight(picture);
                return picture;
            },
            [this] { return csv(); }};
}

QString DistributionChart::csv() const {
    if (m_bars.empty()) {
        return {};
    }
    QString text = QStringLiteral("output,outputs,kind,percent\n");
    for (const DistributionBar& bar : m_bars) {
        QString label = bar.label;
        label.replace(QLatin1Char('"'), QLatin1String("\"\""));
        text += QStringLiteral("\"%1\",%2,%3,%4\n")
                    .arg(label, QString::number(bar.outputs), markName(bar.mark),
                         shortest(bar.percent));
    }
    return text;
}

}  // namespace epsilens::ui::live
