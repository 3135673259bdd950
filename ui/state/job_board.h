#pragma once

#include <vector>

#include <QObject>
#include <QPointer>

#include "ui/state/job_runner.h"

namespace epsilens::ui {

/// The jobs of all panels, so that one place can show their progress and cancel them.
class JobBoard : public QObject {
    Q_OBJECT

public:
    explicit JobBoard(QObject* parent = nullptr);

    /// Shows this runner's jobs from now on. Not for jobs of a few milliseconds that follow a
    /// slider.
    void watch(JobRunnerBase* runner);
    /// The analyst waits for the answers of this runner: work that may come a moment later stands
    /// back meanwhile.
    void putFirst(const JobRunnerBase* runner) { m_first.emplace_back(runner); }
    [[nodiscard]] bool isAnswering() const;
    /// The job running longest, or nullptr.
    [[nodiscard]] JobRunnerBase* foremost() const;
    [[nodiscard]] int runningCount() const { return static_cast<int>(m_running.size()); }

public Q_SLOTS:
    void cancelAll();

Q_SIGNALS:
    void changed();

private:
    void remove(const QObject* runner);

    std::vector<JobRunnerBase*> m_running;  ///< in the order they started
    std::vector<QPointer<const JobRunnerBase>> m_first;
};

}  // namespace epsilens::ui
