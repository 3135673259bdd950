#include <cmath>
#include <sstream>
#include <string>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/support/csv_table.h"
#include "tests/support/run_cli.h"

using namespace epsilens;
using Catch::Matchers::Contains;
using nlohmann::json;
using test::CliResult;
using test::runCli;

namespace {

// Norms 5, 13, 5, 1, 2; the third row equals the first; line 3 is short, line 6 repeats a word.
const char* const kFaultyRows =
    "a 3 4 0\n"
    "b 5 12 0\n"
    "short 1 2\n"
    "c 3 4 0\n"
    "d 0 0 1\n"
    "a 9 9 9\n"
    "e 0 2 0\n";

}  // namespace

TEST_CASE("info describes a file as JSON, with a warning for rows left out") {
    const test::TemporaryFolder folder;
    const CliResult result =
        runCli({"info", folder.file("toy.txt", kFaultyRows), "--format", "json"});
    REQUIRE(result.exitCode == 0);
    const json info = json::parse(result.output);
    CHECK(info["schema"] == "epsilens.info/1");
    CHECK(info["embedding"]["file"] == "toy.txt");
    CHECK(info["embedding"]["format"] == "glove-text");
    CHECK(info["embedding"]["words"] == 5);
    CHECK(info["embedding"]["dimensions"] == 3);
    CHECK(info["embedding"]["skipped"]["badLines"] == 1);
    CHECK(info["embedding"]["skipped"]["duplicates"] == 1);
    CHECK(info["skippedRows"]["wrongLength"]["firstPositions"] == json({3}));
    CHECK(info["skippedRows"]["duplicates"]["firstPositions"] == json({6}));
    CHECK(info["identicalVectors"]["classes"] == 1);
    CHECK(info["norms"]["min"] == 1.0);
    CHECK(info["norms"]["mean"] == Approx(26.0 / 5).epsilon(1e-15));
    CHECK(info["norms"]["max"] == 13.0);
    CHECK(info["covariance"]["rank"] == 3);
    CHECK(info["epsilonRange"]["low"].get<double>() <= info["epsilonRange"]["high"].get<double>());
    CHECK_THAT(result.errors, Contains("warning: toy.txt: 2 rows skipped: wrong number of values 1 "
                                       "(at 3), duplicate word 1 (at 6)"));
}

TEST_CASE("info names a row whose decimal point is missing, as loading does") {
    const test::TemporaryFolder folder;
    std::string rows;
    for (int i = 0; i < 30; ++i) {
        rows += "w" + std::to_string(i) + (i == 16 ? " 124000 0\n" : " 3.6 4.8\n");
    }
    const std::string named =
        "row 17, word \"w16\": length 124,000, median 6.00: a missing decimal point?";
    const CliResult result = runCli({"info", folder.file("toy.txt", rows)});
    REQUIRE(result.exitCode == 0);
    CHECK_THAT(result.output, Contains("outlying rows") && Contains(named));
    CHECK_THAT(result.errors, Contains("warning: toy.txt: " + named));
}

TEST_CASE("info names the SHA-256 of the bytes as stored") {
    // Of the bytes "a 1 2\nb 3 4\n", by sha256sum of coreutils.
    const test::TemporaryFolder folder;
    const CliResult result =
        runCli({"info", folder.file("two.txt", "a 1 2\nb 3 4\n"), "--format", "json"});
    REQUIRE(result.exitCode == 0);
    CHECK(json::parse(result.output)["embedding"]["sha256"] ==
          "3d284dcfc671b075f27ce9f1f2e53ae4d6e750b8bfacedbcaf52d8aaa90240d9");
}

TEST_CASE("info writes text and CSV, and nothing else with --quiet") {
    const test::TemporaryFolder folder;
    const std::string path = folder.file("toy.txt", kFaultyRows);
    const CliResult text = runCli({"info", path, "--quiet"});
    CHECK(text.exitCode == 0);
    CHECK(text.errors.empty());
    CHECK_THAT(text.output, Contains("words           5\n") || Contains("words          5\n"));
    const CliResult csv = runCli({"info", path, "--quiet", "--format", "csv"});
    CHECK(csv.exitCode == 0);
    CHECK(test::csvTable(csv.output).at(0).at("embedding.words") == "5");
}

TEST_CASE("info of the loaded part: --limit-rows and --vocabulary") {
    const test::TemporaryFolder folder;
    const std::string path = folder.file("toy.txt", kFaultyRows);
    const json limited =
        json::parse(runCli({"info", path, "--limit-rows", "2", "--format", "json"}).output);
    CHECK(limited["embedding"]["words"] == 2);
    CHECK(limited["embedding"]["limitedTo"] == 2);
    const CliResult kept = runCli({"info", path, "--format", "json", "--vocabulary",
                                   folder.file("words.txt", "b\nd\nnowhere\n")});
    const json selected = json::parse(kept.output);
    CHECK(selected["embedding"]["words"] == 2);
    CHECK(selected["embedding"]["vocabulary"]["kept"] == 2);
    CHECK(selected["embedding"]["vocabulary"]["missing"] == 1);
    CHECK_THAT(kept.errors, Contains("1 not in the file"));
}

