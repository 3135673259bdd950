#pragma once

#include <optional>

#include <QDialog>

#include "ui/plot/plot_widget.h"

class QDialogButtonBox;
class QLabel;

namespace epsilens::ui {

class NumberField;

/// The range of both axes of a plot, typed.
class AxisLimitsDialog : public QDialog {
    Q_OBJECT

public:
    struct Limits {
        PlotWidget::Range x{};
        PlotWidget::Range y{};
        bool xLogarithmic = false;  ///< its limits must then be > 0
    };

    explicit AxisLimitsDialog(const Limits& shown, QWidget* parent = nullptr);

    [[nodiscard]] Limits limits() const;

private:
    [[nodiscard]] NumberField* addField(const char* id, const QString& name, double value,
                                        bool positive);
    [[nodiscard]] QString problem() const;
    void check();

    bool m_xLogarithmic;
    NumberField* m_xLow;
    NumberField* m_xHigh;
    NumberField* m_yLow;
    NumberField* m_yHigh;
    QLabel* m_problem;
    QDialogButtonBox* m_buttons;
};

}  // namespace epsilens::ui
