#pragma once

#include <QColor>
#include <QSharedPointer>
#include <QString>

class QCPAxisTicker;
class QCPScatterStyle;
class QCustomPlot;

namespace epsilens::ui {

/// A value in at most five significant digits, fewer when fewer say it exactly: "83", "0.25".
[[nodiscard]] QString brief(double value);

/// Marker of one of several curves at its points; ten in a row differ in shape or filling.
[[nodiscard]] QCPScatterStyle curveMarker(int index, const QColor& colour, const QColor& surface);

/// Ticks at 1, 2 and 5 of each decade while few decades are shown, at powers of ten where many are;
/// at even steps where the axis shows less than two of those.
[[nodiscard]] QSharedPointer<QCPAxisTicker> fewDecadesTicker();

/// Puts the legend above the axes, in rows, so that it covers nothing however small the plot is,
/// and beside the button of the plot's menu.
void placeLegendAbove(QCustomPlot& plot);

/// Gives each row as many entries as fit the plot's width, at most four; to be called when entries
/// or the width changed.
void fitLegend(QCustomPlot& plot);

}  // namespace epsilens::ui