TEST_CASE("The built-in samples heed --limit-rows and --vocabulary") {
    const test::TemporaryFolder folder;
    const std::string words = folder.file("words.txt", "dog\ncat\nnowhereword\n");
    for (const std::string sample : {"sample", "sample-poincare"}) {
        CAPTURE(sample);
        const json limited =
            json::parse(runCli({"info", sample, "--limit-rows", "40", "--format", "json"}).output);
        CHECK(limited["embedding"]["words"] == 40);
        CHECK(limited["embedding"]["limitedTo"] == 40);
        const CliResult kept = runCli({"info", sample, "--vocabulary", words, "--format", "json"});
        REQUIRE(kept.exitCode == 0);
        const json selected = json::parse(kept.output);
        CHECK(selected["embedding"]["words"] == 2);
        CHECK(selected["embedding"]["vocabulary"]["missing"] == 1);
        CHECK(runCli({"info", sample, "--vocabulary", folder.path("missing.txt")}).exitCode == 4);
        const CliResult none =
            runCli({"info", sample, "--vocabulary", folder.file("none.txt", "nowhereword\n")});
        CHECK(none.exitCode == 4);
    }
}

TEST_CASE("Words outside the vocabulary asked for are never released") {
    const test::TemporaryFolder folder;
    const std::string words = folder.file("words.txt", "paris\nlondon\n");
    test::CliSetup setup;
    setup.input = "paris london paris london paris london\n";
    const CliResult released = runCli(
        {"sanitize", "sample", "--vocabulary", words, "--mechanism", "laplace", "--epsilon", "0.5"},
        setup);
    REQUIRE(released.exitCode == 0);
    std::istringstream text(released.output);
    for (std::string word; text >> word;) {
        CHECK((word == "paris" || word == "london"));
    }
}

TEST_CASE("info reads an embedding from standard input") {
    test::CliSetup setup;
    setup.input = kFaultyRows;
    const CliResult result = runCli({"info", "-", "--format", "json"}, setup);
    REQUIRE(result.exitCode == 0);
    CHECK(json::parse(result.output)["embedding"]["words"] == 5);
}

TEST_CASE("info of equal vectors says that no lambda is usable") {
    const test::TemporaryFolder folder;
    const CliResult result =
        runCli({"info", folder.file("equal.txt", "a 1 2\nb 1 2\nc 1 2\n"), "--format", "json"});
    REQUIRE(result.exitCode == 0);
    const json info = json::parse(result.output);
    CHECK(info["covariance"]["largestUsableLambda"].is_null());
    CHECK(info["identicalVectors"]["extraRows"] == 2);
}

TEST_CASE("The built-in Poincaré sample is opened by its name") {
    const CliResult result = runCli({"info", "sample-poincare", "--format", "json"});
    INFO(result.errors);
    REQUIRE(result.exitCode == 0);
    const json info = json::parse(result.output);
    CHECK(info["embedding"]["file"] == "sample-poincare");
    CHECK(info["embedding"]["format"] == "built-in");
    // The size the sample is documented to have; a Poincaré embedding has norms below 1.
    CHECK(info["embedding"]["words"] == 14065);
    CHECK(info["embedding"]["dimensions"] == 10);
    CHECK(info["norms"]["max"].get<double>() < 1.0);
}

TEST_CASE("Without an EMBEDDING the built-in sample is used, from any directory") {
    const CliResult named = runCli({"info", "sample", "--format", "json"});
    INFO(named.errors);
    REQUIRE(named.exitCode == 0);
    const json info = json::parse(named.output);
    CHECK(info["embedding"]["format"] == "built-in");
    CHECK(info["embedding"]["words"] == 12000);  // the size the sample is documented to have
    CHECK(info["embedding"]["dimensions"] == 100);
    // An empty folder and the root, where no file of the project is found by a relative path.
    const test::TemporaryFolder empty;
    for (const std::string& directory : {empty.path(""), std::string("/")}) {
        CAPTURE(directory);
        test::CliSetup elsewhere;
        elsewhere.workingDirectory = directory;
        const CliResult unnamed = runCli({"info", "--format", "json"}, elsewhere);
        REQUIRE(unnamed.exitCode == 0);
        CHECK(json::parse(unnamed.output)["embedding"] == info["embedding"]);
    }
    // The setup does change the directory: a file is found there by its name alone.
    const test::TemporaryFolder folder;
    folder.file("toy.txt", kFaultyRows);
    test::CliSetup there;
    there.workingDirectory = folder.path("");
    CHECK(runCli({"info", "toy.txt"}, there).exitCode == 0);
}
