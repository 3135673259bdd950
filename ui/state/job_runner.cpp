#include "ui/state/job_runner.h"

#include <cerrno>

#include <sys/resource.h>

#include <QCoreApplication>
#include <QThread>

namespace epsilens::ui {

namespace {

constexpr int kJobThreads = 16;
// With this many steps more the window gets two thirds of a processor that both want.
constexpr int kNicer = 3;

}  // namespace

QThreadPool* jobPool() {
    static QThreadPool pool;
    static const bool sized = [] {
        pool.setMaxThreadCount(kJobThreads);
        return true;
    }();
    Q_UNUSED(sized)
    return &pool;
}

void standBehindWindow() {
    // Who waits for a job that has not begun runs it on its own thread: the window, when it ends.
    const QCoreApplication* window = QCoreApplication::instance();
    thread_local bool isBehind = false;
    if (isBehind || window == nullptr || QThread::currentThread() == window->thread()) {
        return;
    }
    isBehind = true;
    // On Linux this is the priority of the calling thread alone. Where it cannot be lowered the
    // jobs run as well, so nothing is done about it.
    errno = 0;
    const int present = getpriority(PRIO_PROCESS, 0);
    if (errno == 0) {
        (void)setpriority(PRIO_PROCESS, 0, present + kNicer);
    }
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
