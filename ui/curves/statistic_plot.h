#pragma once

#include <functional>
#include <vector>

#include "ui/curves/curve_text.h"
#include "ui/plot/epsilon_plot.h"
#include "ui/widgets/rest_timer.h"

class QCPGraph;

namespace epsilens::ui {

/// Which curves show their median and percentile band besides the mean.
constexpr int kBandOfNone = -1;
constexpr int kBandOfAll = -2;

/// Colour of one of several curves, from the smallest value of their parameter on: blues for N_w,
/// oranges for S_w, each at least 3:1 against the ground. A single curve has the theme's own colour
/// of its statistic.
[[nodiscard]] QColor curveColour(Statistic statistic, const Theme& theme, int index, int count);

/// N_w or S_w against epsilon: one line per value of the parameter, markers at the grid.
class StatisticPlot : public EpsilonPlot {
    Q_OBJECT

public:
    explicit StatisticPlot(Statistic statistic, QWidget* parent = nullptr);

    /// run  null empties the plot
    void setRun(RunCurvesHandle run);
    /// bandOf  index of a curve, kBandOfNone or kBandOfAll
    void setBand(PercentileBand band, int bandOf);
    /// Results of other settings than those at hand are grey and have no cursor.
    void setOutdated(bool outdated);
    void setEpsilon(double epsilon) override;

    /// A line per point with the value of its curve's parameter, mean and percentiles. A value
    /// above or below what is shown is left out, and a line without any.
    [[nodiscard]] QString visibleCsv() const override;

protected:
    void applyTheme(const Theme& theme) override;
    void readAt(const QMouseEvent& event) override;

private:
    using Value = std::function<double(const calibration::Summary&)>;

    [[nodiscard]] const std::vector<Curve>& curves() const;
    [[nodiscard]] QColor colourOf(int index) const;
    [[nodiscard]] double widthOf(int index) const;
    [[nodiscard]] QColor fillOf(int index) const;
    QCPGraph* addGraph(const std::vector<CurvePoint>& points, const Value& value, const QPen& pen);
    void describe();
    void rebuild();
    void addBand(int index);
    void addMean(int index);
    void fillLegend();

    Statistic m_statistic;
    RunCurvesHandle m_run;
    PercentileBand m_band;
    int m_bandOf = kBandOfNone;
    bool m_isOutdated = false;
    RestTimer m_rest;  ///< of epsilon, after which the description follows it
};

}  // namespace epsilens::ui
