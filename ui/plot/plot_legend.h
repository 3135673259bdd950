#pragma once

class QCustomPlot;

namespace epsilens::ui {

/// Puts the legend above the axes, in rows, so that it covers nothing however small the plot is,
/// and beside the button of the plot's menu.
void placeLegendAbove(QCustomPlot& plot);

/// Gives each row as many entries as fit the plot's width, at most four; to be called when entries
/// or the width changed.
void fitLegend(QCustomPlot& plot);

}  // namespace epsilens::ui
