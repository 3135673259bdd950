#pragma once

#include <optional>

#include <QObject>
#include <QString>

#include "ui/curves/curve_parameter.h"
#include "ui/state/analysis_state.h"
#include "ui/state/job_runner.h"

namespace epsilens::ui {

/// Options of a run of the pinned settings that can be laid over another run: its words, draws,
/// seed and epsilons, those left out at which the pinned mechanism does not exist. Nothing without
/// a pin, or where no epsilon is left.
[[nodiscard]] std::optional<calibration::CalibrationOptions> pinnedOptions(
    const AnalysisState& state, const calibration::CalibrationOptions& run);

/// Where a run has the curve of a mechanism, so that it need not be measured again.
[[nodiscard]] std::optional<std::size_t> curveOf(const RunCurves& run,
                                                 const mechanism::Mechanism& mechanism);

/// The curve of the pinned settings beside the result of a run: taken from the result where it has
/// it, else measured.
class PinnedCurve : public QObject {
    Q_OBJECT

public:
    explicit PinnedCurve(AnalysisState& state, QObject* parent = nullptr);

    /// Follows another result; null: none.
    ///
    /// isAsked  the analyst has just run it: what was hindered before is measured again
    void setResult(RunCurvesHandle result, bool isAsked);
    /// One curve per statistic; null while there is none.
    [[nodiscard]] const RunCurvesHandle& run() const { return m_run; }
    /// "pinned: λ 0.5" beside curves of the same kind, else "pinned: TEM Euclidean β 0.001"; says
    /// so where its epsilons have another unit than those of the result.
    [[nodiscard]] QString name() const;
    [[nodiscard]] JobRunnerBase& runner() { return m_runner; }
    /// Why there is no curve of a pin beside the result; empty where there is one, while it is
    /// being measured, and where nothing is pinned.
    [[nodiscard]] const QString& obstacle() const { return m_obstacle; }
    /// Whether measuring it could do away with the obstacle.
    [[nodiscard]] bool canMeasure() const { return m_wanted.has_value() && !m_runner.isRunning(); }
    /// Measures it.
    void measure();

Q_SIGNALS:
    void changed();
    void obstacleChanged();

private:
    void follow(bool isAsked);
    void start();
    void finish(Result<RunCurvesHandle> run);
    void take(RunCurvesHandle run);
    void setObstacle(const QString& obstacle);

    AnalysisState& m_state;
    RunCurvesHandle m_result;
    RunCurvesHandle m_run;
    std::optional<calibration::CalibrationOptions> m_wanted;  ///< what has to be measured
    QString m_obstacle;
    JobRunner<RunCurvesHandle> m_runner;
};

}  // namespace epsilens::ui
