#include "app/cli/interrupt.h"

#include <atomic>
#include <cerrno>
#include <csignal>
#include <string_view>
#include <system_error>

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include "app/cli/program.h"

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

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
/// Says so and ends the process, before there is anything that could be stopped.
void onEarlySignal(int /*number*/) {
    constexpr std::string_view kMessage =
        "error: interrupted before the work began; nothing was written\n";
    [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, kMessage.data(), kMessage.size());
    _exit(kInterrupted);
}

void catchEarlySignals(int /*argc*/, char** /*argv*/, char** /*environment*/) {
    setHandler(onEarlySignal);
}

/// Called before the libraries set themselves up, which takes longer than anything before the
/// command. Sanitizers must come first.
[[gnu::section(".preinit_array"),
  gnu::used]] void (*const kCatchEarlySignals)(int, char**, char**) = catchEarlySignals;
#endif

}  // namespace

InterruptWatcher::InterruptWatcher(std::chrono::milliseconds limit) : m_limit(limit) {
    int ends[2] = {-1, -1};
    if (pipe2(ends, O_CLOEXEC) != 0) {
        return;  // signals still end the process with a message
    }
    m_readEnd = ends[0];
    writeEnd = ends[1];
    try {
        m_thread = std::thread([this] { watch(); });
    } catch (const std::system_error&) {
        return;  // no more threads: signals still end the process with a message
    }
    setHandler(onSignal);
}

InterruptWatcher::~InterruptWatcher() {
    // The work is done: what is left of the process shall end with its own exit code.
    setHandler(SIG_IGN);
    if (!m_thread.joinable()) {
        return;
    }
    [[maybe_unused]] const ssize_t written = write(writeEnd.load(), &kFinished, 1);
    m_thread.join();
    close(writeEnd.exchange(-1));
    close(m_readEnd);
}

void InterruptWatcher::watch() {
    constexpr int kForever = -1;
    char message = 0;
    while (true) {
        const bool isLimited = m_stop.stop_requested() && m_limit.count() > 0;
        pollfd pipe{m_readEnd, POLLIN, 0};
        const int ready = poll(&pipe, 1, isLimited ? static_cast<int>(m_limit.count()) : kForever);
        if (ready == 0) {
            _exit(kInterrupted);
        }
        const ssize_t count = ready > 0 ? read(m_readEnd, &message, 1) : -1;
        if (count < 0 && errno == EINTR) {
            continue;
        }
        if (count <= 0 || message == kFinished) {
            return;
        }
        m_stop.request_stop();
    }
}

bool wasInterrupted() {
    return signalsSeen > 0;
}

}  // namespace epsilens::cli
