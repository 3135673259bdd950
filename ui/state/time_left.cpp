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
    if (!(fraction > 0.0) || (!m_expected && fraction < kLeastFraction)) {
        return;
    }
    const double left = 1.0 - fraction;
    const double byPace = elapsed / fraction;
    // The less is done, the more what was foretold counts.
    const double trust = m_expected ? left * left : 0.0;
    const double perShare = trust * m_expected.value_or(0.0) + (1.0 - trust) * byPace;
    const double whole = elapsed + left * perShare;
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
        return m_expected ? std::optional(std::max(*m_expected - elapsed, 0.0)) : std::nullopt;
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

void TimeLeft::expect(std::optional<double> seconds) {
    m_pace = Pace(seconds);
}

std::optional<double> TimeLeft::seconds() const {
    return m_runner.isRunning() ? m_pace.secondsLeft(m_runner.elapsedSeconds()) : std::nullopt;
}

}  // namespace epsilens::ui
