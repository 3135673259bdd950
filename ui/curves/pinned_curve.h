#pragma once

#include <optional>

#include <QObject>
#include <QString>

#include "ui/common/analysis_state.h"
#include "ui/common/job_runner.h"
#include "ui/curves/curve_data.h"

namespace epsilens::ui {

/// Options of a run of the pinned settings that can be laid over another run: its words, draws,
/// seed and epsilons, those left out at which the pinned mechanism does not exist. Nothing without
/// a pin, or where no epsilon is left.
[[nodiscard]] std::optional<calibration::CalibrationOptions> pinnedOptions(
    const AnalysisState& state, const calibration::CalibrationOptions& run);

/// Cost of a run and, after it, of the pinned curve; fails as estimateCost does for the run.
[[nodiscard]] Result<calibration::CostEstimate> costWithPinned(
    const engine::SearchSpace& space, const calibration::CalibrationOptions& asked,
    const std::optional<calibration::CalibrationOptions>& pinned);

/// Whether a run has the curve of a choice among its own, so that it need not be measured again.
[[nodiscard]] std::optional<std::size_t> curveOf(const CurveRun& run,
                                                 const MechanismChoice& choice);

/// The curve of the pinned settings beside the result of a run: taken from the result where it has
/// it, else measured.
class PinnedCurve : public QObject {
    Q_OBJECT

public:
    /// Longest measurement that is begun without having been asked for.
    static constexpr double kMostUnaskedSeconds = 5.0;

    explicit PinnedCurve(AnalysisState& state, QObject* parent = nullptr);

    /// Follows another result; null: none.
    ///
    /// isAsked  the analyst has just run it, with the cost of the pinned curve in view
    void setResult(CurveRunHandle result, bool isAsked);
    /// One curve per statistic; null while there is none.
    [[nodiscard]] const CurveRunHandle& run() const { return m_run; }
    /// "pinned: λ 0.5" beside curves of the same kind, else "pinned: TEM Euclidean β 0.001"; says
    /// so where its epsilons have another unit than those of the result.
    [[nodiscard]] QString name() const;
    [[nodiscard]] JobRunnerBase& runner() { return m_runner; }

Q_SIGNALS:
    void changed();

private:
    void follow(bool isAsked);
    void take(CurveRunHandle run);

    AnalysisState& m_state;
    CurveRunHandle m_result;
    CurveRunHandle m_run;
    JobRunner<CurveRunHandle> m_runner;
};

}  // namespace epsilens::ui
