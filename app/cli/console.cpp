#include "app/cli/console.h"

#include <algorithm>
#include <utility>

#include <unistd.h>

#include <fmt/format.h>

#include "app/cli/output.h"
#include "core/report/text_table.h"

namespace epsilens::cli {
namespace {

/// Interval of the progress lines when standard error is not a terminal.
constexpr int kLogStepPercent = 10;

void toStandardError(std::string_view text) {
    // A failure to write to standard error cannot be reported anywhere.
    [[maybe_unused]] const Result<void> ignored =
        io::writeAll(STDERR_FILENO, text, "standard error");
}

bool errorIsTerminal() {
    return isatty(STDERR_FILENO) == 1;
}

/// Shortens a long message, which may quote a whole line of a file, in the middle.
std::string shortened(std::string message) {
    constexpr std::size_t kHead = 700;
    constexpr std::size_t kTail = 250;
    const auto isInside = [&](std::size_t at) {
        return (static_cast<unsigned char>(message[at]) & 0xC0U) == 0x80U;
    };
    if (message.size() <= kHead + kTail) {
        return message;
    }
    std::size_t head = kHead;
    while (head > 0 && isInside(head)) {
        --head;
    }
    std::size_t tail = message.size() - kTail;
    while (tail < message.size() && isInside(tail)) {
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

void Console::line(std::string_view prefix, std::string_view message) {
    finishProgress();
    toStandardError(fmt::format("{}{}\n", prefix, shortened(report::printable(message))));
}

void Console::note(std::string_view message) {
    if (!m_quiet) {
        line("", message);
    }
}

void Console::warning(std::string_view message) {
    if (!m_quiet) {
        line("warning: ", message);
    }
}

void Console::error(std::string_view message) {
    line("error: ", message);
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
        toStandardError("\r\x1b[K");
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
    if (errorIsTerminal()) {
        toStandardError("\r\x1b[K" + text);
        m_progressOnScreen = true;
    } else {
        toStandardError(text + "\n");
    }
}

}  // namespace epsilens::cli
