#include "tests/support/growth.h"

#include <algorithm>
#include <ctime>
#include <fstream>
#include <limits>
#include <stdexcept>
#include <string>

namespace epsilens::test {
namespace {

/// Value of a line of the process status such as "VmHWM:    1234 kB", in bytes.
double statusBytes(const std::string& name) {
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);) {
        if (line.starts_with(name + ":")) {
            return 1024.0 * std::stod(line.substr(name.size() + 1));
        }
    }
    throw std::runtime_error("no " + name + " in the status of this process");
}

}  // namespace

double growth(std::size_t size, const std::function<void(std::size_t size)>& work) {
    const auto ticksOf = [&](std::size_t part) {
        std::clock_t least = std::numeric_limits<std::clock_t>::max();
        for (int run = 0; run < 3; ++run) {
            const std::clock_t start = std::clock();
            work(part);
            least = std::min(least, std::clock() - start);
        }
        return static_cast<double>(least);
    };
    return ticksOf(size) / std::max(1.0, ticksOf(size / 8));
}

PeakMemory::PeakMemory() {
    if (!(std::ofstream("/proc/self/clear_refs") << "5" << std::flush)) {  // man 5 proc
        throw std::runtime_error("the peak of memory does not begin anew");
    }
    m_before = statusBytes("VmHWM");
}

double PeakMemory::bytes() const {
    return statusBytes("VmHWM") - m_before;
}

}  // namespace epsilens::test
