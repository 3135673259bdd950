#include "ui/state/job_runner.h"

#include <sys/resource.h>
#include <algorithm>
#include <cerrno>
#include <cmath>

#include <QCoreApplication>
#include <QThread>

namespace epsilens::ui {

namespace {

constexpr int kJobThreads = 16;
// With this many steps more the window gets two thirds of a processor that both want.
constexpr int kNicer = 3;

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

void lowerThreadPriority() {
    // Who waits for a job that has not begun runs it on its own thread: the window, when it ends.
    const QCoreApplication* window = QCoreApplication::instance();
    thread_local bool isBehind = false;
    if (isBehind || window == nullptr || QThread::currentThread() == window->thread()) {
        return;
    }
    isBehind = true;
    // On Linux this is of the calling thread alone; without it the jobs run as well.
    errno = 0;
    const int present = getpriority(PRIO_PROCESS, 0);
    if (errno == 0) {
        (void)setpriority(PRIO_PROCESS, 0, present + kNicer);
    }
}

void EtaEstimator::update(double elapsed, double fraction) {
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

std::optional<double> EtaEstimator::secondsLeft(double elapsed) const {
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
    return m_running ? m_eta.secondsLeft(elapsedSeconds()) : std::nullopt;
}

void JobRunnerBase::cancel() {
    dropPending();
    requestStop();
}

void JobRunnerBase::drop() {
    m_unwanted = true;
    cancel();
}

std::stop_token JobRunnerBase::markStarted() {
    m_stop = std::stop_source{};
    m_running = true;
    m_unwanted = false;
    m_fraction = 0.0;
    m_eta = {};
    m_stage.clear();
    m_clock.start();
    Q_EMIT started();
    return m_stop.get_token();
}

void JobRunnerBase::setProgress(int thousandths, const QString& stage) {
    m_fraction = static_cast<double>(thousandths) / 1000.0;
    m_stage = stage;
    m_eta.update(elapsedSeconds(), m_fraction);
    Q_EMIT progressChanged(m_fraction, m_stage);
}

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

bool JobBoard::hasInteractiveJob() const {
    return std::ranges::any_of(m_first,
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
