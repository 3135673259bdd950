#include <array>
#include <string>
#include <vector>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/support/csv_table.h"
#include "tests/support/run_cli.h"

using namespace epsilens;
using Catch::Matchers::Contains;
using nlohmann::json;
using test::CliResult;
using test::runCli;
using Arguments = std::vector<std::string>;

TEST_CASE("compare puts mechanisms beside each other at the shares asked for") {
    const Arguments asked{"compare", "sample",       "--words",     "40",
                          "--kept",  "20%",          "--kept",      "0.5",
                          "--pair",  "Paris,london", "--mechanism", "laplace,tem"};
    Arguments asJson = asked;
    asJson.insert(asJson.end(), {"--format", "json"});
    const CliResult result = runCli(asJson);
    INFO(result.errors);
    REQUIRE(result.exitCode == 0);
    const json document = json::parse(result.output);
    REQUIRE(document["rows"].size() == 4);
    CHECK(document["pair"] == json{"paris", "london"});
    CHECK(document["rows"][0]["kept"] == 0.2);
    CHECK(document["rows"][3]["kept"] == 0.5);
    CHECK(document["rows"][3]["mechanism"]["name"] == "tem");

    Arguments asCsv = asked;
    asCsv.insert(asCsv.end(), {"--format", "csv"});
    CHECK(test::csvTable(runCli(asCsv).output).size() == 4);

    const CliResult text = runCli(asked);
    CHECK_THAT(text.output, Contains("At 20 of 100 words kept"));
    CHECK_THAT(text.output, Contains("odds, paris against london"));
}

TEST_CASE("compare weights by texts, and measures labelled ones") {
    const test::TemporaryFolder folder;
    std::string texts = "class\tmessage\n";
    for (int i = 0; i < 12; ++i) {
        const std::string place(static_cast<std::size_t>(i), 'a');
        texts += i % 2 == 0 ? "good\tthe nice warm summer day in paris " + place + "\n"
                            : "bad\tthe cold rainy winter night in london " + place + "\n";
    }
    const CliResult result =
        runCli({"compare", "sample", "--mechanism", "tem", "--repeats", "2", "--words", "30",
                "--data", folder.file("texts.tsv", texts), "--format", "json"});
    INFO(result.errors);
    REQUIRE(result.exitCode == 0);
    const json document = json::parse(result.output);
    REQUIRE(document["rows"].size() == 1);
    // 14 different words occur, so 30 evenly spaced tokens are no more.
    CHECK(document["run"]["words"].get<int>() <= 14);
    for (const char* figure : {"classify.linear.accuracy", "attack.best"}) {
        INFO(figure);
        const double mean = document["rows"][0][figure]["mean"];
        CHECK(mean >= 0.0);
        CHECK(mean <= 1.0);
    }
}

TEST_CASE("compare says what it cannot take") {
    for (const auto& [option, value, expected] :
         std::vector<std::array<std::string, 3>>{{"--kept", "100%", "below 100%"},
                                                 {"--kept", "often", "often"},
                                                 {"--pair", "paris,paris", "same word"},
                                                 {"--pair", "paris,qqqq", "not in the vocabulary"},
                                                 {"--mechanism", "tem,best", "allowed"},
                                                 {"--repeats", "3", "--data"}}) {
        const CliResult result = runCli({"compare", "sample", option, value});
        INFO(option << " " << value << ": " << result.errors);
        CHECK(result.exitCode == 2);
        CHECK_THAT(result.errors, Contains(expected));
    }
    // Where none of those asked for runs, there is nothing to compare.
    const CliResult none = runCli({"compare", "sample", "--mechanism", "hyperbolic"});
    CHECK(none.exitCode == 1);
    CHECK_THAT(none.errors, Contains("norm ≥ 1"));
}
