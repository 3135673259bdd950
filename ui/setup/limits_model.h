#pragma once

#include <functional>
#include <optional>

#include <QObject>
#include <QString>

#include "core/calibration/recommend.h"
#include "ui/state/job_runner.h"
#include "ui/state/session_results.h"
#include "ui/widgets/rest_timer.h"

namespace epsilens::ui {

struct AnalysisSettings;
class AnalysisState;
class JobBoard;
class LimitState;

/// The long functions behind the limits; tests put shorter ones in their place.
struct LimitFunctions {
    std::function<Result<calibration::Recommendation>(
        const engine::SearchSpace&, const calibration::RecommendationOptions&, const JobContext&)>
        recommend = calibration::recommend;
    std::function<Result<calibration::CalibrationSummary>(
        const engine::SearchSpace&, const calibration::CalibrationOptions&, const JobContext&)>
        calibrate = calibration::calibrate;
};

/// Options of the present setting alone: its lambda, or radius, and no epsilon.
[[nodiscard]] calibration::CalibrationOptions presentSetting(const AnalysisState& state);

/// Finds epsilon within the limits, and keeps their status at the present setting up to date where
/// the last run has it, or as long as measuring it is a matter of seconds.
class LimitsModel : public QObject {
    Q_OBJECT

public:
    LimitsModel(AnalysisState& state, LimitState& limits, JobBoard& jobs,
                LimitFunctions functions = {}, QObject* parent = nullptr);

    /// A run that has this setting tells its status without measuring it again. May be null.
    void setRun(calibration::RunHandle run);
    /// Searches in the background; an epsilon that is found becomes that of the state.
    void findEpsilon();
    void cancel();
    [[nodiscard]] bool isSearching() const { return m_search.isRunning(); }
    /// Why a search cannot start now; empty if it can.
    [[nodiscard]] QString obstacle() const;
    /// What the last search found, or which limit fails and by how much; empty before one.
    [[nodiscard]] const QString& message() const { return m_message; }
    /// Whether the message tells of a failure.
    [[nodiscard]] bool isFailure() const { return m_isFailure; }
    /// "500 words × 100 draws, about 2 s": what a search takes; empty until it is known.
    [[nodiscard]] QString costText() const;

Q_SIGNALS:
    /// Searching or not, the message, what stands in the way.
    void changed();

private:
    void follow(const AnalysisSettings& before, const AnalysisSettings& now);
    void followSettings();
    void forget();
    void followInputs();
    [[nodiscard]] calibration::RecommendationOptions searchOptions() const;
    void estimate();
    void measureAtRest();
    void measure();
    [[nodiscard]] const calibration::Cell* calibratedCell() const;
    void judge(const calibration::Cell& cell, int draws);
    void takeFound(const Result<calibration::Recommendation>& found);
    void takeMeasured(const Result<calibration::CalibrationSummary>& measured);
    void say(const QString& message, bool isFailure);

    AnalysisState& m_state;
    LimitState& m_limits;
    const JobBoard& m_jobs;
    LimitFunctions m_functions;
    calibration::RunHandle m_run;
    QString m_message;
    bool m_isFailure = false;
    bool m_isSettingEpsilon = false;
    RestTimer m_rest;
    /// What a search costs, and which of the settings that followed each other it was asked for.
    struct Cost {
        int settings = 0;
        calibration::CostEstimate estimate{};
    };
    int m_settings = 0;  ///< counts changes that the cost depends on
    std::optional<Cost> m_cost;
    JobRunner<Cost> m_estimator;
    JobRunner<calibration::CalibrationSummary> m_measurement;
    JobRunner<calibration::Recommendation> m_search;
};

}  // namespace epsilens::ui
