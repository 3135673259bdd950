#include "ui/state/job_runner.h"

namespace epsilens::ui {

namespace {
constexpr int kJobThreads = 16;
}

QThreadPool* jobPool() {
    static QThreadPool pool;
    static const bool sized = [] {
        pool.setMaxThreadCount(kJobThreads);
        return true;
    }();
    Q_UNUSED(sized)
    return &pool;
}

JobRunnerBase::JobRunnerBase(QString title, QObject* parent)
    : QObject(parent), m_title(std::move(title)) {}

JobRunnerBase::~JobRunnerBase() = default;

double JobRunnerBase::elapsedSeconds() const {
    return m_running ? static_cast<double>(m_clock.elapsed()) / 1000.0 : 0.0;
}

void JobRunnerBase::cancel() {
    dropPending();
    requestStop();
}

void JobRunnerBase::drop() {
    m_unwanted = true;
    cancel();
}

std::stop_token JobRunnerBase::freshToken() {
    m_stop = std::stop_source{};
    return m_stop.get_token();
}

void JobRunnerBase::markStarted() {
    m_running = true;
    m_unwanted = false;
    m_fraction = 0.0;
    m_stage.clear();
    m_clock.start();
    Q_EMIT started();
}

void JobRunnerBase::setProgress(int thousandths, const QString& stage) {
    m_fraction = static_cast<double>(thousandths) / 1000.0;
    m_stage = stage;
    Q_EMIT progressChanged(m_fraction, m_stage);
}

}  // namespace epsilens::ui
