#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "tests/support/run_cli.h"

using namespace epsilens;
using Catch::Matchers::Contains;
using test::CliResult;
using test::runCli;

namespace {

/// Nothing of a display, a home folder or a locale.
const test::CliSetup kBare{{}, std::vector<std::string>{}, false, {}, false};

}  // namespace

TEST_CASE("Help works with an empty environment and lists the commands there are") {
    const CliResult help = runCli({"--help"}, kBare);
    CHECK(help.exitCode == 0);
    CHECK(help.errors.empty());
    for (const char* command : {"info", "calibrate", "recommend", "sample", "sanitize", "guarantee",
                                "evaluate", "train-poincare", "report", "verify", "Examples:"}) {
        CHECK_THAT(help.output, Contains(command));
    }
}

TEST_CASE("Help of every command has an example of that command and the general options") {
    for (const std::string command : {"info", "calibrate", "recommend", "sample", "guarantee",
                                      "evaluate", "train-poincare", "report", "verify"}) {
        CAPTURE(command);
        const CliResult help = runCli({command, "--help"}, kBare);
        CHECK(help.exitCode == 0);
        CHECK(help.errors.empty());
        CHECK_THAT(help.output, Contains("Example:\n") && Contains("\n  epsilens-cli " + command));
        for (const char* option :
             {"-o", "--threads", "--seed", "--quiet", "--version", "--progress", "--strict"}) {
            CHECK_THAT(help.output, Contains(option));
        }
        const auto has = [&](const char* option) {
            return help.output.find(option) != std::string::npos;
        };
        CHECK(has("--format") == (command != "train-poincare"));
        // These open no embedding, or one whose ways of loading they read from a file.
        const bool loads =
            command != "train-poincare" && command != "report" && command != "verify";
        for (const char* option : {"--input-format", "--limit-rows", "--vocabulary"}) {
            CAPTURE(option);
            CHECK(has(option) == loads);
        }
    }
}

TEST_CASE("Help of sanitize says what a release does not protect, and offers no seed") {
    const CliResult help = runCli({"sanitize", "--help"}, kBare);
    CHECK(help.exitCode == 0);
    CHECK_THAT(help.output, Contains("Example:\n  epsilens-cli sanitize"));
    CHECK_THAT(help.output, Contains("Not protected: the number and order of words"));
    CHECK_THAT(help.output,
               Contains("symbols (+, €, emoji): everything but spacing and punctuation"));
    CHECK_THAT(help.output, Contains("must be given, here or by"));
    CHECK_THAT(help.output, Contains("Floating point"));
    CHECK_THAT(help.output, !Contains("--seed") && !Contains("--format"));
}

TEST_CASE("The version is that of the project") {
    for (const std::vector<std::string>& arguments :
         {std::vector<std::string>{"--version"}, {"calibrate", "--version"}}) {
        const CliResult version = runCli(arguments, kBare);
        CHECK(version.exitCode == 0);
        CHECK(version.output == "epsilens-cli " EPSILENS_PROJECT_VERSION "\n");
    }
}

TEST_CASE("The examples of the help name options that exist") {
    // An example whose options are unknown would end with the usage code 2, not with the missing
    // file's 4.
    const std::string missing = "no-such-file.txt";
    CHECK(runCli({"info", missing, "--format", "json"}).exitCode == 4);
    CHECK(runCli({"info", missing, "--density", "--data", "tweets.csv", "--column", "text"})
              .exitCode == 4);
    CHECK(runCli({"calibrate", missing, "--mechanism", "mahalanobis", "--epsilon", "1,5,10,20,40",
                  "--lambda", "0..1x5", "--words", "500", "--draws", "100", "--seed", "1",
                  "--format", "json"})
              .exitCode == 4);
    CHECK(runCli({"sample", missing, "--text", "the quick brown fox", "--mechanism", "mahalanobis",
                  "--lambda", "0.5", "--epsilon", "5,20", "--draws", "3", "--top", "5", "--seed",
                  "1"})
              .exitCode == 4);
    CHECK(runCli({"sanitize", missing, "--mechanism", "mahalanobis", "--lambda", "0.5", "--epsilon",
                  "20", "--sidecar", test::TemporaryFolder().path("released.json")})
              .exitCode == 4);
    CHECK(runCli({"guarantee", missing, "--mechanism", "mahalanobis", "--epsilon", "5,20",
                  "--lambda", "0.5", "--pair", "paris,london", "--pair", "doctor,nurse"})
              .exitCode == 4);
    CHECK(runCli({"train-poincare", missing, "--dimensions", "5", "--epochs", "100", "--negatives",
                  "10", "--rate", "0.3", "--burn-in", "10", "--seed", "1"})
              .exitCode == 4);
}
