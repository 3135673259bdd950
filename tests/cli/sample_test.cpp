#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/support/csv_table.h"
#include "tests/support/made_up_embedding.h"
#include "tests/support/run_cli.h"

using namespace epsilens;
using test::CliResult;
using test::runCli;
using Arguments = std::vector<std::string>;
using Catch::Matchers::Contains;
using nlohmann::json;

namespace {

CliResult sampleSmall(const test::TemporaryFolder& folder, const Arguments& options,
                      const std::string& input = {}) {
    Arguments arguments{"sample", folder.file("small.txt", test::madeUpGlove(60, 4, 1))};
    arguments.insert(arguments.end(), options.begin(), options.end());
    test::CliSetup setup;
    setup.input = input;
    return runCli(arguments, setup);
}

json sampledJson(const test::TemporaryFolder& folder, Arguments options,
                 const std::string& input = {}) {
    options.insert(options.end(), {"--format", "json"});
    const CliResult result = sampleSmall(folder, options, input);
    INFO(result.errors);
    REQUIRE(result.exitCode == 0);
    return json::parse(result.output);
}

}  // namespace

TEST_CASE("sample gives the sentences asked for at every epsilon") {
    const test::TemporaryFolder folder;
    const json document = sampledJson(folder, {"--text", "w1, w2 blorp w1!", "--epsilon", "1,1000",
                                               "--draws", "3", "--top", "2"});
    CHECK(document["schema"] == "epsilens.sample/1");
    REQUIRE(document["tokens"].size() == 4);
    CHECK(document["tokens"][1]["row"] == 2);
    CHECK(document["tokens"][2]["row"].is_null());
    REQUIRE(document["results"].size() == 2);
    CHECK(document["results"][0]["epsilon"] == 1);
    for (const json& result : document["results"]) {
        CHECK(result["sentences"].size() == 3);
        REQUIRE(result["words"].size() == 2);  // w1 and w2, w1 once
        CHECK(result["words"][0]["top"].size() <= 2);
    }
    // So much epsilon that noise is far below any distance between words: all stay.
    for (const json& sentence : document["results"][1]["sentences"]) {
        CHECK(sentence["text"] == "w1, w2 blorp w1!");
        CHECK(sentence["changed"] == 0);
    }
    CHECK(document["results"][1]["words"][0]["kept"] == 1.0);
}

TEST_CASE("Sentence k gives word i of the text draw (k + i) mod R") {
    // So the last of R sentences of "w5 w5" gives its second word what the first sentence gives its
    // first: draw R mod R = 0.
    const test::TemporaryFolder folder;
    const json document = sampledJson(
        folder, {"--text", "w5 w5", "--epsilon", "2", "--draws", "120", "--top", "100"});
    REQUIRE(document["run"]["draws"] == 120);
    const json& sentences = document["results"][0]["sentences"];
    int kept = 0;
    for (std::size_t k = 0; k < 120; ++k) {
        CAPTURE(k);
        CHECK(sentences[k]["words"][1] == sentences[(k + 1) % 120]["words"][0]);
        kept += sentences[k]["words"][0] == "w5" ? 1 : 0;
    }
    // The R sentences together hold each draw once: they are the distribution.
    CHECK(document["results"][0]["words"][0]["nw"] == kept);
}

TEST_CASE("The same seed gives the same sample, whatever the number of threads") {
    const test::TemporaryFolder folder;
    const Arguments options{"--text", "w1 w2 w3 w4", "--epsilon", "2", "--seed", "11"};
    const auto with = [&](const char* option, const char* value) {
        Arguments all = options;
        all.insert(all.end(), {option, value});
        return sampledJson(folder, all)["results"];
    };
    CHECK(with("--threads", "1") == with("--threads", "2"));
    Arguments other = options;
    other.back() = "12";
    CHECK(with("--threads", "1") != sampledJson(folder, other)["results"]);
}

TEST_CASE("sample reads standard input and keeps what stands between words") {
    const test::TemporaryFolder folder;
    const json document =
        sampledJson(folder, {"--epsilon", "1000", "--draws", "1"}, "W1 --\n(w2)\tw3.\n");
    CHECK(document["results"][0]["sentences"][0]["text"] == "W1 --\n(w2)\tw3.");
}

