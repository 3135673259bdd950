#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "tests/cli/terminal.h"

using namespace epsilens;
using Catch::Matchers::Contains;
using nlohmann::json;

namespace {

using Words = std::vector<std::string>;

/// The words in the first column of a table.
Words wordsOf(const std::string& perWordCsv) {
    Words words;
    std::size_t begin = perWordCsv.find('\n') + 1;
    while (begin < perWordCsv.size()) {
        words.push_back(perWordCsv.substr(begin, perWordCsv.find(',', begin) - begin));
        begin = perWordCsv.find('\n', begin) + 1;
    }
    return words;
}

}  // namespace

TEST_CASE("A run over the whole axis is verified, and its report shows a few of its points") {
    const test::Terminal terminal;
    terminal.printed(
        "calibrate small.txt --epsilon all --points 40 --lambda 0,1 --draws 20 --format json -o "
        "run.json");
    CHECK_THAT(terminal.printed("verify --from run.json"), Contains("every value is the same"));
    const std::string report = terminal.printed("report --from run.json --limit nw.mean<=15");
    CHECK_THAT(report, Contains("Measured at 40 points of the axis of ε") &&
                           Contains("--epsilon all --points 40"));
    // The largest of all points that meets the limit is chosen, and stands in the tables.
    double largest = 0.0;
    const auto document = terminal.document("run.json");
    for (const auto& cell : document["cells"]) {
        if (cell["nw"]["mean"].get<double>() <= 15.0) {
            largest = std::max(largest, cell["epsilon"].get<double>());
        }
    }
    CHECK_THAT(report, Contains("Over the words, at ε = " + json(largest).dump()));
}

TEST_CASE("Random words of a data set are drawn from those that occur in it") {
    const test::Terminal terminal;
    std::string data;
    for (int word = 0; word < 60; word += 2) {
        data += "w" + std::to_string(word) + "\n";
    }
    terminal.file("data.txt", data);
    const auto drawn = [&](const std::string& seed) {
        terminal.printed(
            "calibrate small.txt --mechanism laplace --epsilon 1 --draws 5 --words 20 --data "
            "data.txt --per-word words.csv --seed " +
            seed);
        return wordsOf(terminal.content("words.csv"));
    };
    const Words words = drawn("1");
    REQUIRE(words.size() == 20);
    for (const std::string& word : words) {
        CHECK(std::stoi(word.substr(1)) % 2 == 0);
    }
    CHECK(drawn("1") == words);
    CHECK(drawn("2") != words);
}
