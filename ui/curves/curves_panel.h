#pragma once

#include <array>

#include <QLineEdit>

#include "core/calibration/run_curves.h"
#include "ui/curves/curve_grid.h"
#include "ui/plot/xy_plot.h"
#include "ui/state/analysis_settings.h"
#include "ui/state/query.h"
#include "ui/widgets/layout.h"

class QLabel;
class QPushButton;
class QStackedWidget;

namespace epsilens::ui {

class NoticeLine;
class NumbersView;

using calibration::Curve;
using calibration::CurveParameter;
using calibration::parameterOf;
using calibration::parameterValue;
using calibration::Reading;
using calibration::RunCurves;
using calibration::RunCurvesHandle;

enum class Statistic { nw, sw };

[[nodiscard]] QString originText(const RunCurves& run, Statistic statistic);

/// "At ε 10, λ 0.5: N_w 34.9 (median 33, P5–P95 12–60) · S_w ≈ 56.1 (…)" for a curve, after a
/// sentence that says so where it is not that of the mechanism set, but the nearest to it.
[[nodiscard]] QString readingText(const RunCurves& run, std::size_t curve, double epsilon,
                                  PercentileBand band, const mechanism::Mechanism& set);

/// From the smallest value of the parameter on, each at least 3:1 against the ground.
[[nodiscard]] QColor curveColour(Statistic statistic, const Theme& theme, int index, int count);

[[nodiscard]] PlotContent curveContent(const RunCurves& run, Statistic statistic,
                                       PercentileBand band, std::size_t bandOf);

/// The page Curves: how often words are kept and how many they become, at every epsilon of a grid,
/// for several parameters of the mechanism.
class CurvesPanel : public Panel {
    Q_OBJECT

public:
    explicit CurvesPanel(AnalysisState& state, QWidget* parent = nullptr);

    [[nodiscard]] QString title() const override { return tr("Curves"); }
    [[nodiscard]] QWidget* firstControl() const override { return m_epsilons.edit; }

    [[nodiscard]] QString obstacle() const;
    [[nodiscard]] bool isRunning() const { return m_runner.isRunning(); }
    [[nodiscard]] JobRunnerBase& runner() { return m_runner; }
    [[nodiscard]] JobRunnerBase& refiner() { return m_responses.job(); }
    [[nodiscard]] const RunCurvesHandle& result() const { return m_result; }
    [[nodiscard]] QString staleness() const;
    void restore(calibration::RunHandle run);

public Q_SLOTS:
    void run();

Q_SIGNALS:
    /// A run waits for a field of the grid that does not take what was typed in it.
    void gridWanted();
    void runStateChanged();
    void resultChanged();

private:
    struct Field {
        QLineEdit* edit = nullptr;
        QLabel* label = nullptr;
        QString shown{};  ///< of the grid, last
    };
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
    void connectState();
    [[nodiscard]] calibration::CalibrationOptions options() const;
    void takeResult(Result<RunCurvesHandle> result);
    [[nodiscard]] bool isOfOthers() const;
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
