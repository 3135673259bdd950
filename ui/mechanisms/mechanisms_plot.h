#pragma once

#include <vector>

#include "ui/plot/plot_widget.h"

namespace epsilens::ui {

/// What each mechanism promises for two words against how many of all words it keeps, with a line
/// at the share kept now and a shaded zone where a promise is of no use.
class MechanismsPlot : public PlotWidget {
    Q_OBJECT

public:
    struct Line {
        QString name{};
        std::vector<double> kept{};    ///< rising with epsilon, out of 100
        std::vector<double> losses{};  ///< log of the odds, one for each of these
        bool isCurrent = false;        ///< of the setting at hand: drawn stronger
    };

    explicit MechanismsPlot(QWidget* parent = nullptr);

    /// pair  "paris against london"
    void show(std::vector<Line> lines, const QString& pair);
    /// kept  out of 100
    void setKept(double kept);
    [[nodiscard]] QString visibleCsv() const override;

protected:
    void applyTheme(const Theme& theme) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void rebuild();
    void describe();
    [[nodiscard]] QString textAt(double kept) const;

    std::vector<Line> m_lines;
    QString m_pair;
    double m_kept = 50.0;
};

}  // namespace epsilens::ui
