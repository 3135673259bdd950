#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/support/made_up_embedding.h"
#include "tests/support/run_cli.h"

// Exit codes: 1 failed, 2 usage, 4 bad input file (the documented ones).

using namespace epsilens;
using test::CliResult;
using test::CliSetup;
using test::runCli;
using Arguments = std::vector<std::string>;
using Catch::Matchers::Contains;

namespace {

/// One line on standard error that begins with "error: " and holds the text; nothing on standard
/// output.
void checkFails(const Arguments& arguments, int exitCode, const std::string& text) {
    CAPTURE(arguments);
    const CliResult result = runCli(arguments);
    CHECK(result.exitCode == exitCode);
    CHECK(result.output.empty());
    CHECK(result.errors.rfind("error: ", 0) == 0);
    CHECK(std::count(result.errors.begin(), result.errors.end(), '\n') == 1);
    CHECK_THAT(result.errors, Contains(text));
}

}  // namespace

TEST_CASE("What is typed wrong ends with 2 and a line that says what is allowed") {
    checkFails({}, 2, "epsilens-cli --help");
    checkFails({}, 2,
               "info, compare, calibrate, recommend, sample, sanitize, guarantee, evaluate, "
               "train-poincare, report or verify");
    checkFails(
        {"recalibrate"}, 2,
        "unknown command \"recalibrate\": info, compare, calibrate, recommend, sample, sanitize, "
        "guarantee, evaluate, train-poincare, report or verify");
    checkFails({"calibrate", "sample", "--gamma", "1"}, 2, "--gamma");
    checkFails({"calibrate", "sample", "--seed"}, 2, "--seed");
    checkFails({"info", "sample", "--format", "xml"}, 2, "text, json, csv");
    checkFails({"info", "sample", "--input-format", "pickle"}, 2, "pickle");
    checkFails({"info", "sample", "--threads", "many"}, 2, "whole number from 0");
    checkFails({"info", "sample", "--limit-rows", "0"}, 2, "whole number from 1");
    checkFails({"calibrate", "sample", "--mechanism", "magic"}, 2, "laplace, mahalanobis");
    checkFails({"calibrate", "sample", "--draws", "0"}, 2, "from 1 to 1000000");
    checkFails({"calibrate", "sample", "--draws", "1.5"}, 2, "--draws");
    checkFails({"calibrate", "sample", "--near", "0"}, 2, "--near");
    for (const std::string words : {"most", "sparsest:", "sparsest:0", "densest:x", "dense:5"}) {
        checkFails({"calibrate", "sample", "--words", words}, 2,
                   "all, a number from 1, @file, sparsest:N or densest:N");
    }
    checkFails({"calibrate", "sample", "--column", "text"}, 2, "needs --data");
    checkFails({"info", "sample", "--data-format", "csv"}, 2, "needs --data");
    checkFails({"calibrate", "sample", "--case", "keep"}, 2, "--case: needs --data");
    checkFails({"recommend", "sample", "--data", "x.csv", "--case", "upper"}, 2,
               "\"upper\" is not one of auto, keep, lower");
    checkFails({"info", "sample", "--data", "x.csv"}, 2, "--data: needs --density");
    checkFails({"info", "sample", "--density", "--data", "x.csv", "--data-format", "json"}, 2,
               "--data-format: \"json\" is not one of auto, lines, tsv, tsv-quoted, csv, jsonl");
    checkFails({"info", "sample", "--density", "--data", "no-such.csv"}, 4, "no-such.csv");
    checkFails({"sample", "--text", "x", "--top", "-1"}, 2, "--top");
    checkFails({"sample", "--text", "x", "--lambda", "0,1"}, 2, "one value");
    checkFails({"train-poincare"}, 2, "PAIRS");
    checkFails({"train-poincare", "x.tsv", "--dimensions", "0"}, 2, "from 1 to 1000");
    checkFails({"train-poincare", "x.tsv", "--epochs", "0"}, 2, "--epochs");
    checkFails({"train-poincare", "x.tsv", "--negatives", "many"}, 2, "--negatives");
    checkFails({"train-poincare", "x.tsv", "--burn-in", "-1"}, 2, "--burn-in");
    checkFails({"train-poincare", "x.tsv", "--rate", "0"}, 2, "above 0 and at most 10");
    checkFails({"train-poincare", "x.tsv", "--rate", "0,3"}, 2, "write 0.3");
    checkFails({"train-poincare", "x.tsv", "--rate", "nan"}, 2, "--rate");
    checkFails({"train-poincare", "x.tsv", "--limit-rows", "5"}, 2, "--limit-rows");
}

