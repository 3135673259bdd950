#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "tests/cli/terminal.h"

using namespace epsilens;
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

TEST_CASE("The words asked for are measured") {
    const test::Terminal terminal;
    // On a line: distances to the nearest neighbour 1, 1, 2, 7.
    terminal.file("line.txt", "free 0 0\nwin 1 0\ncall 3 0\nnever 10 0\n");
    // In the records: free 3 of 4, win 2, call 1.
    terminal.file("data.csv",
                  "id,text\n1,\"Free, win\"\n2,free\n3,\"call\nwin\"\n4,\"blorp free\"\n5\n");
    terminal.file("list.txt", "never\r\ncall\n\nfree\nblorp\ncall\n");
    const auto run = [&](const std::string& words) {
        return terminal.found(
            "calibrate line.txt --mechanism laplace --epsilon 1 --draws 10 --per-word words.csv " +
            words)["run"];
    };
    const Words all{"free", "win", "call", "never"};
    for (const auto& [typed, measured] :
         {std::pair<std::string, Words>{"--words all", all},
          {"--words 4", all},
          {"--words sparsest:2", {"call", "never"}},
          {"--words densest:1", {"free"}},
          {"--words densest:9", all},
          {"--words @list.txt", {"free", "call", "never"}},
          {"--words sparsest:1 --data data.csv --column text", {"call"}},
          {"--words all --data data.csv --column text", {"free", "win", "call"}},
          {"--words @list.txt --data data.csv --column text", {"free", "call"}}}) {
        CAPTURE(typed);
        CHECK(run(typed)["words"] == measured.size());
        CHECK(wordsOf(terminal.content("words.csv")) == measured);
    }
    CHECK_FALSE(run("--words all").contains("selection"));
    CHECK(run("--words sparsest:2")["selection"] ==
          json({{"words", "sparsest:2"}, {"data", nullptr}}));
    CHECK(run("--data data.csv --column text")["selection"] ==
          json({{"words", "500"},
                {"data", {{"file", "data.csv"}, {"column", "text"}, {"records", 4}}}}));
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

TEST_CASE("The words of a data set are looked up by the letter case asked for") {
    const test::Terminal terminal;
    std::string vectors = terminal.content("small.txt");
    vectors.replace(vectors.find("w1 "), 3, "W1 ");
    terminal.file("capital.txt", vectors);
    terminal.file("d.txt", "W1 W3 W5 w7\n");
    const auto run = [&](const std::string& letterCase) {
        return terminal.found(
            "calibrate capital.txt --data d.txt --draws 5 --epsilon 2 --lambda 0" +
            letterCase)["run"];
    };
    CHECK(run("")["words"] == 2);               // W1, w7
    CHECK(run(" --case keep")["words"] == 2);   // the same
    CHECK(run(" --case lower")["words"] == 3);  // w3, w5, w7
    CHECK(run(" --case lower")["selection"]["data"]["case"] == "lower");
    CHECK_FALSE(run(" --case auto")["selection"]["data"].contains("case"));
}

TEST_CASE("Words outside the vocabulary asked for are never released") {
    const test::Terminal terminal;
    terminal.file("words.txt", "paris\nlondon\n");
    test::CliSetup setup;
    setup.input = "paris london paris london paris london\n";
    std::istringstream text(terminal.printed(
        "sanitize sample --vocabulary words.txt --mechanism laplace --epsilon 0.5", setup));
    for (std::string word; text >> word;) {
        CHECK((word == "paris" || word == "london"));
    }
}
