#pragma once

#include <vector>

#include <QString>

#include "ui/common/analysis_state.h"
#include "ui/curves/curve_data.h"
#include "ui/curves/published_numbers.h"

namespace epsilens::ui {

/// What a plot shows between two epsilons as comma-separated values with a header: a line per point
/// with the value of its curve's parameter, mean and percentiles, and whose curve it is.
class CurvesCsv {
public:
    CurvesCsv(CurveParameter parameter, PercentileBand band, double lowest, double highest);

    /// parameter  of these curves; their values are left out where it is not that of the header
    /// source     "current", or what is pinned
    void add(const std::vector<Curve>& curves, CurveParameter parameter, const QString& source);
    /// Means of a paper, which has no percentiles.
    void add(const std::vector<PublishedPoint>& points, const QString& source);
    [[nodiscard]] const QString& text() const { return m_text; }

private:
    [[nodiscard]] bool isVisible(double epsilon) const {
        return epsilon >= m_lowest && epsilon <= m_highest;
    }

    CurveParameter m_parameter;
    PercentileBand m_band;
    double m_lowest;
    double m_highest;
    QString m_text;
};

}  // namespace epsilens::ui
