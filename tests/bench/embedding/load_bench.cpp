// Loads an embedding file and prints seconds, peak memory and what was found:
//
//   make_glove.py vectors.txt && load-bench vectors.txt
//
// Targets for these 1.0 GB on two cores with a warm cache: at most 3 s and 1.5 GiB; compressed with
// gzip at most 1.3 times the time of gzip -dc. Usage: load-bench FILE [THREADS]

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>

#include <fmt/format.h>

#include "core/base/numbers.h"
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
    options.threads =
        argc > 2 ? static_cast<int>(epsilens::parseInteger(argv[2], "threads", 1, 1024).value_or(0))
                 : 0;
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
