#include "app/cli/interrupt.h"

#include <atomic>
#include <cerrno>
#include <csignal>

#include <fcntl.h>
#include <unistd.h>

#include "app/cli/exit_codes.h"

namespace epsilens::cli {
namespace {

constexpr char kSignalled = 's';
constexpr char kFinished = 'f';

std::atomic<int> writeEnd{-1};
std::atomic<int> signalsSeen{0};
static_assert(std::atomic<int>::is_always_lock_free, "used inside a signal handler");

/// Runs on any thread: only async-signal-safe calls are allowed.
void onSignal(int /*number*/) {
    const int savedErrno = errno;
    if (signalsSeen.fetch_add(1) > 0) {
        _exit(kInterrupted);
    }
    [[maybe_unused]] const ssize_t written = write(writeEnd.load(), &kSignalled, 1);
    errno = savedErrno;
}

void setHandler(void (*handler)(int)) {
    struct sigaction action {};
    action.sa_handler = handler;
    action.sa_flags = SA_RESTART;
    sigaction(SIGINT, &action, nullptr);
    sigaction(SIGTERM, &action, nullptr);
}

}  // namespace

InterruptWatcher::InterruptWatcher() {
    int ends[2] = {-1, -1};
    if (pipe2(ends, O_CLOEXEC) != 0) {
        return;  // signals then keep their default action
    }
    m_readEnd = ends[0];
    writeEnd = ends[1];
    m_thread = std::thread([this] { watch(); });
    setHandler(onSignal);
}

InterruptWatcher::~InterruptWatcher() {
    if (m_readEnd < 0) {
        return;
    }
    setHandler(SIG_DFL);
    [[maybe_unused]] const ssize_t written = write(writeEnd.load(), &kFinished, 1);
    m_thread.join();
    close(writeEnd.exchange(-1));
    close(m_readEnd);
}

void InterruptWatcher::watch() {
    char message = 0;
    while (true) {
        const ssize_t count = read(m_readEnd, &message, 1);
        if (count < 0 && errno == EINTR) {
            continue;
        }
        if (count <= 0 || message == kFinished) {
            return;
        }
        m_stop.request_stop();
    }
}

}  // namespace epsilens::cli
