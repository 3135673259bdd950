#include "tests/bench/frames/frame_times.h"

#include <algorithm>
#include <chrono>
#include <thread>

#include <fmt/format.h>
#include <QCoreApplication>

namespace epsilens::bench {

namespace {
constexpr std::chrono::seconds kPatience{60};
}

double milliseconds(const std::function<void()>& work) {
    const auto start = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start)
        .count();
}

bool waitFor(const std::function<bool()>& condition) {
    const auto end = std::chrono::steady_clock::now() + kPatience;
    while (!condition() && std::chrono::steady_clock::now() < end) {
        QCoreApplication::processEvents();
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return condition();
}

void finishFrame() {
    // Queued drawings are events that handling events brings about.
    QCoreApplication::processEvents();
    QCoreApplication::processEvents();
}

void printTimes(std::string_view what, std::vector<double> times) {
    std::sort(times.begin(), times.end());
    const auto at = [&](double share) {
        return times[static_cast<std::size_t>(share * static_cast<double>(times.size() - 1))];
    };
    fmt::print("{}: median {:.2f} ms, 95% {:.2f} ms, 99% {:.2f} ms, longest {:.2f} ms\n", what,
               at(0.5), at(0.95), at(0.99), times.back());
}

}  // namespace epsilens::bench
