#pragma once

#include <array>

#include <QLineEdit>

#include "ui/curves/curve_content.h"
#include "ui/curves/curve_grid.h"
#include "ui/state/query.h"
#include "ui/widgets/panel.h"

class QLabel;
class QPushButton;
class QStackedWidget;

namespace epsilens::ui {

class NoticeLine;
class NumbersView;

/// The Curves tab: a run over the grid, N_w and S_w of its results against epsilon, and the same
/// numbers as a table.
class CurvesPanel : public Panel {
    Q_OBJECT

public:
    explicit CurvesPanel(AnalysisState& state, QWidget* parent = nullptr);
    ~CurvesPanel() override;

    [[nodiscard]] QString title() const override { return tr("Curves"); }
    [[nodiscard]] QWidget* firstControl() const override { return m_epsilons.edit; }

    /// Why a run cannot start now; empty if it can.
    [[nodiscard]] QString obstacle() const;
    [[nodiscard]] bool isRunning() const { return m_runner.isRunning(); }
    [[nodiscard]] JobRunnerBase& runner() { return m_runner; }
    /// The job that measures the words of a run at every ε.
    [[nodiscard]] JobRunnerBase& refiner() { return m_responses.job(); }
    /// Null until a run has finished with results.
    [[nodiscard]] const RunCurvesHandle& result() const { return m_result; }
    /// Why the results no longer answer the settings; empty if they do or there are none.
    [[nodiscard]] QString staleness() const;
    /// Shows results of before, such as those of a session, of the embedding at hand.
    void restore(calibration::RunHandle run);

public Q_SLOTS:
    void run();

Q_SIGNALS:
    /// A run waits for a field of the grid that does not take what was typed in it.
    void gridWanted();
    /// Another answer of isRunning() or obstacle().
    void runStateChanged();
    void resultChanged();

private:
    /// A field of the grid.
    struct Field {
        QLineEdit* edit = nullptr;
        QLabel* label = nullptr;
        QString problem{};  ///< why it is not taken as it stands
        QString shown{};    ///< of the grid, last
    };
    /// A plot with the line above it.
    struct Part {
        Statistic statistic = Statistic::nw;
        QLabel* origin = nullptr;
        XyPlot* plot = nullptr;
    };
    struct ResponseKey {
        engine::SearchSpaceHandle space{};
        RunCurvesHandle run{};

        [[nodiscard]] bool operator==(const ResponseKey&) const = default;
    };

    [[nodiscard]] QWidget* buildGrid();
    [[nodiscard]] QWidget* buildResults();
    [[nodiscard]] QWidget* buildPlots();
    void connectState();
    [[nodiscard]] calibration::CalibrationOptions options() const;
    void take(Result<RunCurvesHandle> result);
    /// Whether there are results, of another mechanism than that at hand.
    [[nodiscard]] bool isOfOthers() const;
    /// Of the result, by the parameter set; there is a result.
    [[nodiscard]] std::size_t nearestCurve() const;
    [[nodiscard]] QString resultText() const;
    void showGrid();
    static void showText(Field& field, const QString& text);
    void showGridProblem();
    void showResult();
    void showCurves();
    void showState();
    void showReading();

    AnalysisState& m_state;
    CurveGrid m_grid;
    NoticeLine* m_notice;
    QWidget* m_fields = nullptr;  ///< around those of the grid
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
    RunCurvesHandle m_result;
    JobRunner<RunCurvesHandle> m_runner;
    Query<ResponseKey, RunCurvesHandle> m_responses;
};

}  // namespace epsilens::ui
