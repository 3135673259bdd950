#pragma once

#include <optional>

#include <QObject>
#include <QString>

#include "core/calibration/measurement.h"
#include "ui/state/job_runner.h"
#include "ui/widgets/rest_timer.h"

namespace epsilens::ui {

class AnalysisState;
class JobBoard;

/// Keeps a measurement of the current setting: it starts by itself when another embedding or
/// mechanism is chosen, and once parameters, draws or the seed have come to rest. One that would
/// take longer than a few seconds waits to be asked for.
class QuickMeasurement : public QObject {
    Q_OBJECT

public:
    /// Words that are measured unasked, or all there are.
    static constexpr std::int64_t kWords = 200;
    /// A measurement that takes longer is not started unasked.
    static constexpr double kMostSecondsUnasked = 10.0;

    QuickMeasurement(AnalysisState& state, JobBoard& jobs, QObject* parent = nullptr);

    /// The last measurement of the embedding at hand; null before the first.
    [[nodiscard]] const calibration::MeasurementHandle& result() const { return m_result; }
    /// Whether result() is one of the current setting.
    [[nodiscard]] bool isCurrent() const;
    [[nodiscard]] bool isRunning() const { return m_job.isRunning(); }
    /// Whether the current setting waits for measure(): it takes long, or was cancelled.
    [[nodiscard]] bool isToAskFor() const;
    /// What that would take; nothing where it is not known.
    [[nodiscard]] std::optional<double> seconds() const { return m_seconds; }
    /// Why the current setting cannot be measured; empty if it can.
    [[nodiscard]] const QString& problem() const { return m_problem; }
    /// Measures now, however long it takes.
    void measure();

Q_SIGNALS:
    /// Another result, or the state of the one that is to come.
    void changed();

private:
    struct Answer {
        calibration::MeasurementHandle measurement{};
        std::optional<double> seconds{};  ///< instead of a measurement that takes too long
    };

    void forget();
    void followSetting();
    void start(bool isAskedFor);
    void take(const Result<Answer>& answer);
    [[nodiscard]] calibration::MeasurementOptions wanted() const;

    AnalysisState& m_state;
    const JobBoard& m_jobs;
    calibration::MeasurementHandle m_result;
    std::optional<double> m_seconds;
    QString m_problem;
    RestTimer m_rest;
    JobRunner<Answer> m_job;
};

}  // namespace epsilens::ui
