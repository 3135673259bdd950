#pragma once

#include <functional>
#include <optional>
#include <vector>

#include <QObject>
#include <QString>

#include "core/calibration/measurement.h"
#include "ui/state/job_runner.h"
#include "ui/widgets/rest_timer.h"

namespace epsilens::ui {

class AnalysisState;
class JobBoard;

/// What measures; tests put something quicker in its place.
using MeasureFunction = std::function<Result<calibration::MeasurementHandle>(
    const engine::SearchSpace&, const calibration::MeasurementOptions&, const JobContext&)>;

[[nodiscard]] inline Result<calibration::MeasurementHandle> measureAlone(
    const engine::SearchSpace& space, const calibration::MeasurementOptions& options,
    const JobContext& job) {
    return calibration::measure(space, options, job);
}

/// Words of a text, and how often each counts.
struct WeightedWords {
    std::vector<calibration::Row> rows{};
    std::vector<double> weights{};  ///< one per row

    [[nodiscard]] bool operator==(const WeightedWords&) const = default;
};

/// Keeps a measurement of the current setting: it starts by itself when another embedding or
/// mechanism is chosen, and once parameters, draws or the seed have come to rest. After a run it is
/// one of the words of the run, so that whatever shows the setting speaks of the same words.
class QuickMeasurement : public QObject {
    Q_OBJECT

public:
    /// Words that are measured before a run, or all there are.
    static constexpr std::int64_t kWords = 200;

    /// What is measured: words of the vocabulary, or of a text once there is one.
    enum class Subject { vocabulary, text };

    QuickMeasurement(AnalysisState& state, JobBoard& jobs, MeasureFunction function = measureAlone,
                     Subject subject = Subject::vocabulary, QObject* parent = nullptr);

    /// The last measurement of the embedding at hand; null before the first.
    [[nodiscard]] const calibration::MeasurementHandle& result() const { return m_result; }
    /// Whether result() is one of the current setting.
    [[nodiscard]] bool isCurrent() const;
    [[nodiscard]] bool isRunning() const { return m_job.isRunning(); }
    /// Whether the current setting waits for measure(): it was cancelled.
    [[nodiscard]] bool isToAskFor() const;
    /// Why the current setting cannot be measured; empty if it can.
    [[nodiscard]] const QString& problem() const { return m_problem; }
    /// What is measured of the current setting: "200 words".
    [[nodiscard]] QString wordsText() const;
    void measure();
    /// Words of the embedding at hand to be measured where the subject is a text.
    void setText(std::optional<WeightedWords> words);
    /// Measures from now on the words that a run would measure, unless these are all there are:
    /// what is found then is what a run finds.
    void measureWordsOfRuns();
    /// Measures these words of a run from now on, at once, as long as the settings ask for them.
    void followWords(const calibration::WordSelection& words);

Q_SIGNALS:
    void changed();

private:
    void forget();
    void followSetting();
    [[nodiscard]] bool canMeasure() const;
    void take(const Result<calibration::MeasurementHandle>& answer);
    [[nodiscard]] calibration::MeasurementOptions wanted() const;

    AnalysisState& m_state;
    const JobBoard& m_jobs;
    Subject m_subject;
    MeasureFunction m_measure;
    calibration::MeasurementHandle m_result;
    calibration::MeasurementOptions m_asked{};  ///< of the last one that was started
    std::optional<WeightedWords> m_text;
    std::optional<calibration::WordSelection> m_wordsOfRun;
    std::optional<calibration::WordSelection> m_tooMany;  ///< memory does not suffice for these
    QString m_problem;
    RestTimer m_rest;
    JobRunner<calibration::MeasurementHandle> m_job;
};

}  // namespace epsilens::ui
