#pragma once

#include <vector>

#include <QtCharts/QChartView>

#include "ui/live/distribution_bars.h"

class QBarCategoryAxis;
class QBarSet;
class QHorizontalStackedBarSeries;
class QValueAxis;

namespace epsilens::ui::live {

/// Bars of the outputs of one word, in the colours and patterns of Live, the most frequent on top.
class DistributionChart : public QChartView {
    Q_OBJECT

public:
    explicit DistributionChart(QWidget* parent = nullptr);
    ~DistributionChart() override;

    /// word  whose outputs they are; bars  as distributionBars() gives them
    void setBars(const QString& word, const std::vector<DistributionBar>& bars);
    /// Whether the bars are of earlier settings.
    void setDimmed(bool dimmed);
    [[nodiscard]] const std::vector<DistributionBar>& bars() const { return m_bars; }

protected:
    void changeEvent(QEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;

private:
    void buildSeries();
    void applyTheme();
    void showBars();
    void describe(const QString& word);

    std::vector<DistributionBar> m_bars;
    std::vector<QBarSet*> m_sets;  ///< one per mark with an area: kept, near, far, others
    QHorizontalStackedBarSeries* m_series;
    QBarCategoryAxis* m_words;
    QValueAxis* m_shares;
};

}  // namespace epsilens::ui::live
