#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/fuzz/fuzz_target.h"
#include "tests/support/temporary_folder.h"

// replay TARGET FOLDER…: runs a target on all files of some folders, without a fuzzer.

namespace fs = std::filesystem;
using epsilens::fuzz::Target;

namespace {

/// Files of the folders in the order of their names; folders that are absent have none.
std::vector<std::string> filesOf(const std::vector<std::string>& folders) {
    std::vector<std::string> files;
    for (const std::string& folder : folders) {
        if (!fs::is_directory(folder)) {
            continue;
        }
        for (const auto& entry : fs::directory_iterator(folder)) {
            files.push_back(entry.path().string());
        }
    }
    std::sort(files.begin(), files.end());
    return files;
}

}  // namespace

int main(int argc, char** argv) {
    const std::vector<std::string> arguments(argv + 1, argv + argc);
    const auto& all = epsilens::fuzz::targets();
    const auto target = std::find_if(all.begin(), all.end(), [&](const Target& one) {
        return !arguments.empty() && one.name == arguments.front();
    });
    if (target == all.end()) {
        std::fputs("usage: replay TARGET FOLDER…\n", stderr);
        return 2;
    }
    const auto files = filesOf({arguments.begin() + 1, arguments.end()});
    for (const std::string& file : files) {
        // Said before: the last line names the input that a crash is about.
        std::printf("%s\n", file.c_str());
        std::fflush(stdout);
        target->run(epsilens::test::contentOf(file));
    }
    std::printf("%zu inputs\n", files.size());
    return files.empty() ? 1 : 0;
}
