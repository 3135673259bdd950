#include <algorithm>
#include <chrono>
#include <csignal>
#include <string>
#include <thread>

#include <sys/stat.h>
#include <catch2/catch.hpp>

#include "tests/cli/terminal.h"
#include "tests/support/sanitized.h"

using namespace epsilens;
using Catch::Matchers::Contains;
using nlohmann::json;
using test::CliProcess;
using test::CliResult;
using test::CliSetup;
using namespace std::chrono_literals;

namespace {

/// Twenty blocks of words, to be interrupted after the second.
const std::string kLongRun =
    std::string(
        "calibrate many.txt --words all --epsilon 1,2,4,8 --lambda 0.5 --progress --format "
        "json --draws ") +
    (test::kSanitized ? "250" : "1000");

/// How a command ends that is sent a signal when it has said this on standard error.
CliResult interrupted(CliProcess& process, const std::string& said, int number = SIGINT) {
    REQUIRE(process.waitForErrors(said));
    process.sendSignal(number);
    CliResult result = process.finish();
    CHECK(result.exitCode == 130);
    return result;
}

/// Pairs of a chain of nodes, each with all above it.
std::string chainClosure(int nodes) {
    std::string text;
    for (int child = 0; child < nodes; ++child) {
        for (int parent = child + 1; parent < nodes; ++parent) {
            text += "n" + std::to_string(child) + "\tn" + std::to_string(parent) + "\n";
        }
    }
    return text;
}

}  // namespace

TEST_CASE("An interrupted calibration writes what it has, marked partial, and ends with 130") {
    const int number = GENERATE(SIGINT, SIGTERM);
    const test::Terminal terminal;
    terminal.file("many.txt", test::madeUpGlove(2000, 4, 1));
    CliProcess process = terminal.start(kLongRun + " -o out.json --per-word words.csv");
    const CliResult result = interrupted(process, "Calibrating 10%", number);
    CHECK(result.output.empty());
    CHECK_THAT(result.errors, Contains("interrupted: the results are partial"));
    const auto document = terminal.document("out.json");
    CHECK(document["run"]["partial"] == true);
    CHECK(document["run"]["wordsAsked"] == 2000);
    const int words = document["run"]["words"];
    CHECK(words >= 100);
    CHECK(words < 2000);
    CHECK(document["cells"].size() == 4);
    const std::string table = terminal.content("words.csv");
    CHECK(std::ranges::count(table, '\n') == 1 + 4 * words);
}

TEST_CASE("An interrupted profile of distances leaves the rest of the description") {
    const test::Terminal terminal;
    terminal.file("many.txt", test::madeUpGlove(80'000, 16, 1));
    CliProcess process =
        terminal.start("info many.txt --density --threads 1 --progress --format json");
    const CliResult result = interrupted(process, "Nearest neighbours 10%");
    CHECK_THAT(result.errors, Contains("interrupted: the results are partial"));
    const json document = json::parse(result.output);
    CHECK(document["partial"] == true);
    CHECK(document["embedding"]["words"] == 80'000);
    CHECK(document["epsilonRange"]["words"] == 200);
    CHECK(!document.contains("density"));
}

TEST_CASE("An interrupted training writes the epochs it finished, or nothing") {
    const test::Terminal terminal;
    terminal.file("pairs.tsv", chainClosure(60));
    const std::string line = "train-poincare pairs.tsv --dimensions 2 --progress -o out.vec";
    CliProcess early = terminal.start(line + " --burn-in 1000000");
    CHECK_THAT(interrupted(early, "Training, burn-in 0%", SIGTERM).errors,
               Contains("training was cancelled before its first epoch ended"));
    CHECK(terminal.names() == test::Arguments{"pairs.tsv", "small.txt"});
    // Shown when the first epoch after the burn-in is done.
    CliProcess process = terminal.start(line + " --epochs 1000000 --burn-in 1");
    CHECK_THAT(interrupted(process, "Training 0%").errors,
               Contains("warning: interrupted: the results are partial") &&
                   Contains(" of 1,000,000 epochs after 1 of burn-in"));
    CHECK_THAT(terminal.content("out.vec"), Catch::StartsWith("60 2\n"));
}

TEST_CASE("Interrupted before there is anything to write: an error and 130") {
    const test::Terminal terminal;
    CliSetup setup;
    setup.keepInputOpen = true;  // sample waits for the text
    CliProcess process = terminal.start("sample small.txt --progress --format json", setup);
    const CliResult result = interrupted(process, "Reading the text");
    CHECK_THAT(result.errors, Contains("error: interrupted: sample ended before it had results") &&
                                  Contains("nothing was written"));
    CHECK(json::parse(result.output)["error"]["code"] == "cancelled");
}

// What comes before the program has a handler, while the system loads it, is the system's own.
TEST_CASE("A signal as soon as the program can hear it gives a message and 130") {
    const int number = GENERATE(SIGINT, SIGTERM);
    const test::Terminal terminal;
    for (auto wait = 0us; wait < 40ms; wait += test::kSanitized ? 4ms : 1ms) {
        CliSetup setup;
        setup.keepInputOpen = true;  // sample waits for the text
        CliProcess process = terminal.start("sample small.txt --epsilon 1", setup);
        REQUIRE(process.waitUntilItCatches(number));
        std::this_thread::sleep_for(wait);
        process.sendSignal(number);
        REQUIRE(process.endsWithin(20s));
        const CliResult result = process.finish();
        CAPTURE(wait.count(), result.errors);
        CHECK(result.exitCode == 130);
        CHECK_THAT(result.errors,
                   Contains("error: interrupted") && Contains("nothing was written"));
        CHECK(result.output.empty());
    }
}

// The signal comes while the program waits for the reader, and comes once.
TEST_CASE("One signal ends a release whose reader does not read, with whole lines and 130") {
    const int number = GENERATE(SIGINT, SIGTERM);
    const test::Terminal terminal;
    CliSetup setup;
    setup.leaveOutputUnread = true;
    setup.input = test::repeated("w1 w2 w3\n", 40'000);
    CliProcess process =
        terminal.start(std::string("sanitize small.txt") + test::kEveryWordStays, setup);
    REQUIRE(process.waitUntilItRests());
    process.sendSignal(number);
    REQUIRE(process.endsWithin(20s));
    const CliResult result = process.finish();
    CHECK(result.exitCode == 130);
    CHECK_THAT(result.errors, Contains("whole lines written") && !Contains("a part of the next"));
    REQUIRE(!result.output.empty());
    CHECK(setup.input.starts_with(result.output));
    CHECK(result.output.back() == '\n');
}

TEST_CASE("One signal ends the wait for the reader of a pipe, and says that nothing was written") {
    const test::Terminal terminal;
    REQUIRE(mkfifo(terminal.path("pipe").c_str(), 0600) == 0);
    CliProcess process =
        terminal.start("calibrate small.txt --epsilon 1 --words 2 --draws 2 --progress -o pipe");
    REQUIRE(process.waitForErrors("Calibrating"));
    REQUIRE(process.waitUntilItRests());
    process.sendSignal(SIGINT);
    REQUIRE(process.endsWithin(20s));
    const CliResult result = process.finish();
    CHECK(result.exitCode == 130);
    CHECK_THAT(result.errors, Contains("nothing was written"));
}
