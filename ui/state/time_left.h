#pragma once

#include <optional>

#include <QObject>

#include "ui/state/job_runner.h"

namespace epsilens::ui {

/// How long a job will still take, from its pace. Parts of a job cost more than their share says,
/// so that the estimate follows its pace slowly.
class Pace {
public:
    /// elapsed   seconds, not falling
    /// fraction  of the job that is done then, in [0, 1]
    void goOn(double elapsed, double fraction);
    /// Seconds; nothing before there is enough to judge by.
    [[nodiscard]] std::optional<double> secondsLeft(double elapsed) const;

private:
    std::optional<double> m_whole;  ///< seconds of the whole job
    double m_elapsed = 0.0;
    double m_fraction = 0.0;
};

/// The time left of the jobs of one runner; belongs to it.
class TimeLeft : public QObject {
    Q_OBJECT

public:
    /// The one of a runner, made where there is none.
    [[nodiscard]] static TimeLeft& of(JobRunnerBase& runner);
    /// Null where there is none.
    [[nodiscard]] static const TimeLeft* find(const JobRunnerBase& runner);

    /// Nothing before there is enough to judge by.
    [[nodiscard]] std::optional<double> seconds() const;

private:
    explicit TimeLeft(JobRunnerBase& runner);

    JobRunnerBase& m_runner;
    Pace m_pace;
};

}  // namespace epsilens::ui
