#pragma once

#include <optional>

#include "ui/curves/curves_model.h"
#include "ui/state/job_runner.h"
#include "ui/widgets/notice_line.h"
#include "ui/widgets/panel.h"

class QComboBox;
class QHBoxLayout;
class QLabel;
class QLineEdit;
class QPushButton;
class QStackedWidget;
class QStandardItemModel;
class QTableView;

namespace epsilens::ui {

class StatisticPlot;

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
    /// The calibration, for the place that shows all jobs.
    [[nodiscard]] JobRunnerBase* runner() { return &m_model.runner(); }
    [[nodiscard]] JobRunnerBase* refiner() { return &m_model.refiner(); }
    /// The grid and its runs, for panels that follow them.
    [[nodiscard]] CurvesModel& model() { return m_model; }
    [[nodiscard]] bool isRunning() const { return m_model.isRunning(); }
    /// Null until a run has finished with results.
    [[nodiscard]] const RunCurvesHandle& result() const { return m_model.result(); }

public Q_SLOTS:
    void run();
    void cancel() { m_model.cancel(); }

Q_SIGNALS:
    /// Another result is there.
    void resultChanged();
    /// A run waits for a field of the grid that does not take what was typed in it.
    void gridWanted();
    /// Whether one is running, and why none can start.
    void runStateChanged(bool isRunning, const QString& obstacle);

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    [[nodiscard]] QHBoxLayout* buildGridFields();
    [[nodiscard]] QWidget* buildEmptyState();
    [[nodiscard]] QWidget* buildResults();
    [[nodiscard]] QWidget* buildPlots();
    [[nodiscard]] QWidget* buildReadingRow();
    void connectModel();
    void connectGrid();
    void showGrid();
    void showGridProblem();
    void showResult();
    void showPage();
    void showCurves();
    /// What can be chosen of the curves to show their median and band.
    void offerBands();
    void showTable();
    /// Settings that changed since the run.
    void showStateNotice();
    void showRunState();
    void takeBand();
    void showReading();
    void copyTable();

    CurvesModel& m_model;  ///< a child: controls that lose the focus while closing still reach it
    NoticeLine* m_notice;
    QWidget* m_grid;  ///< around the fields of the grid
    QLineEdit* m_epsilons;
    QLineEdit* m_parameters;
    QLabel* m_parameterLabel = nullptr;
    QPushButton* m_run;
    QLabel* m_progress;
    QLabel* m_gridProblem;
    QString m_epsilonProblem;  ///< why the field is not taken as it stands
    QString m_parameterProblem;
    QStackedWidget* m_pages;
    QPushButton* m_emptyRun;
    QLabel* m_emptyText;
    StatisticPlot* m_nwPlot;
    StatisticPlot* m_swPlot;
    QLabel* m_nwOrigin;
    QLabel* m_swOrigin;
    QLabel* m_reading;
    QLabel* m_resultLabel;
    QComboBox* m_bandOf;
    QPushButton* m_copy;
    QStandardItemModel* m_table;
    QTableView* m_tableView;
};

}  // namespace epsilens::ui
