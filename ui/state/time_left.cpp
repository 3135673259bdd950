#include "ui/state/time_left.h"

#include <algorithm>
#include <cmath>

namespace epsilens::ui {

namespace {

// Less says nothing of the pace.
constexpr double kLeastFraction = 0.03;
// The estimate follows the pace as slowly as this, and in a long job by this share of it.
constexpr double kSlownessSeconds = 3.0;
constexpr double kSlownessShare = 0.15;
// A job that has overrun its estimate takes at least this share of the rest of its pace.
constexpr double kLeastOfPace = 0.5;

}  // namespace

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

TimeLeft& TimeLeft::of(JobRunnerBase& runner) {
    auto* found = runner.findChild<TimeLeft*>();
    return found != nullptr ? *found : *new TimeLeft(runner);
}

const TimeLeft* TimeLeft::find(const JobRunnerBase& runner) {
    return runner.findChild<const TimeLeft*>();
}

TimeLeft::TimeLeft(JobRunnerBase& runner) : QObject(&runner), m_runner(runner) {
    connect(&runner, &JobRunnerBase::started, this, [this] { m_pace = Pace(); });
    connect(&runner, &JobRunnerBase::progressChanged, this,
            [this](double fraction) { m_pace.goOn(m_runner.elapsedSeconds(), fraction); });
}

std::optional<double> TimeLeft::seconds() const {
    return m_runner.isRunning() ? m_pace.secondsLeft(m_runner.elapsedSeconds()) : std::nullopt;
}

}  // namespace epsilens::ui
