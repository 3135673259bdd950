#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "tests/faults/mutation.h"
#include "tests/fuzz/fuzz_target.h"
#include "tests/support/temporary_folder.h"

// replay TARGET CHANGES FOLDER…: runs a target on all files of some folders, and on so many random
// changes of them, without a fuzzer.

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
    std::ranges::sort(files);
    return files;
}

void run(const Target& target, const std::string& name, std::string_view content) {
    // Said before: the last line names the input that a crash is about.
    std::printf("%s\n", name.c_str());
    std::fflush(stdout);
    target.run(content);
}

}  // namespace

int main(int argc, char** argv) {
    const std::vector<std::string> arguments(argv + 1, argv + argc);
    const auto& all = epsilens::fuzz::targets();
    const auto target = std::ranges::find_if(all, [&](const Target& one) {
        return arguments.size() > 2 && one.name == arguments.front();
    });
    if (target == all.end()) {
        std::fputs("usage: replay TARGET CHANGES FOLDER…\n", stderr);
        return 2;
    }
    std::vector<std::string> contents;
    for (const std::string& file : filesOf({arguments.begin() + 2, arguments.end()})) {
        contents.push_back(epsilens::test::contentOf(file));
        run(*target, file, contents.back());
    }
    epsilens::test::Mutation mutation(1);
    const int changes = contents.empty() ? 0 : std::stoi(arguments[1]);
    for (int i = 0; i < changes; ++i) {
        const std::string& other = contents[mutation.below(contents.size())];
        run(*target, "change " + std::to_string(i),
            mutation.changed(contents[mutation.below(contents.size())], other));
    }
    std::printf("%zu inputs\n", contents.size());
    return contents.empty() ? 1 : 0;
}
