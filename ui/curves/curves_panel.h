#pragma once

#include <array>

#include "ui/curves/curves_model.h"
#include "ui/widgets/panel.h"

class QHBoxLayout;
class QLabel;
class QLineEdit;
class QPushButton;
class QStackedWidget;

namespace epsilens::ui {

class NoticeLine;
class NumbersView;
class XyPlot;

/// The Curves tab: N_w and S_w against epsilon for a grid, and the same numbers as a
/// table.
class CurvesPanel : public Panel {
    Q_OBJECT

public:
    explicit CurvesPanel(AnalysisState& state, QWidget* parent = nullptr);

    [[nodiscard]] QString title() const override;
    [[nodiscard]] bool handles(PanelCommand command) const override {
        return command == PanelCommand::run;
    }
    void execute(PanelCommand command) override;
    [[nodiscard]] QWidget* firstControl() const override;
    /// The grid and its runs, for panels that follow them.
    [[nodiscard]] CurvesModel& model() { return m_model; }

    /// Null until a run has finished with results.
    [[nodiscard]] const RunCurvesHandle& result() const { return m_model.result(); }

public Q_SLOTS:
    void run();

Q_SIGNALS:
    /// A run waits for a field of the grid that does not take what was typed in it.
    void gridWanted();
    /// Whether one is running, and why none can start.
    void runStateChanged(bool isRunning, const QString& obstacle);

private:
    /// A field of the grid.
    struct Field {
        QLineEdit* edit = nullptr;
        QLabel* label = nullptr;
        QString problem{};  ///< why it is not taken as it stands
    };
    /// A plot with the line above it.
    struct Part {
        Statistic statistic = Statistic::nw;
        QLabel* origin = nullptr;
        XyPlot* plot = nullptr;
    };

    [[nodiscard]] QWidget* buildGrid();
    [[nodiscard]] QWidget* buildEmptyState();
    [[nodiscard]] QWidget* buildResults();
    [[nodiscard]] QWidget* buildPlots();
    void connectModel();
    void showGrid();
    void showGridProblem();
    void showResult();
    void showCurves();
    /// Whether there are results of the mechanism at hand, and settings that changed since.
    void showState();
    void showRunState();
    void showReading();

    CurvesModel& m_model;  ///< a child: controls that lose the focus while closing still reach it
    NoticeLine* m_notice;
    QWidget* m_grid = nullptr;  ///< around the fields of the grid
    Field m_epsilons;
    Field m_parameters;
    QPushButton* m_run = nullptr;
    QLabel* m_gridProblem = nullptr;
    QStackedWidget* m_pages;
    QPushButton* m_emptyRun;
    QLabel* m_emptyText;
    std::array<Part, 2> m_parts;
    QLabel* m_reading;
    QLabel* m_resultLabel;
    NumbersView* m_numbers;
};

}  // namespace epsilens::ui
