#pragma once

#include <cstddef>
#include <vector>

#include <QtCharts/QChartView>

#include "ui/live/distribution_bars.h"
#include "ui/plot/view_export.h"

class QBarCategoryAxis;
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
    /// Whether the bars are probabilities, not shares of draws.
    void setExact(bool exact);
    /// Outputs that can have a readable bar of their own at the present height, 5 to kMostBars.
    [[nodiscard]] int roomForBars() const;
    /// The font of the words beside the bars and of their shares.
    [[nodiscard]] QFont labelFont() const;
    /// Whether the bars are of earlier settings.
    void setDimmed(bool dimmed);
    [[nodiscard]] const std::vector<DistributionBar>& bars() const { return m_bars; }
    [[nodiscard]] ExportedView exported();

Q_SIGNALS:
    /// roomForBars() is another number.
    void roomChanged();

protected:
    /// Words and percentages: the labels of the axis would be left out where they are close
    /// together.
    void drawForeground(QPainter* painter, const QRectF& rect) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;

private:
    void buildAxes();
    void showMenu(const QPoint& globalPosition);
    [[nodiscard]] QString csv() const;
    void applyTheme();
    void placePlot();
    void showBars();
    void describe(const QString& word);
    [[nodiscard]] int labelWidth() const;
    [[nodiscard]] double percentSpace() const;
    void followRoom();
    [[nodiscard]] double plotHeight() const;
    /// Places for bars; few bars leave some empty rather than becoming blocks.
    [[nodiscard]] std::size_t places() const;

    std::vector<DistributionBar> m_bars;
    QHorizontalStackedBarSeries* m_series;
    QBarCategoryAxis* m_words;
    QValueAxis* m_shares;
    bool m_isDimmed = false;
    int m_room = kMostBars;
};

}  // namespace epsilens::ui::live
