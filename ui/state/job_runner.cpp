#include "ui/state/job_runner.h"

#include <algorithm>
#include <cerrno>
#include <cmath>

#include <sys/resource.h>

#include <QCoreApplication>
#include <QThread>

namespace epsilens::ui {

namespace {

constexpr int kJobThreads = 16;
// With this many steps more the window gets two thirds of a processor that both want.
constexpr int kNicer = 3;

// Less says nothing of the pace.
constexpr double kLeastFraction = 0.03;
// The estimate follows the pace as slowly as this, and in a long job by this share of it.
constexpr double kSlownessSeconds = 3.0;
constexpr double kSlownessShare = 0.15;
// A job that has overrun its estimate takes at least this share of the rest of its pace.
constexpr double kLeastOfPace = 0.5;

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

void Pace::goOn(double elapsed, double fraction) {
    if (!(fraction >= kLeastFraction)) {
        return;
    }
    const double whole = elapsed / fraction;
    if (m_whole) {
        const double slowness = std::max(kSlownessSeconds, kSlownessShare * *m_whole);
        *m_whole += (1.0 - std::exp(-(elapsed - m_elapsed) / slowness)) * (whole - *m_whole);
    } else {
        m_whole = whole;
    }
    m_elapsed = elapsed;
    m_fraction = fraction;
}

std::optional<double> Pace::secondsLeft(double elapsed) const {
    if (!m_whole) {
        return std::nullopt;
    }
    const double rest = elapsed * (1.0 - m_fraction) / m_fraction;
    return std::max(*m_whole - elapsed, kLeastOfPace * rest);
}

JobRunnerBase::JobRunnerBase(QString title, QObject* parent)
    : QObject(parent), m_title(std::move(title)) {}

JobRunnerBase::~JobRunnerBase() = default;

double JobRunnerBase::elapsedSeconds() const {
    return m_running ? static_cast<double>(m_clock.elapsed()) / 1000.0 : 0.0;
}

std::optional<double> JobRunnerBase::secondsLeft() const {
    return m_running ? m_pace.secondsLeft(elapsedSeconds()) : std::nullopt;
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
    m_pace = {};
    m_stage.clear();
    m_clock.start();
    Q_EMIT started();
}

void JobRunnerBase::setProgress(int thousandths, const QString& stage) {
    m_fraction = static_cast<double>(thousandths) / 1000.0;
    m_stage = stage;
    m_pace.goOn(elapsedSeconds(), m_fraction);
    Q_EMIT progressChanged(m_fraction, m_stage);
}

}  // namespace epsilens::ui
