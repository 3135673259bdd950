#pragma once

#include "ui/plot/epsilon_plot.h"
#include "ui/tradeoff/measured_curves.h"

namespace epsilens::ui {

/// Measured counts against epsilon with their intervals and reference lines. A click on a measured
/// point chooses its setting.
class MeasuredPlot : public EpsilonPlot {
    Q_OBJECT

public:
    /// name  for assistive technology, "Accuracy against epsilon"
    explicit MeasuredPlot(const QString& name, QWidget* parent = nullptr);

    void setCurves(MeasuredCurves curves);
    /// Rings the points at a measured epsilon: those of the present setting, or nearest to it.
    void setMarked(std::optional<double> epsilon);
    /// Results of other settings than those at hand are grey and have no cursor.
    void setOutdated(bool outdated);

    [[nodiscard]] QString visibleCsv() const override;

Q_SIGNALS:
    /// A measured point was clicked.
    void pointChosen(double epsilon);

protected:
    void applyTheme(const Theme& theme) override;
    void readAt(const QMouseEvent& event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void showHome();
    void rebuild();
    void addLine(const MeasuredLine& line, int index);
    void markPoints();
    void addReference(const ReferenceLine& reference, int index);
    void describe();
    [[nodiscard]] QColor colourOf(int index) const;
    /// The measured epsilon at a place of the plot; 0 without one.
    [[nodiscard]] double measuredAt(const QPoint& position) const;

    MeasuredCurves m_curves;
    std::optional<double> m_marked;
    QPoint m_pressed;
    bool m_isOutdated = false;
};

}  // namespace epsilens::ui
