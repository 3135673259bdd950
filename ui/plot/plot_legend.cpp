#include "ui/plot/plot_legend.h"

#include <algorithm>

#include <qcustomplot.h>

namespace epsilens::ui {
namespace {

constexpr int kIconWidth = 26;
constexpr int kMenuRoom = 28;
constexpr int kMargin = 6;  ///< above and below
constexpr int kGap = 16;    ///< between icon, text and the next entry
constexpr int kMostInARow = 4;

}  // namespace

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
    legend->setMargins(QMargins(4, kMargin, kMenuRoom, kMargin));
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