TEST_CASE("Unknown words stay visible, marked, and are named with similar ones") {
    const test::TemporaryFolder folder;
    const CliResult result =
        sampleSmall(folder, {"--text", "w1 blorp", "--epsilon", "1000", "--draws", "1"});
    CHECK(result.exitCode == 0);
    CHECK_THAT(result.output, Contains("w1 [blorp?]"));
    CHECK_THAT(result.errors, Contains("unknown word \"blorp\""));
    const CliResult none =
        sampleSmall(folder, {"--text", "blorp", "--epsilon", "1", "--draws", "1", "--quiet"});
    CHECK(none.exitCode == 0);
    CHECK(none.errors.empty());
    CHECK_THAT(none.output, Contains("[blorp?]"));
}

TEST_CASE("sample writes the table of its words as CSV") {
    const test::TemporaryFolder folder;
    const Arguments options{"--text", "w1 w2 w1", "--epsilon", "2,5", "--top", "2"};
    Arguments asCsv = options;
    asCsv.insert(asCsv.end(), {"--format", "csv"});
    const CliResult csv = sampleSmall(folder, asCsv);
    INFO(csv.errors);
    REQUIRE(csv.exitCode == 0);
    CHECK(std::count(csv.output.begin(), csv.output.end(), '\n') == 1 + 2 * 2);
    const json word = sampledJson(folder, options)["results"][1]["words"][0];
    const auto row = test::csvTable(csv.output).at(2);
    CHECK(row.at("epsilon") == "5");
    CHECK(row.at("words.word") == "w1");
    CHECK(row.at("words.nw") == word["nw"].dump());
    CHECK(row.at("words.near") == word["near"].dump());
    CHECK(row.at("words.top.1.word") == word["top"][0]["word"]);
    CHECK(row.at("words.top.1.class") == word["top"][0]["class"]);
}

TEST_CASE("Without --epsilon sample takes one from the data and says so") {
    const test::TemporaryFolder folder;
    const CliResult result = sampleSmall(folder, {"--text", "w1"});
    CHECK(result.exitCode == 0);
    CHECK_THAT(result.errors, Contains("no --epsilon given: using "));
    CHECK_THAT(result.output, Contains("guarantee ε·‖·‖_RM"));
    CHECK_THAT(result.output, Contains("λ = 0.5"));
    CHECK_THAT(result.output, Contains("most frequent outputs"));
}

TEST_CASE("sample draws from TEM, the same draws at every epsilon") {
    const test::TemporaryFolder folder;
    const Arguments options{"--text",    "w1 w2 w3", "--mechanism", "tem",     "--epsilon",
                            "0.5,4,1e6", "--gamma",  "2",           "--draws", "4"};
    const json document = sampledJson(folder, options);
    CHECK(document["mechanism"]["name"] == "tem");
    REQUIRE(document["results"].size() == 3);
    CHECK(document["guarantee"][0]["gamma"] == 2);
    double kept = 0.0;
    for (const json& result : document["results"]) {
        CHECK(result["lambda"].is_null());
        REQUIRE(result["sentences"].size() == 4);
        double total = 0.0;
        for (const json& word : result["words"]) {
            total += word["kept"].get<double>();
        }
        // A draw that keeps a word keeps it at every larger epsilon.
        CHECK(total >= kept);
        kept = total;
    }
    CHECK(kept == 3.0);
    CHECK(document["results"] == sampledJson(folder, options)["results"]);
    Arguments other = options;
    other.insert(other.end(), {"--seed", "2"});
    CHECK(document["results"][0] != sampledJson(folder, other)["results"][0]);
    const CliResult shown = sampleSmall(folder, {"--text", "w1", "--mechanism", "tem"});
    CHECK(shown.exitCode == 0);
    CHECK_THAT(shown.errors, Contains("the median critical epsilon of 60 random words"));
    CHECK_THAT(shown.output, Contains("tem, Euclidean metric, 100 draws (R)"));
}
