#include <string>
#include <vector>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/support/csv_table.h"
#include "tests/support/made_up_embedding.h"
#include "tests/support/run_cli.h"

using namespace epsilens;
using Catch::Matchers::Contains;
using nlohmann::json;
using test::CliResult;
using test::runCli;
using Arguments = std::vector<std::string>;

namespace {

// On a line: distances to the nearest neighbour 1, 1, 2, 7.
const char* const kWordsOnALine = "free 0 0\nwin 1 0\ncall 3 0\nnever 10 0\n";

// In the records: free 3 of 4, win 2, call 1.
const char* const kData =
    "id,text\n1,\"Free, win\"\n2,free\n3,\"call\nwin\"\n4,\"blorp free\"\n5\n";

std::vector<std::string> wordsOf(const std::string& perWordCsv) {
    std::vector<std::string> words;
    std::size_t begin = perWordCsv.find('\n') + 1;
    while (begin < perWordCsv.size()) {
        words.push_back(perWordCsv.substr(begin, perWordCsv.find(',', begin) - begin));
        begin = perWordCsv.find('\n', begin) + 1;
    }
    return words;
}

}  // namespace

TEST_CASE("info --density tells the figures of nearest-neighbour distances") {
    const test::TemporaryFolder folder;
    const std::string file = folder.file("line.txt", kWordsOnALine);
    const json plain = json::parse(runCli({"info", file, "--format", "json"}).output);
    CHECK_FALSE(plain.contains("density"));
    const CliResult result = runCli({"info", file, "--density", "--format", "json"});
    REQUIRE(result.exitCode == 0);
    const json density = json::parse(result.output)["density"];
    CHECK(density["metric"] == "Euclidean");
    CHECK(density["words"] == 4);
    CHECK(density["min"] == 1.0);
    CHECK(density["max"] == 7.0);
    CHECK(density["maxOverMin"] == 7.0);
    CHECK(density["mean"] == 2.75);
    CHECK(density["extremeWords"] == 4);
    CHECK(density["sparsestOverDensest"] == 1.0);
    CHECK(density["sparsest"][0] ==
          json({{"word", "never"}, {"distance", 7.0}, {"nearest", "call"}}));
    CHECK(density["densest"][0]["word"] == "free");
    CHECK(density["data"].is_null());
    CHECK_FALSE(density.contains("sparsestShareOfRecords"));
    const CliResult text = runCli({"info", file, "--density"});
    CHECK_THAT(text.output, Contains("4 words: 1.000 min, 1.500 median, 7.000 max; max/min 7.000"));
    const CliResult csv = runCli({"info", file, "--density", "--format", "csv"});
    CHECK(test::csvTable(csv.output).at(0).at("density.maxOverMin") == "7");
}

TEST_CASE("info --density --data tells the shares of records and the profile of its words") {
    const test::TemporaryFolder folder;
    const CliResult result =
        runCli({"info", folder.file("line.txt", kWordsOnALine), "--density", "--data",
                folder.file("data.csv", kData), "--column", "text", "--format", "json"});
    INFO(result.errors);
    REQUIRE(result.exitCode == 0);
    CHECK_THAT(result.errors, Contains("1 records skipped"));
    CHECK_THAT(result.errors, Contains("4 records with 7 words, 1 of them unknown; 3 words"));
    const json density = json::parse(result.output)["density"];
    // All four words are among the sparsest: (3 + 2 + 1 + 0) / 4 words / 4 records.
    CHECK(density["sparsestShareOfRecords"] == 0.375);
    CHECK(density["recordsWithSparsest"] == 1.0);
    const json& data = density["data"];
    CHECK(data["file"] == "data.csv");
    CHECK(data["column"] == "text");
    CHECK(data["records"] == 4);
    CHECK(data["skippedRecords"] == 1);
    CHECK(data["density"]["words"] == 3);
    CHECK(data["density"]["max"] == 2.0);
    CHECK(data["density"]["sparsest"][0]["word"] == "call");
    CHECK(data["density"]["sparsestShareOfRecords"] == 0.5);
    const CliResult text = runCli({"info", folder.path("line.txt"), "--density", "--data",
                                   folder.path("data.csv"), "--column", "2"});
    CHECK_THAT(text.output, Contains("data.csv, column 2: 5 records (1 skipped)"));
    CHECK_THAT(text.output, Contains("of the records hold any of the 3"));
}

