#pragma once

#include <array>
#include <optional>
#include <vector>

#include <QString>

#include "ui/curves/curve_parameter.h"
#include "ui/curves/published_numbers.h"
#include "ui/plot/plot_widget.h"
#include "ui/state/analysis_state.h"

namespace epsilens::ui {

/// What a plot shows within its ranges as comma-separated values with a header: a line per point
/// with the value of its curve's parameter, mean and percentiles, and whose curve it is. A value
/// above or below what is shown is left out, and a line without any.
class CurvesCsv {
public:
    CurvesCsv(CurveParameter parameter, PercentileBand band, PlotWidget::Range epsilons,
              PlotWidget::Range values);

    /// parameter  of these curves; their values are left out where it is not that of the header
    /// source     "current", or what is pinned
    void add(const std::vector<Curve>& curves, CurveParameter parameter, const QString& source);
    /// Means of a paper, which has no percentiles.
    void add(const std::vector<PublishedPoint>& points, const QString& source);
    [[nodiscard]] const QString& text() const { return m_text; }

private:
    /// over  mean, low percentile, median, high percentile
    void addLine(const QString& value, double epsilon,
                 const std::array<std::optional<double>, 4>& over, const QString& source);

    CurveParameter m_parameter;
    PercentileBand m_band;
    PlotWidget::Range m_epsilons;
    PlotWidget::Range m_values;
    QString m_text;
};

}  // namespace epsilens::ui
