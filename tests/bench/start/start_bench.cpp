// How long the window takes from the begin of its process until it can be used.
//
// usage: start-bench [FILE]   (default: the built-in sample)
//
// Does what the program itself does, without a display unless QT_QPA_PLATFORM names one. Target for
// the sample: at most 1.5 s until it is open. Times are since the process began, so that loading of
// libraries counts; the system tells that moment to 10 ms.

#include <cstdint>
#include <fstream>
#include <string>

#include <unistd.h>
#include <ctime>

#include <fmt/format.h>
#include <QApplication>
#include <QStandardPaths>

#include "tests/bench/frames/frame_times.h"
#include "ui/shell/window_factory.h"

using namespace epsilens;

namespace {

/// Seconds from the start of the system to that of this process.
double processStart() {
    constexpr int kFieldsBefore = 19;  // between the name and the 22nd field, see proc(5)
    std::ifstream status("/proc/self/stat");
    std::string text;
    std::getline(status, text, ')');
    for (int field = 0; field < kFieldsBefore; ++field) {
        status >> text;
    }
    std::int64_t ticks = 0;
    status >> ticks;
    return static_cast<double>(ticks) / static_cast<double>(sysconf(_SC_CLK_TCK));
}

double millisecondsSinceStart() {
    timespec now{};
    clock_gettime(CLOCK_BOOTTIME, &now);
    return 1e3 * (static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec) -
                  processStart());
}

}  // namespace

int main(int argumentCount, char** arguments) {
    if (!qEnvironmentVariableIsSet("QT_QPA_PLATFORM")) {
        qputenv("QT_QPA_PLATFORM", "offscreen");
    }
    const QApplication application(argumentCount, arguments);
    QStandardPaths::setTestModeEnabled(true);
    ui::applyRememberedPreferences();
    const auto window = ui::createWindow();
    window->show();
    ui::openStartFile(*window, QApplication::arguments());
    bench::finishFrame();
    const double shown = millisecondsSinceStart();
    const bool opened = bench::waitFor([&] { return window->state().embedding() != nullptr; });
    bench::finishFrame();
    const double usable = millisecondsSinceStart();
    if (!opened || !bench::waitFor([&] { return window->jobs().runningCount() == 0; })) {
        fmt::print(stderr, "the window did not open the embedding\n");
        return 1;
    }
    fmt::print(
        "window shown after {:.0f} ms, embedding open after {:.0f} ms, at rest after {:.0f} ms\n",
        shown, usable, millisecondsSinceStart());
    return 0;
}
