#include <csignal>
#include <sstream>
#include <string>
#include <vector>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/support/run_cli.h"

using namespace epsilens;
using Arguments = std::vector<std::string>;
using Catch::Matchers::Contains;
using test::CliProcess;
using test::CliResult;
using test::runCli;

namespace {

// Bad lines 2 and 5, self pair 3, repeated pair 6, a cycle of dog and hound, a name with a blank.
const char* const kPairs =
    "dog\tmammal\n"
    "no tab\n"
    "dog\tdog\n"
    "big cat\tmammal\r\n"
    "\tmammal\n"
    "dog\tmammal\n"
    "mammal\tanimal\n"
    "hound\tdog\n"
    "dog\thound";

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

TEST_CASE("train-poincare writes word2vec text and says what the list was like") {
    const test::TemporaryFolder folder;
    const std::string pairs = folder.file("pairs.tsv", kPairs);
    const CliResult result =
        runCli({"train-poincare", pairs, "--dimensions", "3", "--epochs", "4"});
    REQUIRE(result.exitCode == 0);
    std::istringstream lines(result.output);
    std::string line;
    std::vector<std::string> words;
    REQUIRE(std::getline(lines, line));
    CHECK(line == "5 3");
    while (std::getline(lines, line)) {
        words.push_back(line.substr(0, line.find(' ')));
        double square = 0.0;
        std::istringstream numbers(line.substr(line.find(' ')));
        int count = 0;
        for (double number = 0.0; numbers >> number; ++count) {
            square += number * number;
        }
        CHECK(count == 3);
        CHECK(square < 1.0);
    }
    CHECK(words == Arguments{"dog", "mammal", "big_cat", "animal", "hound"});
    CHECK_THAT(result.errors,
               Contains("warning: pairs.tsv: 2 bad lines skipped: not a child and a parent "
                        "separated by one tab 1 (at 2), empty name 1 (at 5)\n"));
    CHECK_THAT(result.errors, Contains("node with itself are left out (at 3)"));
    CHECK_THAT(result.errors, Contains("warning: pairs.tsv: 1 group of nodes that form cycles"));
    CHECK_THAT(result.errors, Contains("(such as dog, hound)"));
    CHECK_THAT(result.errors, Contains("underscores (1 node)"));
    CHECK_THAT(result.errors, Contains("pairs.tsv: 5 pairs of 5 nodes; bad lines 2, self pairs 1, "
                                       "repeated pairs 1, cycles 1\n"));
    CHECK_THAT(result.errors, Contains("4 of 4 epochs after 10 of burn-in in "));
    CHECK_THAT(result.errors, Contains(" relations/s, final loss "));
}

TEST_CASE("train-poincare: what is written can be opened") {
    const test::TemporaryFolder folder;
    const std::string vectors = folder.path("out.vec");
    const CliResult trained =
        runCli({"train-poincare", folder.file("pairs.tsv", chainClosure(12)), "--dimensions", "4",
                "--seed", "3", "--quiet", "-o", vectors});
    REQUIRE(trained.exitCode == 0);
    CHECK(trained.output.empty());
    CHECK(trained.errors.empty());
    const CliResult info = runCli({"info", vectors, "--format", "json"});
    REQUIRE(info.exitCode == 0);
    const auto document = nlohmann::json::parse(info.output);
    CHECK(document["embedding"]["format"] == "word2vec-text");
    CHECK(document["embedding"]["words"] == 12);
    CHECK(document["embedding"]["dimensions"] == 4);
    CHECK(document["embedding"]["skipped"]["badLines"] == 0);
    CHECK(document["norms"]["max"].get<double>() < 1.0);
}

TEST_CASE("train-poincare: seed and options decide, not the threads") {
    const test::TemporaryFolder folder;
    const std::string pairs = folder.file("pairs.tsv", chainClosure(30));
    const auto vectors = [&](const Arguments& options) {
        Arguments arguments{"train-poincare", pairs, "--epochs", "3", "--quiet"};
        arguments.insert(arguments.end(), options.begin(), options.end());
        const CliResult result = runCli(arguments);
        REQUIRE(result.exitCode == 0);
        return result.output;
    };
    const std::string first = vectors({});
    CHECK(vectors({"--seed", "1", "--threads", "1"}) == first);
    CHECK(vectors({"--threads", "2"}) == first);
    CHECK(vectors({"--dimensions", "10", "--negatives", "10", "--rate", "0.3", "--burn-in",
                   "10"}) == first);  // the defaults that the help names
    CHECK(vectors({"--seed", "2"}) != first);
    CHECK(vectors({"--negatives", "9"}) != first);
    CHECK(vectors({"--rate", "0.2"}) != first);
    CHECK(vectors({"--burn-in", "0"}) != first);
}

TEST_CASE("train-poincare reads standard input") {
    test::CliSetup setup;
    setup.input = chainClosure(4);
    const CliResult result =
        runCli({"train-poincare", "-", "--dimensions", "2", "--epochs", "2"}, setup);
    REQUIRE(result.exitCode == 0);
    CHECK_THAT(result.errors, Contains("standard input: 6 pairs of 4 nodes"));
    CHECK(result.output.rfind("4 2\n", 0) == 0);
}

TEST_CASE("train-poincare: an interrupted training writes the epochs it finished") {
    const test::TemporaryFolder folder;
    const std::string pairs = folder.file("pairs.tsv", chainClosure(60));
    const std::string vectors = folder.path("out.vec");
    CliProcess process({"train-poincare", pairs, "--epochs", "1000000", "--burn-in", "1",
                        "--dimensions", "2", "--progress", "-o", vectors});
    // Shown when the first epoch after the burn-in is done.
    REQUIRE(process.waitForErrors("Training 0%"));
    process.sendSignal(SIGINT);
    const CliResult result = process.finish();
    CHECK(result.exitCode == 130);
    CHECK_THAT(result.errors, Contains("warning: interrupted: the results are partial"));
    CHECK_THAT(result.errors, Contains(" of 1,000,000 epochs after 1 of burn-in"));
    CHECK(test::contentOf(vectors).rfind("60 2\n", 0) == 0);
}

TEST_CASE("train-poincare: interrupted before an epoch ended, nothing is written") {
    const test::TemporaryFolder folder;
    const std::string pairs = folder.file("pairs.tsv", chainClosure(60));
    CliProcess process({"train-poincare", pairs, "--burn-in", "1000000", "--progress", "-o",
                        folder.path("out.vec")});
    REQUIRE(process.waitForErrors("Training, burn-in 0%"));
    process.sendSignal(SIGTERM);
    const CliResult result = process.finish();
    CHECK(result.exitCode == 130);
    CHECK_THAT(result.errors, Contains("training was cancelled before its first epoch ended"));
    CHECK(folder.names() == Arguments{"pairs.tsv"});
}
