#include "ui/plot/plot_style.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <qcustomplot.h>

#include "ui/widgets/qt_convert.h"

namespace epsilens::ui {

namespace {

constexpr int kIconWidth = 26;
constexpr int kMenuRoom = 28;
constexpr int kLegendMargin = 6;  ///< above and below
constexpr int kGap = 16;          ///< between icon, text and the next entry
constexpr int kMostInARow = 4;
constexpr double kMarkerSize = 7.0;
constexpr std::array kMarkers{QCPScatterStyle::ssCircle, QCPScatterStyle::ssSquare,
                              QCPScatterStyle::ssTriangle, QCPScatterStyle::ssDiamond,
                              QCPScatterStyle::ssTriangleInverted};

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
        const auto isShown = [&range](double tick) { return range.contains(tick); };
        if (std::count_if(ticks.begin(), ticks.end(), isShown) >= 2) {
            return ticks;
        }
        // Around a single setting hardly any of them: as on a linear axis.
        // NOLINTNEXTLINE(bugprone-parent-virtual-call)
        return QCPAxisTicker::createTickVector(step, range);
    }
    int getSubTickCount(double step) override {
        return m_few ? 0 : QCPAxisTickerLog::getSubTickCount(step);
    }

private:
    bool m_few = true;
};

}  // namespace

QString brief(double value) {
    constexpr qsizetype kLongest = 7;
    // Ends of a range are exact, what lies between has digits that nobody chose.
    const QString exact = shortest(value);
    return exact.size() <= kLongest ? exact : significant(value, 5);
}

QCPScatterStyle curveMarker(int index, const QColor& colour, const QColor& surface) {
    const auto place = static_cast<std::size_t>(index);
    const auto shape = kMarkers[place % kMarkers.size()];
    // Twice as many markers as shapes: the second round is filled the other way.
    const bool isSecondRound = place / kMarkers.size() % 2 == 1;
    const bool isFilled = (shape == QCPScatterStyle::ssCircle) != isSecondRound;
    return {shape, QPen(colour, 1.4), QBrush(isFilled ? colour : surface), kMarkerSize};
}

QSharedPointer<QCPAxisTicker> fewDecadesTicker() {
    return QSharedPointer<QCPAxisTicker>(new FewDecadesTicker);
}

void placeLegendAbove(QCustomPlot& plot) {
    constexpr double kSmall = 0.85;
    QCPLegend* legend = plot.legend;
    QFont small = plot.font();
    small.setPointSizeF(small.pointSizeF() * kSmall);
    legend->setFont(small);
    legend->setWrap(kMostInARow);
    legend->setFillOrder(QCPLayoutGrid::foColumnsFirst);
    legend->setRowSpacing(-2);
    legend->setIconSize(kIconWidth, 12);
    legend->setMargins(QMargins(4, kLegendMargin, kMenuRoom, kLegendMargin));
    plot.plotLayout()->insertRow(0);
    plot.plotLayout()->addElement(0, 0, legend);
    plot.plotLayout()->setRowStretchFactor(0, 0.001);
    plot.plotLayout()->setRowSpacing(0);
}

void fitLegend(QCustomPlot& plot) {
    QCPLegend* legend = plot.legend;
    const QFontMetrics metrics(legend->font());
    int widest = 1;
    for (int i = 0; i < legend->itemCount(); ++i) {
        if (auto* item = qobject_cast<QCPPlottableLegendItem*>(legend->item(i))) {
            widest = std::max(widest, metrics.horizontalAdvance(item->plottable()->name()));
        }
    }
    legend->setWrap(
        std::clamp((plot.width() - kMenuRoom) / (widest + kIconWidth + kGap), 1, kMostInARow));
    legend->setFillOrder(legend->fillOrder(), true);
}

}  // namespace epsilens::ui
