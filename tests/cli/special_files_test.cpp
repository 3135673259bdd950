#include <string>

#include <sys/stat.h>
#include <unistd.h>
#include <catch2/catch.hpp>

#include "tests/cli/terminal.h"
#include "tests/support/made_up_embedding.h"

using namespace epsilens;
using Catch::Matchers::Contains;
using test::CliResult;
using test::CliSetup;
using test::Terminal;

// What else is no file to read: transcripts/outputs.txt
TEST_CASE("A file without permission is refused") {
    const Terminal terminal;
    const std::string secret = terminal.file("secret.txt", test::madeUpGlove(20, 3, 1));
    REQUIRE(chmod(terminal.path("").c_str(), 0755) == 0);
    REQUIRE(chmod(secret.c_str(), 0) == 0);
    CliSetup setup;
    // Root may read everything, so another has to try.
    if (geteuid() == 0) {
        setup.wrapper = test::typed("setpriv --reuid=65534 --regid=65534 --clear-groups");
    }
    if (terminal.run("--version", setup).exitCode != 0) {
        WARN("SKIPPED: the program cannot be started as nobody");
        return;
    }
    for (const char* reader :
         {"info ", "train-poincare ", "info small.txt --vocabulary ",
          "calibrate small.txt --epsilon 1 --quiet --words @",
          "calibrate small.txt --epsilon 1 --data ", "sanitize small.txt --epsilon 1 --text-file ",
          "sanitize small.txt --epsilon 1 --stop-words "}) {
        const CliResult result = terminal.run(reader + std::string("secret.txt"), setup);
        CAPTURE(reader, result.errors);
        CHECK(result.exitCode == 4);
        CHECK_THAT(result.errors, Contains("secret.txt") && Contains("Permission denied"));
    }
    if (geteuid() == 0) {
        const CliResult output = terminal.run("info small.txt -o new.txt", setup);
        CHECK(output.exitCode == 1);
        CHECK_THAT(output.errors, Contains("cannot write") && Contains("Permission denied"));
    }
}
