#include <algorithm>
#include <chrono>
#include <csignal>
#include <string>
#include <thread>
#include <vector>

#include <sys/stat.h>
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/support/made_up_embedding.h"
#include "tests/support/run_cli.h"
#include "tests/support/sanitized.h"

using namespace epsilens;
using test::CliProcess;
using test::CliResult;
using test::CliSetup;
using Arguments = std::vector<std::string>;
using Catch::Matchers::Contains;
using nlohmann::json;

namespace {

constexpr const char* kDraws = test::kSanitized ? "1000" : "4000";

/// Twenty blocks of words, to be interrupted after the second.
Arguments longRun(const std::string& embedding) {
    return {"calibrate", embedding,  "--words", "all",        "--draws",  kDraws, "--epsilon",
            "1,2,4,8",   "--lambda", "0.5",     "--progress", "--format", "json"};
}

}  // namespace

TEST_CASE("An interrupted calibration writes what it has, marked partial, and ends with 130") {
    const int number = GENERATE(SIGINT, SIGTERM);
    const test::TemporaryFolder folder;
    const std::string embedding = folder.file("many.txt", test::madeUpGlove(2000, 4, 1));
    CliProcess process(longRun(embedding));
    REQUIRE(process.waitForErrors("Calibrating 10%"));
    process.sendSignal(number);
    const CliResult result = process.finish();
    CHECK(result.exitCode == 130);
    CHECK_THAT(result.errors, Contains("interrupted: the results are partial"));
    const json document = json::parse(result.output);
    CHECK(document["run"]["partial"] == true);
    CHECK(document["run"]["wordsAsked"] == 2000);
    CHECK(document["run"]["words"].get<int>() >= 100);
    CHECK(document["run"]["words"].get<int>() < 2000);
    CHECK(document["cells"].size() == 4);
}

TEST_CASE("Partial results go to the file of -o and the table of words") {
    const test::TemporaryFolder folder;
    const std::string embedding = folder.file("many.txt", test::madeUpGlove(2000, 4, 1));
    Arguments arguments = longRun(embedding);
    arguments.insert(arguments.end(),
                     {"-o", folder.path("out.json"), "--per-word", folder.path("words.csv")});
    CliProcess process(arguments);
    REQUIRE(process.waitForErrors("Calibrating 10%"));
    process.sendSignal(SIGINT);
    const CliResult result = process.finish();
    CHECK(result.exitCode == 130);
    CHECK(result.output.empty());
    const json document = json::parse(test::contentOf(folder.path("out.json")));
    CHECK(document["run"]["partial"] == true);
    const std::string table = test::contentOf(folder.path("words.csv"));
    CHECK(std::count(table.begin(), table.end(), '\n') ==
          1 + 4 * document["run"]["words"].get<int>());
}

TEST_CASE("An interrupted profile of distances leaves the rest of the description") {
    const test::TemporaryFolder folder;
    const std::string embedding = folder.file("many.txt", test::madeUpGlove(80'000, 16, 1));
    CliProcess process(
        {"info", embedding, "--density", "--threads", "1", "--progress", "--format", "json"});
    REQUIRE(process.waitForErrors("Nearest neighbours 10%"));
    process.sendSignal(SIGINT);
    const CliResult result = process.finish();
    CHECK(result.exitCode == 130);
    CHECK_THAT(result.errors, Contains("interrupted: the results are partial"));
    const json document = json::parse(result.output);
    CHECK(document["partial"] == true);
    CHECK(document["embedding"]["words"] == 80'000);
    CHECK(document["epsilonRange"]["words"] == 200);
    CHECK(!document.contains("density"));
}

TEST_CASE("Interrupted before there is anything to write: an error and 130") {
    const test::TemporaryFolder folder;
    const std::string embedding = folder.file("some.txt", test::madeUpGlove(20, 3, 1));
    CliSetup setup;
    setup.keepInputOpen = true;  // sample waits for the text
    CliProcess process({"sample", embedding, "--progress", "--format", "json"}, setup);
    CHECK(process.waitForErrors("Reading the text"));
    process.sendSignal(SIGINT);
    const CliResult result = process.finish();
    CHECK(result.exitCode == 130);
    CHECK_THAT(result.errors, Contains("error: interrupted: sample ended before it had results") &&
                                  Contains("nothing was written"));
    CHECK(json::parse(result.output)["error"]["code"] == "cancelled");
}

// What comes before the program has a handler, while the system loads it, is the system's own.
TEST_CASE("A signal as soon as the program can hear it gives a message and 130") {
    const int number = GENERATE(SIGINT, SIGTERM);
    const test::TemporaryFolder folder;
    const std::string embedding = folder.file("some.txt", test::madeUpGlove(20, 3, 1));
    for (int microseconds = 0; microseconds < 40'000; microseconds += 1'000) {
        CliSetup setup;
        setup.keepInputOpen = true;  // sample waits for the text
        CliProcess process({"sample", embedding, "--epsilon", "1"}, setup);
        REQUIRE(process.waitUntilItCatches(number));
        std::this_thread::sleep_for(std::chrono::microseconds(microseconds));
        process.sendSignal(number);
        REQUIRE(process.endsWithin(std::chrono::seconds(20)));
        const CliResult result = process.finish();
        CAPTURE(microseconds, result.errors);
        CHECK(result.exitCode == 130);
        CHECK_THAT(result.errors,
                   Contains("error: interrupted") && Contains("nothing was written"));
        CHECK(result.output.empty());
    }
}

// The signal comes while the program waits for the reader, and comes once.
TEST_CASE("One signal ends a release whose reader does not read, with whole lines and 130") {
    const int number = GENERATE(SIGINT, SIGTERM);
    const test::TemporaryFolder folder;
    CliSetup setup;
    setup.leaveOutputUnread = true;
    for (int i = 0; i < 40'000; ++i) {
        setup.input += "w1 w2 w3\n";
    }
    CliProcess process(
        {"sanitize", folder.file("some.txt", test::madeUpGlove(20, 3, 1)), "--epsilon", "1e9"},
        setup);
    REQUIRE(process.waitForFullOutput());
    process.sendSignal(number);
    REQUIRE(process.endsWithin(std::chrono::seconds(20)));
    const CliResult result = process.finish();
    CHECK(result.exitCode == 130);
    CHECK_THAT(result.errors, Contains("whole lines written") && !Contains("a part of the next"));
    REQUIRE(!result.output.empty());
    CHECK(setup.input.starts_with(result.output));
    CHECK(result.output.back() == '\n');
}

TEST_CASE("One signal ends the wait for the reader of a pipe, and says that nothing was written") {
    const test::TemporaryFolder folder;
    const std::string pipe = folder.path("pipe");
    REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
    CliProcess process({"calibrate", folder.file("some.txt", test::madeUpGlove(20, 3, 1)),
                        "--epsilon", "1", "--words", "2", "--draws", "2", "--progress", "-o",
                        pipe});
    REQUIRE(process.waitForErrors("Calibrating"));
    REQUIRE_FALSE(process.endsWithin(std::chrono::milliseconds(300)));
    process.sendSignal(SIGINT);
    REQUIRE(process.endsWithin(std::chrono::seconds(20)));
    const CliResult result = process.finish();
    CHECK(result.exitCode == 130);
    CHECK_THAT(result.errors, Contains("nothing was written"));
}
