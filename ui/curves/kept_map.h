#pragma once

#include <vector>

#include <QPoint>

#include "core/calibration/limits.h"
#include "ui/curves/curve_parameter.h"
#include "ui/plot/epsilon_plot.h"

namespace epsilens::ui {

class KeptMapItem;

/// The mean share of draws that keep a word, against epsilon and the parameter of the curves: a row
/// for each value measured. What is outside the limits that the curves can tell is hatched.
class KeptMap : public EpsilonPlot {
    Q_OBJECT

public:
    explicit KeptMap(QWidget* parent = nullptr);

    /// run  null empties the map
    void setRun(RunCurvesHandle run);
    /// Those on N_w, S_w and the share kept count; the curves tell no other statistic.
    void setLimits(std::vector<calibration::Limit> limits);
    /// The row of the setting, framed; -1: none is.
    void setCurve(int index);
    /// Results of other settings than those at hand are grey, and a click chooses none.
    void setOutdated(bool outdated);
    void setEpsilon(double epsilon) override;

    /// Whether there are rows to compare.
    [[nodiscard]] bool isUseful() const { return m_run && m_run->nw.size() > 1; }
    [[nodiscard]] QString visibleCsv() const override;

Q_SIGNALS:
    /// A place was clicked, or a row chosen with Up and Down: an index into the curves of the run.
    void settingChosen(double epsilon, int curve);

protected:
    void applyTheme(const Theme& theme) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;
    void readAt(const QMouseEvent& event) override;

private:
    void refresh();
    void describe();
    /// None for results of earlier settings, which have no verdicts.
    [[nodiscard]] std::vector<calibration::Limit> shownLimits() const;
    /// The row at a place of the plot; -1 beside all rows.
    [[nodiscard]] int rowAt(const QPoint& position);

    KeptMapItem* m_item;  ///< owned by the plot
    RunCurvesHandle m_run;
    std::vector<calibration::Limit> m_limits;
    int m_curve = -1;
    bool m_isOutdated = false;
    QPoint m_pressed;
};

}  // namespace epsilens::ui