TEST_CASE("Seeds are whole numbers from 0 to 2^63 - 1") {
    checkFails({"calibrate", "sample", "--seed", "-1"}, 2, "9223372036854775807");
    checkFails({"calibrate", "sample", "--seed", "9223372036854775808"}, 2, "--seed");
    checkFails({"calibrate", "sample", "--seed", "1.0"}, 2, "--seed");
}

TEST_CASE("Values of epsilon and lambda outside their range are refused") {
    for (const std::string value : {"0", "-1", "1,0", "nan", "inf", "1e999", "ten", "", "1..40"}) {
        checkFails({"calibrate", "sample", "--epsilon", value}, 2, "--epsilon");
    }
    for (const std::string value : {"-0.1", "1.01", "nan", "half"}) {
        checkFails({"calibrate", "sample", "--lambda", value}, 2, "--lambda");
    }
    checkFails({"calibrate", "sample", "--mechanism", "laplace", "--lambda", "0.5"}, 2,
               "laplace mechanism has no lambda");
}

TEST_CASE("Options of TEM are checked, and refused for other mechanisms") {
    const auto tem = [](const Arguments& more) {
        Arguments arguments{"calibrate", "sample", "--mechanism", "tem", "--epsilon", "1"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return arguments;
    };
    checkFails(tem({"--metric", "cosine"}), 2, "euclidean, mahalanobis, angular, poincare");
    for (const std::string value : {"-1", "nan", "inf", "wide", ""}) {
        checkFails(tem({"--gamma", value}), 2, "--gamma");
    }
    for (const std::string value : {"0", "1", "-0.1", "nan", "0,5"}) {
        checkFails(tem({"--beta", value}), 2, "--beta");
    }
    checkFails(tem({"--gamma", "1", "--beta", "0.1"}), 2,
               "--beta: cannot be combined with --gamma");
    checkFails(tem({"--lambda", "0.5"}), 2, "--lambda: the euclidean metric has no lambda");
    checkFails(tem({"--metric", "poincare"}), 1, "rows have norm ≥ 1");
    checkFails({"calibrate", "sample", "--beta", "0.1"}, 2, "--beta: the mahalanobis mechanism");
    checkFails({"calibrate", "sample", "--mechanism", "laplace", "--metric", "angular"}, 2,
               "--metric: the laplace mechanism");
    checkFails({"sample", "--text", "x", "--mechanism", "tem", "--gamma", "1,2"}, 2, "one value");
    const test::TemporaryFolder folder;
    const std::string few = folder.file("few.txt", "a 1 2\nb 3 1\nc 0 0\n");
    checkFails({"calibrate", few, "--mechanism", "tem", "--epsilon", "1", "--beta", "0.9"}, 2,
               "at most (V - 1)/V = 0.666667");
    checkFails({"calibrate", few, "--mechanism", "tem", "--epsilon", "1", "--metric", "angular"}, 1,
               "1 rows are zero");
}

TEST_CASE("A decimal comma gets a hint how to write the number") {
    checkFails({"calibrate", "sample", "--epsilon", "0,5"}, 2, "for one half, write 0.5");
    checkFails({"calibrate", "sample", "--lambda", "0,5"}, 2, "for one half, write 0.5");
}

TEST_CASE("An input file that cannot be used ends with 4 and is named") {
    const test::TemporaryFolder folder;
    checkFails({"info", folder.path("missing.txt")}, 4, folder.path("missing.txt"));
    checkFails({"info", folder.file("prose.txt", "This is no embedding.\n")}, 4, "prose.txt");
    checkFails({"info", folder.file("empty.txt", "")}, 4, "empty.txt");
    checkFails({"info", folder.file("pairs.txt", "7 3\n8 4\n9 5\n")}, 4, "--input-format glove");
    const std::string bad = folder.file("bad.txt", "a 1 2 3\nb 1 2\nc 4 5 6\n");
    checkFails({"info", bad, "--strict"}, 4, "bad.txt:2: 2 numbers, expected 3");
    const std::string badPairs = folder.file("bad.tsv", "a\tb\nno tab\n");
    checkFails({"train-poincare", badPairs, "--strict"}, 4, "bad.tsv:2: not a child");
    checkFails({"train-poincare", folder.file("no.tsv", "no tab\n")}, 4, "no is-a pair");
    checkFails({"train-poincare", folder.path("missing.tsv")}, 4, "missing.tsv");
    const std::string good = folder.file("good.txt", test::madeUpGlove(20, 3, 1));
    checkFails({"calibrate", good, "--epsilon", "1", "--words", "@" + folder.path("none.txt")}, 4,
               "none.txt");
    checkFails({"calibrate", good, "--epsilon", "1", "--quiet", "--words",
                "@" + folder.file("strangers.txt", "paris\nlondon\n")},
               4, "none of its 2 words");
}

TEST_CASE("A file is named also where the message holds its name by chance") {
    const test::TemporaryFolder folder;
    folder.file("value", "a 1 2\nb 1 inf\nc 4 5\n");
    folder.file("number", "This is no embedding: it ends in no number.\n");
    CliSetup inFolder;
    inFolder.wrapper = {"env", "--chdir=" + folder.path("")};
    const CliResult value = runCli({"info", "value", "--strict"}, inFolder);
    CHECK(value.exitCode == 4);
    CHECK_THAT(value.errors, Catch::StartsWith("error: value:2: a value is not"));
    const CliResult number = runCli({"info", "number"}, inFolder);
    CHECK(number.exitCode == 4);
    CHECK_THAT(number.errors, Catch::StartsWith("error: number: this is not a word embedding"));
}

TEST_CASE("The format of the input can be forced") {
    const test::TemporaryFolder folder;
    const std::string counts = folder.file("counts.txt", "the 5\nof 7\nand 2\n");
    checkFails({"info", counts}, 4, "(or --input-format glove)");
    checkFails({"info", counts, "--input-format", "word2vec-text"}, 4, "header");
    const CliResult forced = runCli({"info", counts, "--input-format", "glove"});
    INFO(forced.errors);
    CHECK(forced.exitCode == 0);
    CHECK_THAT(forced.output, Contains("glove-text"));
}

// Two billion rows of 100 values in 4 bytes are 800 GB. The file is a hole, which takes no room.
TEST_CASE("A file that is too large for the memory is refused with the options that help") {
    const test::TemporaryFolder folder;
    const std::string path =
        folder.file("large.bin", "2000000000 100\nw " + std::string(400, '\0'));
    constexpr std::uintmax_t kBytes = 1'000'000'000'000;
    std::filesystem::resize_file(path, kBytes);
    const CliResult result = runCli({"info", path, "--input-format", "word2vec-binary"});
    CHECK(result.exitCode == 1);
    CHECK_THAT(result.errors, Contains("2,000,000,000 rows of 100 values need about"));
    CHECK_THAT(result.errors, Contains("or the words of a list (--limit-rows or --vocabulary)"));
}

TEST_CASE("lambda 1 with a singular covariance is refused with the largest usable lambda") {
    const test::TemporaryFolder folder;
    const std::string flat =
        folder.file("flat.txt", "a 1 2 0\nb 3 1 0\nc 4 5 0\nd 2 2 0\ne 0 1 0\n");
    checkFails({"calibrate", flat, "--epsilon", "1", "--lambda", "1"}, 1, "0.99");
    checkFails({"sample", flat, "--epsilon", "1", "--lambda", "0.995", "--text", "a"}, 1, "0.99");
}

TEST_CASE("A text without words or of too many words is refused") {
    const test::TemporaryFolder folder;
    const std::string good = folder.file("good.txt", test::madeUpGlove(20, 3, 1));
    checkFails({"sample", good, "--text", " ... "}, 2, "no words");
    std::string longText;
    for (int i = 0; i < 2001; ++i) {
        longText += "w1 ";
    }
    checkFails({"sample", good, "--text", longText}, 1, "at most 2,000");
    checkFails({"sample", "-"}, 2, "--text");
}

TEST_CASE("With --format json an error is also a document on standard output") {
    const test::TemporaryFolder folder;
    const std::string bad = folder.file("bad.txt", "a 1 2 3\nb 1 2\nc 4 5 6\n");
    struct Case {
        Arguments arguments;
        int exitCode;
        std::string code;
    };
    const std::vector<Case> cases{
        {{"info", bad, "--strict", "--format", "json"}, 4, "badFile"},
        {{"calibrate", bad, "--epsilon", "0", "--format=json"}, 2, "invalidArgument"},
        {{"calibrate", bad, "--gamma", "1", "--format", "json"}, 2, "invalidArgument"},
        {{"info", bad, "--format", "json", "-o", folder.path("no/such/folder.json")},
         1,
         "ioFailed"},
    };
    for (const Case& one : cases) {
        CAPTURE(one.arguments);
        const CliResult result = runCli(one.arguments);
        CHECK(result.exitCode == one.exitCode);
        CHECK(result.errors.rfind("error: ", 0) == 0);
        const auto answer = nlohmann::json::parse(result.output);
        CHECK(answer["error"]["code"] == one.code);
        CHECK(answer["error"]["exit"] == one.exitCode);
        CHECK_FALSE(answer["error"]["message"].get<std::string>().empty());
    }
    const auto strict = nlohmann::json::parse(runCli(cases[0].arguments).output);
    CHECK(strict["error"]["file"] == bad);
    CHECK(strict["error"]["line"] == 2);
}

TEST_CASE("An option without a value is refused, not taken for one that was left out") {
    const std::string option = GENERATE(
        as<std::string>{}, "--seed", "--threads", "--limit-rows", "--vocabulary", "--session",
        "--input-format", "--format", "--output", "--mechanism", "--epsilon", "--lambda", "--words",
        "--draws", "--near", "--data", "--per-word", "--deniability");
    checkFails({"calibrate", "sample", option, ""}, 2,
               option + ": the value is empty; see epsilens-cli calibrate --help");
}

TEST_CASE("An empty name is no embedding, an empty text a text") {
    checkFails({"info", ""}, 2, "EMBEDDING: the value is empty");
    checkFails({"sample", "--text", ""}, 2, "the text holds no words");
    CHECK(runCli({"sanitize", "sample", "--epsilon", "1", "--mask", ""}).exitCode == 0);
}

TEST_CASE("What is wrong with a command line is said in words of this program") {
    struct Wrong {
        Arguments arguments;
        std::string message;
    };
    const std::vector<Wrong> wrongs{
        {{"info", "sample", "3", "--nearby"}, "this command has no option --nearby"},
        {{"info", "sample", "3"}, "the argument \"3\" is one too many"},
        {{"calibrate", "--draws", "1", "--draws", "2"}, "--draws: takes one value, once"},
        {{"calibrate", "--draws"}, "--draws: takes one value, once"},
        {{"report"}, "--from is required"},
        {{"report", "--from", "x", "--date", "2026-02-29"}, "--date: \"2026-02-29\" is not a day"},
        {{"report", "--from", "x", "--date", "2026-2-03"}, "--date: \"2026-2-03\" is not a day"},
        {{"report", "--from", "x", "--date", "yesterday"}, "--date: \"yesterday\" is not a day"}};
    for (const Wrong& wrong : wrongs) {
        CAPTURE(wrong.arguments);
        const CliResult result = runCli(wrong.arguments);
        CHECK(result.exitCode == 2);
        CHECK_THAT(result.errors, Catch::StartsWith("error: " + wrong.message));
    }
    CHECK(runCli({"report", "--from", "x", "--date", "2028-02-29"}).exitCode == 4);
}
