#pragma once

#include <vector>

#include "core/mechanism/mechanism.h"
#include "ui/plot/plot_widget.h"

namespace epsilens::ui {

/// What each mechanism promises for two words against how many of all words it keeps, with a line
/// at the share kept now and a shaded zone where a promise is of no use.
class MechanismsPlot : public PlotWidget {
    Q_OBJECT

public:
    struct Line {
        mechanism::Mechanism mechanism{};
        std::vector<double> kept{};    ///< rising with epsilon, out of 100
        std::vector<double> losses{};  ///< log of the odds, one for each of these
    };

    explicit MechanismsPlot(QWidget* parent = nullptr);

    /// pair     "paris against london"
    /// present  the mechanism at hand: its line is drawn stronger
    /// kept     out of 100
    void show(std::vector<Line> lines, const QString& pair, const mechanism::Mechanism& present,
              double kept);
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
    mechanism::Mechanism m_present;
    double m_kept = 50.0;
};

}  // namespace epsilens::ui
