#include "app/cli/console.h"

#include <algorithm>
#include <utility>

#include <unistd.h>

#include <fmt/format.h>

#include "core/base/ascii.h"
#include "core/io/output.h"
#include "core/report/markup_text.h"

namespace epsilens::cli {
namespace {

/// Steps of progress that are worth a line of their own in a log.
constexpr int kLogStepPercent = 10;

Result<void> toStandardError(std::string_view text) {
    return io::writeAll(STDERR_FILENO, text, "standard error");
}

bool errorIsTerminal() {
    return isatty(STDERR_FILENO) == 1;
}

/// A message that quotes a file may be as long as a line of it: the middle is left out.
std::string shortened(std::string message) {
    constexpr std::size_t kHead = 700;
    constexpr std::size_t kTail = 250;
    if (message.size() <= kHead + kTail) {
        return message;
    }
    std::size_t head = kHead;
    while (head > 0 && continuesCharacter(message[head])) {
        --head;
    }
    std::size_t tail = message.size() - kTail;
    while (tail < message.size() && continuesCharacter(message[tail])) {
        ++tail;
    }
    return message.substr(0, head) + " … " + message.substr(tail);
}

std::string timeLeft(std::chrono::steady_clock::time_point start, double fraction) {
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
    if (!(fraction > 0.02) || !(fraction < 1.0) || elapsed.count() < 1.0) {
        return {};
    }
    return fmt::format(", {:.0f} s left", elapsed.count() * (1.0 - fraction) / fraction);
}

}  // namespace

/// A failure to write is ignored but for alarms: nobody is left to tell.
Result<void> Console::line(std::string_view prefix, std::string_view message) {
    finishProgress();
    return toStandardError(fmt::format("{}{}\n", prefix, shortened(report::printable(message))));
}

void Console::note(std::string_view message) {
    if (!m_quiet) {
        static_cast<void>(line("", message));
    }
}

void Console::warning(std::string_view message) {
    if (!m_quiet) {
        static_cast<void>(line("warning: ", message));
    }
}

Result<void> Console::alarm(std::string_view message) {
    return line("warning: ", message);
}

void Console::error(std::string_view message) {
    static_cast<void>(line("error: ", message));
}

JobContext Console::job(std::stop_token stop) {
    JobContext context{std::move(stop), {}};
    if (!m_quiet && (m_forceProgress || errorIsTerminal())) {
        context.report = [this](const Progress& progress) { showProgress(progress); };
    }
    m_lastPercent = -1;
    m_lastStage.clear();
    m_jobStart = std::chrono::steady_clock::now();
    return context;
}

void Console::finishProgress() {
    if (m_progressOnScreen) {
        static_cast<void>(toStandardError("\r\x1b[K"));
        m_progressOnScreen = false;
    }
}

void Console::showProgress(const Progress& progress) {
    const int step = errorIsTerminal() ? 1 : kLogStepPercent;
    const int percent =
        static_cast<int>(100.0 * std::clamp(progress.fraction, 0.0, 1.0)) / step * step;
    if (progress.stage == m_lastStage && percent == m_lastPercent) {
        return;
    }
    m_lastPercent = percent;
    m_lastStage = progress.stage;
    const std::string text =
        fmt::format("{} {}%{}", progress.stage, percent, timeLeft(m_jobStart, progress.fraction));
    m_progressOnScreen = errorIsTerminal();
    static_cast<void>(toStandardError(m_progressOnScreen ? "\r\x1b[K" + text : text + "\n"));
}

}  // namespace epsilens::cli
