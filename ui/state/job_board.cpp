#include "ui/state/job_board.h"

#include <algorithm>

namespace epsilens::ui {

JobBoard::JobBoard(QObject* parent) : QObject(parent) {}

void JobBoard::watch(JobRunnerBase* runner) {
    connect(runner, &JobRunnerBase::started, this, [this, runner] {
        remove(runner);
        m_running.push_back(runner);
        Q_EMIT changed();
    });
    connect(runner, &JobRunnerBase::progressChanged, this, &JobBoard::changed);
    connect(runner, &JobRunnerBase::finished, this, [this, runner] {
        remove(runner);
        Q_EMIT changed();
    });
    connect(runner, &QObject::destroyed, this, [this](QObject* gone) {
        remove(gone);
        Q_EMIT changed();
    });
}

bool JobBoard::isAnswering() const {
    return std::any_of(m_first.begin(), m_first.end(),
                       [](const auto& runner) { return runner && runner->isRunning(); });
}

JobRunnerBase* JobBoard::foremost() const {
    return m_running.empty() ? nullptr : m_running.front();
}

void JobBoard::cancelAll() {
    const auto running = m_running;
    for (JobRunnerBase* runner : running) {
        runner->cancel();
    }
}

void JobBoard::remove(const QObject* runner) {
    m_running.erase(std::remove(m_running.begin(), m_running.end(), runner), m_running.end());
}

}  // namespace epsilens::ui
