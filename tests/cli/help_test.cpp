#include <string>

#include <catch2/catch.hpp>

#include "tests/cli/terminal.h"

using namespace epsilens;

TEST_CASE("The version is that of the project") {
    const test::Terminal terminal;
    for (const char* line : {"--version", "calibrate --version"}) {
        CHECK(terminal.printed(line) == "epsilens-cli " EPSILENS_PROJECT_VERSION "\n");
    }
}

// A file that is not there ends a command with 4; an option that is not there, with 2.
TEST_CASE("The examples of the help can be typed") {
    const test::Terminal terminal;
    terminal.file("text.txt", "a text\n");
    for (const std::string command :
         {"info", "compare", "calibrate", "recommend", "sample", "sanitize", "guarantee",
          "evaluate", "train-poincare", "report", "verify"}) {
        const std::string help = terminal.printed(command + " --help");
        const std::string start = "\n  epsilens-cli " + command + " ";
        std::size_t at = help.find(start, help.find("\nExample:\n"));
        REQUIRE(at != std::string::npos);
        while (at != std::string::npos) {
            const std::size_t next = help.find(start, at + 1);
            const std::string example = help.substr(at, next - at);
            test::CliSetup setup;
            setup.wrapper = {"/bin/sh", "-c", "PATH=${0%/*}:$PATH" + example};
            const test::CliResult result = terminal.run("", setup);
            INFO(example << ": " << result.errors);
            CHECK((result.exitCode == 0 || result.exitCode == 4));
            at = next;
        }
    }
}
