#include <filesystem>
#include <string>

#include <catch2/catch.hpp>

#include "tests/cli/terminal.h"

// The address space is limited, so allocations fail wherever they happen to be.

using namespace epsilens;
using Catch::Matchers::Contains;
using test::CliResult;
using test::Terminal;
namespace fs = std::filesystem;

namespace {

/// How a run ends that has so much address space. It must end by itself, within a minute, and say
/// why it fails, with this code; 127: the system could not even load the libraries.
CliResult runWithin(const Terminal& terminal, int megabytes, const std::string& line,
                    int failure = 1) {
    test::CliSetup setup;
    setup.wrapper = {"timeout", "-s", "KILL", "60"};
    const auto limited = test::limitedBy("-v " + std::to_string(megabytes * 1024));
    setup.wrapper.insert(setup.wrapper.end(), limited.begin(), limited.end());
    CliResult result = terminal.run(line, setup);
    CAPTURE(megabytes, line, result.errors);
    CHECK((result.exitCode == 0 || result.exitCode == 1 || result.exitCode == failure ||
           result.exitCode == 127));
    CHECK((result.exitCode == 0 || result.exitCode == 127 ||
           result.errors.find("error: ") != std::string::npos));
    return result;
}

}  // namespace

TEST_CASE("A run without memory fails with a sentence and ends by itself") {
    const Terminal terminal;
    terminal.file("some.txt", test::madeUpGlove(4000, 40, 1));
    int failed = 0;
    int done = 0;
    for (const int megabytes : {150, 200, 260, 330, 420, 550, 700, 1000, 1500, 4000}) {
        const int exitCode =
            runWithin(terminal, megabytes,
                      "calibrate some.txt --epsilon 1,2 --lambda 0,0.5 --draws 20 --words 50 "
                      "--threads 2 -o out.txt --quiet")
                .exitCode;
        CHECK(fs::exists(terminal.path("out.txt")) == (exitCode == 0));
        failed += exitCode == 1 ? 1 : 0;
        done += exitCode == 0 ? 1 : 0;
        fs::remove(terminal.path("out.txt"));
        CHECK(terminal.names() == test::Arguments{"small.txt", "some.txt"});
    }
    CHECK(failed > 0);
    CHECK(done > 0);
}

TEST_CASE("A list that ends without memory says what it has left unprotected") {
    const Terminal terminal;
    terminal.file("a.csv", "text\nw1 secretname\n");
    terminal.file("b.csv", "text\n\"" + test::repeated("w1 ", 10'000'000) + "\"\n");
    terminal.file("list", "a.csv\ta.out\nb.csv\tb.out\n");
    int ended = 0;
    for (const int megabytes : {150, 200, 260, 330, 420}) {
        fs::remove(terminal.path("a.out"));
        const CliResult result =
            runWithin(terminal, megabytes,
                      "sanitize small.txt --mechanism tem --epsilon 1 --column text --unknown keep "
                      "--threads 1 --quiet --list list",
                      4);
        if (result.exitCode != 0 && fs::exists(terminal.path("a.out"))) {
            ++ended;
            CHECK_THAT(result.errors, Contains("warning: 1 word is left unprotected"));
        }
    }
    CHECK(ended > 0);
}

// OpenBLAS starts no threads while it is loaded: they would keep the process from ending.
TEST_CASE("Commands without products need no memory for them, and end by themselves") {
    const Terminal terminal;
    terminal.printed(
        "calibrate small.txt --epsilon 1 --words 2 --draws 2 --format json -o run.json");
    terminal.file("pairs.txt", "a\tb\nb\tc\na\td\n");
    for (const int megabytes : {120, 150, 250}) {
        for (const char* line : {"report --from run.json --format text",
                                 "train-poincare pairs.txt --dimensions 2 --epochs 2"}) {
            const CliResult result = runWithin(terminal, megabytes, line);
            CHECK((result.exitCode != 1 || result.errors.find("memory") != std::string::npos));
        }
    }
}
