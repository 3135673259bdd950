#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "tests/cli/terminal.h"

// What the program prints to somebody who types. A file of transcripts/ is an afternoon in one
// folder: a shell runs each line behind "$ ", and below it stand standard output (|),
// standard error (!) and the exit code, if it is not 0. The shell's own commands only bring files,
// and show or shorten what comes out. Numbers with a decimal point are written as #: what they have
// to be is the matter of tests that know why. To approve what the program prints now:
//
//   EPSILENS_APPROVE=1 build/bin/cli-tests '[transcript]' && git diff tests/cli/transcripts

using namespace epsilens;

namespace {

namespace fs = std::filesystem;

struct Step {
    std::string remarks{};  ///< lines before the command
    std::string command{};
    std::string approved{};  ///< what it prints
};

std::vector<fs::path> transcripts() {
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(EPSILENS_TRANSCRIPTS)) {
        files.push_back(entry.path());
    }
    std::ranges::sort(files);
    return files;
}

std::vector<Step> stepsOf(const std::string& transcript) {
    std::vector<Step> steps;
    std::string remarks;
    std::istringstream lines(transcript);
    for (std::string line; std::getline(lines, line);) {
        if (line.starts_with("$ ")) {
            steps.push_back({remarks, line.substr(2), {}});
            remarks.clear();
        } else if (line.empty() || line.starts_with("#")) {
            remarks += line + "\n";
        } else {
            steps.back().approved += line + "\n";
        }
    }
    return steps;
}

/// Lines behind a mark, without numbers that have a point and what differs from run to run.
std::string shown(const std::string& text, const std::string& mark, const std::string& folder) {
    static const std::regex kCircumstance("(\"peakMemoryMiB\": )[0-9]+|[0-9,]+( relations/s)");
    static const std::regex kPointed(
        "[0-9]+(,[0-9]{3})*\\.[0-9]+(\\.[0-9]+)*(e[-+]?[0-9]+)?|[0-9]+e-0[0-9]");
    std::string all;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        // Errors tell what was typed.
        if (!line.starts_with("error: ")) {
            line =
                std::regex_replace(std::regex_replace(line, kCircumstance, "$1#$2"), kPointed, "#");
        }
        for (std::size_t at = line.find(folder); at != std::string::npos; at = line.find(folder)) {
            line.replace(at, folder.size(), "/…/");
        }
        all +=
            mark + (line.empty() ? "" : " ") + line + (lines.eof() ? "<no end of line>\n" : "\n");
    }
    return all;
}

std::string printedBy(const std::string& command, const test::TemporaryFolder& folder) {
    test::CliSetup setup;
    setup.workingDirectory = folder.path("");
    setup.wrapper = {"/bin/sh", "-c", "PATH=${0%/*}:$PATH\n" + command};
    const test::CliResult result = test::runCli({}, setup);
    return shown(result.output, "|", folder.path("")) + shown(result.errors, "!", folder.path("")) +
           (result.exitCode == 0 ? "" : "[" + std::to_string(result.exitCode) + "]\n");
}

}  // namespace

TEST_CASE("Command lines print what was approved", "[transcript]") {
    const fs::path file = GENERATE(from_range(transcripts()));
    // NOLINTNEXTLINE(concurrency-mt-unsafe): no threads
    const bool isToBeApproved = std::getenv("EPSILENS_APPROVE") != nullptr;
    const test::Terminal terminal;
    std::string approved;
    const std::vector<Step> steps = stepsOf(test::contentOf(file.string()));
    REQUIRE_FALSE(steps.empty());
    for (const Step& step : steps) {
        const std::string printed = printedBy(step.command, terminal);
        approved += step.remarks + "$ " + step.command + "\n" + printed;
        if (!isToBeApproved) {
            INFO(file.filename().string() << ": " << step.command);
            CHECK(printed == step.approved);
        }
    }
    if (isToBeApproved) {
        std::ofstream(file) << approved;
    }
}
