// Loads an embedding file and prints seconds, peak memory and what was found.
//
//   load_bench FILE [THREADS]

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>

#include <fmt/format.h>

#include "core/embedding/load.h"

namespace {

/// Line of the process status such as "VmHWM:    1234 kB".
std::string processStatus(const std::string& name) {
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);) {
        if (line.starts_with(name)) {
            return line;
        }
    }
    return {};
}

}  // namespace

int main(int argc, char** argv) {
    epsilens::embedding::LoadOptions options;
    options.path = argc > 1 ? argv[1] : "-";
    options.threads = argc > 2 ? std::atoi(argv[2]) : 0;
    const auto start = std::chrono::steady_clock::now();
    const auto loaded = epsilens::embedding::loadEmbedding(options);
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    if (!loaded) {
        fmt::print(stderr, "error: {}\n", loaded.error().message);
        return EXIT_FAILURE;
    }
    fmt::print("{} {}: {} x {}, {} bad lines, {} duplicates, sha256 {}\n{:.2f} s, {}\n",
               formatName(loaded->report.format), loaded->report.compression, loaded->wordCount(),
               loaded->dimensions(), loaded->report.badLines(), loaded->report.duplicates.count,
               loaded->report.sha256, seconds.count(), processStatus("VmHWM"));
    return EXIT_SUCCESS;
}
