#pragma once

#include <optional>
#include <vector>

#include "ui/plot/plot_widget.h"
#include "ui/tradeoff/trade_off_model.h"

namespace epsilens::ui {

/// What settings are worth against what they cost: one line per family, points labelled with their
/// epsilon; a setting that another one beats in both is faint. A click chooses a setting.
class FrontierPlot : public PlotWidget {
    Q_OBJECT

public:
    explicit FrontierPlot(QWidget* parent = nullptr);

    /// Null empties the plot.
    void setResult(TradeOffResultHandle result);
    /// Rings the point of a cell: the present setting, or that nearest to it.
    void setMarked(std::optional<std::size_t> cell);
    /// Results of other settings than those at hand are grey and cannot be chosen.
    void setOutdated(bool outdated);

    [[nodiscard]] QString visibleCsv() const override;
    /// The points shown, in the order of tradeOffOf.
    [[nodiscard]] const std::vector<experiment::TradeOffPoint>& points() const { return m_points; }
    /// What the pointer tells of a point: both figures, with their 95 % intervals.
    [[nodiscard]] QString pointText(const experiment::TradeOffPoint& point) const;

Q_SIGNALS:
    /// A cell of the result was clicked.
    void cellChosen(std::size_t cell);

protected:
    void applyTheme(const Theme& theme) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void showHome();
    void rebuild();
    void addFamily(std::size_t family);
    void markPoint();
    void addLabel(const experiment::TradeOffPoint& point, const QColor& colour);
    void describe();
    [[nodiscard]] QString settingText(const experiment::TradeOffPoint& point) const;
    /// The point nearest to a place of the plot; null without one close by.
    [[nodiscard]] const experiment::TradeOffPoint* pointAt(const QPoint& position);

    TradeOffResultHandle m_result;
    std::vector<experiment::TradeOffPoint> m_points;
    std::optional<std::size_t> m_marked;
    QPoint m_pressed;
    bool m_isOutdated = false;
};

}  // namespace epsilens::ui
