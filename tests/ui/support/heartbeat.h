#pragma once

#include <algorithm>
#include <ctime>

#include <QTimer>

namespace epsilens::test {

/// How work is shared out: what this thread does at a time, between two events of a timer, and what
/// all others do together. In seconds of a processor, which do not depend on what else the machine
/// does.
class Heartbeat {
public:
    Heartbeat() {
        QObject::connect(&m_timer, &QTimer::timeout, &m_timer, [this] {
            m_longest = longest();
            m_last = here();
        });
        m_timer.start(1);
    }

    [[nodiscard]] double longest() const { return std::max(m_longest, here() - m_last); }
    [[nodiscard]] double elsewhere() const {
        return (workOf(CLOCK_PROCESS_CPUTIME_ID) - m_startOfAll) - (here() - m_start);
    }
    /// No work of this thread is of the size of a job; a job done here leaves the others nothing.
    [[nodiscard]] bool isSteady() const { return longest() < elsewhere() / 2.0; }

private:
    static double workOf(clockid_t clock) {
        std::timespec time{};
        clock_gettime(clock, &time);
        constexpr double kNanosecond = 1e-9;
        return static_cast<double>(time.tv_sec) + kNanosecond * static_cast<double>(time.tv_nsec);
    }
    static double here() { return workOf(CLOCK_THREAD_CPUTIME_ID); }

    QTimer m_timer;
    double m_start = here();
    double m_startOfAll = workOf(CLOCK_PROCESS_CPUTIME_ID);
    double m_last = m_start;
    double m_longest = 0.0;
};

}  // namespace epsilens::test