TEST_CASE("calibrate measures the sparsest or the densest words") {
    const test::TemporaryFolder folder;
    const std::string file = folder.file("line.txt", kWordsOnALine);
    const auto measured = [&](const Arguments& words) {
        Arguments arguments{"calibrate", file,   "--mechanism", "laplace",
                            "--epsilon", "1",    "--draws",     "10",
                            "--format",  "json", "--per-word",  folder.path("words.csv")};
        arguments.insert(arguments.end(), words.begin(), words.end());
        const CliResult result = runCli(arguments);
        INFO(result.errors);
        REQUIRE(result.exitCode == 0);
        return json::parse(result.output)["run"];
    };
    CHECK_FALSE(measured({"--words", "all"}).contains("selection"));
    const json sparsest = measured({"--words", "sparsest:2"});
    CHECK(sparsest["words"] == 2);
    CHECK(sparsest["selection"] == json({{"words", "sparsest:2"}, {"data", nullptr}}));
    CHECK(wordsOf(test::contentOf(folder.path("words.csv"))) ==
          std::vector<std::string>{"call", "never"});
    CHECK(measured({"--words", "densest:1"})["words"] == 1);
    CHECK(wordsOf(test::contentOf(folder.path("words.csv"))) == std::vector<std::string>{"free"});
    CHECK(measured({"--words", "densest:9"})["words"] == 4);

    const std::string data = folder.file("data.csv", kData);
    const json chosen = measured({"--words", "sparsest:1", "--data", data, "--column", "text"});
    CHECK(chosen["selection"]["data"] ==
          json({{"file", "data.csv"}, {"column", "text"}, {"records", 4}}));
    CHECK(wordsOf(test::contentOf(folder.path("words.csv"))) == std::vector<std::string>{"call"});
    CHECK(measured({"--words", "all", "--data", data, "--column", "text"})["words"] == 3);
    CHECK(measured({"--data", data, "--column", "text"})["selection"]["words"] == "500");
    const std::string list = folder.file("list.txt", "never\ncall\nfree\nblorp\n");
    CHECK(measured({"--words", "@" + list, "--data", data, "--column", "text"})["words"] == 2);
    CHECK(wordsOf(test::contentOf(folder.path("words.csv"))) ==
          std::vector<std::string>{"free", "call"});
}

TEST_CASE("Random words of a data set are drawn from those that occur in it") {
    const test::TemporaryFolder folder;
    const std::string file = folder.file("made.txt", test::madeUpGlove(60, 4, 1));
    std::string data;
    for (int word = 0; word < 60; word += 2) {
        data += "w" + std::to_string(word) + "\n";
    }
    const std::string dataFile = folder.file("data.txt", data);
    const auto drawn = [&](const std::string& seed) {
        const CliResult result = runCli({"calibrate", file, "--mechanism", "laplace", "--epsilon",
                                         "1", "--draws", "5", "--words", "20", "--data", dataFile,
                                         "--per-word", folder.path("words.csv"), "--seed", seed});
        REQUIRE(result.exitCode == 0);
        CHECK_THAT(result.output,
                   Contains("Words chosen: 20, of those that occur in data.txt (30 records)"));
        return wordsOf(test::contentOf(folder.path("words.csv")));
    };
    const auto words = drawn("1");
    REQUIRE(words.size() == 20);
    for (const std::string& word : words) {
        CHECK(std::stoi(word.substr(1)) % 2 == 0);
    }
    CHECK(drawn("1") == words);
    CHECK(drawn("2") != words);
}

TEST_CASE("A data set that does not fit is refused") {
    const test::TemporaryFolder folder;
    const std::string file = folder.file("line.txt", kWordsOnALine);
    const auto refuse = [&](const std::string& data, const std::string& column, int code,
                            const std::string& part) {
        const CliResult result = runCli({"calibrate", file, "--epsilon", "1", "--lambda", "0",
                                         "--data", data, "--column", column});
        CHECK(result.exitCode == code);
        CHECK_THAT(result.errors, Contains(part));
    };
    const std::string data = folder.file("data.csv", kData);
    refuse(data, "message", 2,
           "column \"message\" is not in the data set; number of columns in its first line: 2");
    refuse(folder.file("open.csv", "id,text\n1,\"free\n"), "text", 4, "open.csv:2");
    refuse(folder.file("other.csv", "text\nblorp\n"), "text", 4, "none of its 1 words");
    const CliResult none = runCli({"info", file, "--density", "--data", data});
    CHECK(none.exitCode == 2);
    CHECK_THAT(none.errors, Contains("has 2 columns; choose one"));
}
