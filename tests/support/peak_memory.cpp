#include "tests/support/peak_memory.h"

#include <fstream>
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

PeakMemory::PeakMemory() {
    std::ofstream("/proc/self/clear_refs") << "5";  // the peak begins anew; man 5 proc
    m_before = statusBytes("VmHWM");
}

double PeakMemory::bytes() const {
    return statusBytes("VmHWM") - m_before;
}

}  // namespace epsilens::test
