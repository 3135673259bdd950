#pragma once

#include <chrono>
#include <stop_token>
#include <thread>

namespace epsilens::cli {

/// Turns SIGINT and SIGTERM into a stop request; a second signal ends the process at once with exit
/// code 130. Before there is an object, a signal ends the process with a message and 130; after
/// there was one, signals are ignored.
///
/// The processes of a launcher have little time after a signal: with a limit, the first signal also
/// ends a process that is still there when so much time has passed, with exit code 130.
///
/// Requesting a stop is not safe inside a signal handler. The handler therefore only writes to a
/// pipe, and a thread that reads the pipe requests the stop. At most one object may exist.
class InterruptWatcher {
public:
    /// limit  0: none
    explicit InterruptWatcher(std::chrono::milliseconds limit = {});
    ~InterruptWatcher();
    InterruptWatcher(const InterruptWatcher&) = delete;
    InterruptWatcher& operator=(const InterruptWatcher&) = delete;

    [[nodiscard]] std::stop_token token() const { return m_stop.get_token(); }

private:
    void watch();

    std::chrono::milliseconds m_limit;
    std::stop_source m_stop;
    int m_readEnd = -1;
    std::thread m_thread;
};

/// Whether a signal has come since there was an object.
[[nodiscard]] bool wasInterrupted();

}  // namespace epsilens::cli
