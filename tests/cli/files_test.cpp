#include <cstdlib>
#include <string>

#include <sys/stat.h>
#include <unistd.h>
#include <catch2/catch.hpp>

#include "tests/cli/terminal.h"
#include "tests/support/foreign_texts.h"

using namespace epsilens;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;
using test::Arguments;
using test::CliResult;
using test::CliSetup;
using test::Terminal;

namespace {

/// At so much epsilon every word stays, and unknown ones do too: what comes out is what was read.
const std::string kKeepAll =
    std::string("sanitize small.txt --unknown keep") + test::kEveryWordStays;

/// What the command that an error names makes of some bytes.
std::string convertedAs(const std::string& errors, const std::string& bytes) {
    const std::size_t begin = errors.find("iconv ");
    REQUIRE(begin != std::string::npos);
    const std::string end = "-t UTF-8";
    const std::string command = errors.substr(begin, errors.find(end, begin) + end.size() - begin);
    const test::TemporaryFolder folder;
    const std::string out = folder.path("out");
    const std::string line = command + " < '" + folder.file("in", bytes) + "' > '" + out + "'";
    // NOLINTNEXTLINE(concurrency-mt-unsafe): no threads
    CHECK(std::system(line.c_str()) == 0);
    return test::contentOf(out);
}

}  // namespace

TEST_CASE("Text that is not UTF-8 is refused before anything is written") {
    const Terminal terminal;
    terminal.file("out.txt", "old");
    for (const test::ForeignText& text : test::foreignTexts()) {
        CAPTURE(text.encoding, text.utf8);
        terminal.file("text", text.bytes);
        const CliResult refused =
            terminal.run(kKeepAll + "--text-file text -o out.txt --sidecar sidecar.json");
        CHECK(refused.exitCode == 4);
        CHECK_THAT(refused.errors, StartsWith("error: text:"));
        if (text.isTold) {
            CHECK_THAT(refused.errors, Contains(text.encoding) && Contains("--encoding"));
            CHECK(convertedAs(refused.errors, text.bytes) == text.utf8);
        }
        CHECK(terminal.content("out.txt") == "old");
        CHECK(terminal.names() == Arguments{"out.txt", "small.txt", "text"});
    }
}

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
