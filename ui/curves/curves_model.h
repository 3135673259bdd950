#pragma once

#include <QObject>
#include <QString>

#include "ui/curves/curve_content.h"
#include "ui/curves/curve_grid.h"
#include "ui/state/analysis_state.h"
#include "ui/state/query.h"

namespace epsilens::ui {

/// What the Curves tab does, without a window: a run over the grid, and its results.
class CurvesModel : public QObject {
    Q_OBJECT

public:
    explicit CurvesModel(AnalysisState& state, QObject* parent = nullptr);

    [[nodiscard]] AnalysisState& state() { return m_state; }
    [[nodiscard]] const AnalysisState& state() const { return m_state; }

    [[nodiscard]] CurveGrid& grid() { return m_grid; }

    /// Options of the run as the settings stand.
    [[nodiscard]] calibration::CalibrationOptions options() const;
    /// Why a run cannot start now; empty if it can.
    [[nodiscard]] QString obstacle() const;

    void run();
    /// Shows results of before, such as those of a session, of the embedding at hand;
    /// resultChanged() follows.
    void restore(calibration::RunHandle run);
    void cancel() { m_runner.cancel(); }
    [[nodiscard]] bool isRunning() const { return m_runner.isRunning(); }
    [[nodiscard]] JobRunnerBase& runner() { return m_runner; }
    /// The job that measures a run of a session at every ε.
    [[nodiscard]] JobRunnerBase& refiner() { return m_responses.job(); }

    /// Null until a run has finished with results.
    [[nodiscard]] const RunCurvesHandle& result() const { return m_result; }
    /// What the results are of: words, draws, seed, time, "partial: 312 of 500 words".
    [[nodiscard]] QString resultText() const;
    /// Why the results no longer answer the settings; empty if they do or there are none.
    [[nodiscard]] QString staleness() const;
    [[nodiscard]] bool isOutdated() const { return !staleness().isEmpty(); }
    /// Whether there are results, of another embedding or mechanism than those at hand.
    [[nodiscard]] bool isOfOthers() const;
    /// Index of the curve of the result whose parameter is nearest to the value set; -1 without a
    /// result.
    [[nodiscard]] int nearestCurve() const;

Q_SIGNALS:
    /// A run started or ended.
    void runningChanged();
    void resultChanged();
    /// result() has denser lines; its summary is the same.
    void linesRefined();
    void stalenessChanged();
    void failed(const Error& error);

private:
    struct ResponseKey {
        engine::SearchSpaceHandle space{};
        RunCurvesHandle run{};

        [[nodiscard]] bool operator==(const ResponseKey&) const = default;
    };

    void takeResult(Result<RunCurvesHandle> result);

    AnalysisState& m_state;
    CurveGrid m_grid;
    RunCurvesHandle m_result;
    JobRunner<RunCurvesHandle> m_runner;
    Query<ResponseKey, RunCurvesHandle> m_responses;
};

}  // namespace epsilens::ui
