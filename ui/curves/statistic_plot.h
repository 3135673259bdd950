#pragma once

#include "ui/curves/curve_parameter.h"
#include "ui/curves/curve_text.h"
#include "ui/curves/limit_items.h"
#include "ui/plot/epsilon_plot.h"
#include "ui/state/analysis_state.h"
#include "ui/widgets/rest_timer.h"

class QCPGraph;
class QCPItemStraightLine;
class QCPScatterStyle;

namespace epsilens::ui {

/// Which curves show their median and percentile band besides the mean.
constexpr int kBandOfNone = -1;
constexpr int kBandOfAll = -2;

/// N_w or S_w against epsilon: one line per value of the parameter, markers at the grid.
class StatisticPlot : public EpsilonPlot {
    Q_OBJECT

public:
    explicit StatisticPlot(Statistic statistic, QWidget* parent = nullptr);

    /// run  null empties the plot
    void setRun(RunCurvesHandle run);
    /// bandOf  index of a curve, kBandOfNone or kBandOfAll
    void setBand(PercentileBand band, int bandOf);
    /// Limits as lines across the plot.
    void setLimits(std::vector<LimitLine> lines);
    /// Results of other settings than those at hand are grey and have no cursor.
    void setOutdated(bool outdated);
    void setEpsilon(double epsilon) override;

    /// A line per point with the value of its curve's parameter, mean and percentiles. A value
    /// above or below what is shown is left out, and a line without any.
    [[nodiscard]] QString visibleCsv() const override;

protected:
    void applyTheme(const Theme& theme) override;
    void takeCursor() override { drawLimits(); }
    void readAt(const QMouseEvent& event) override;

private:
    [[nodiscard]] const std::vector<Curve>& curves() const;
    void describe();
    void rebuild();
    void addBand(const Curve& curve, const QColor& colour);
    void addMedian(const Curve& curve, const QColor& colour);
    void addMean(const Curve& curve, int index, bool emphasised);
    [[nodiscard]] QCPScatterStyle markerOf(int index) const;
    void fillLegend();
    void drawLimits();
    void showHome();
    [[nodiscard]] QColor colourOf(int index) const;

    Statistic m_statistic;
    QCustomPlot* m_canvas;
    RunCurvesHandle m_run;
    PercentileBand m_band;
    int m_bandOf = kBandOfNone;
    LimitItems m_limits;
    bool m_isOutdated = false;
    RestTimer m_rest;  ///< of epsilon, after which the description follows it
};

}  // namespace epsilens::ui
