#include <string>
#include <vector>

#include <fmt/format.h>
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/support/run_cli.h"

using namespace epsilens;
using nlohmann::json;
using Arguments = std::vector<std::string>;

namespace {

constexpr int kWords = 250;

struct NearCase {
    std::string typed;  ///< after --near; empty: without it
    int neighbours;     ///< K, even
};

NearCase someNear() {
    return GENERATE(NearCase{"", 100}, NearCase{"4", 4}, NearCase{"120", 120});
}

/// Of words w0, w1, … on a line at equal distances: from both ends, the last word that has the end
/// among its K nearest and the first that has not. For word i from an end, 2i - 2 words are nearer
/// than that end and one is as near: the end is its neighbour number 2i - 1 or 2i.
std::vector<std::string> wordsAtTheLimit(int neighbours) {
    const int last = neighbours / 2;
    std::vector<std::string> words;
    for (const int word : {last, last + 1, kWords - 2 - last, kWords - 1 - last}) {
        words.push_back(fmt::format("w{}", word));
    }
    return words;
}

json resultOnALine(const test::TemporaryFolder& folder, const std::string& command,
                   const NearCase& near, Arguments options) {
    std::string line;
    for (int word = 0; word < kWords; ++word) {
        line += fmt::format("w{} {} 0\n", word, word);
    }
    options.insert(options.begin(), {command, folder.file("line.txt", line)});
    options.insert(options.end(), {"--format", "json"});
    if (!near.typed.empty()) {
        options.insert(options.end(), {"--near", near.typed});
    }
    const test::CliResult result = test::runCli(options);
    INFO(result.errors);
    REQUIRE(result.exitCode == 0);
    json document = json::parse(result.output);
    CHECK(document["run"]["nearNeighbours"] == near.neighbours);
    return document;
}

void checkShares(const json& shares, double kept, double near) {
    CHECK(shares["kept"].get<double>() == Approx(kept).epsilon(1e-6));
    CHECK(shares["near"].get<double>() == Approx(near).epsilon(1e-6));
    CHECK(shares["far"].get<double>() == Approx(1.0 - kept - near).epsilon(1e-6));
}

}  // namespace

TEST_CASE("calibrate counts as near the neighbours asked for, else 100") {
    const NearCase near = someNear();
    CAPTURE(near.typed);
    const test::TemporaryFolder folder;
    const std::string words = folder.file(
        "words.txt", fmt::format("{}\n", fmt::join(wordsAtTheLimit(near.neighbours), "\n")));
    // Noise beyond all words gives one of the ends, the same to all four words, since they share
    // draws: it is near to one of them.
    const json noise =
        resultOnALine(folder, "calibrate", near,
                      {"--mechanism", "laplace", "--epsilon", "1e-9", "--words", '@' + words});
    checkShares(noise["cells"][0], 0.0, 0.25);
    // With radius 0 every output is as likely as any other.
    const json tem = resultOnALine(
        folder, "calibrate", near,
        {"--mechanism", "tem", "--epsilon", "1", "--gamma", "0", "--words", '@' + words});
    checkShares(tem["cells"][0], 1.0 / kWords, static_cast<double>(near.neighbours) / kWords);
}

TEST_CASE("sample counts as near the neighbours asked for, else 100") {
    const NearCase near = someNear();
    CAPTURE(near.typed);
    const test::TemporaryFolder folder;
    const json document =
        resultOnALine(folder, "sample", near,
                      {"--mechanism", "laplace", "--epsilon", "1e-9", "--text",
                       fmt::format("{}", fmt::join(wordsAtTheLimit(near.neighbours), " "))});
    const json& words = document["results"][0]["words"];
    REQUIRE(words.size() == 4);
    for (std::size_t word = 0; word < 4; ++word) {
        CAPTURE(word);
        const json& top = words[word]["top"];
        REQUIRE(top.size() == 2);  // the ends
        const json& lowerEnd = top[top[0]["word"] == "w0" ? 0 : 1]["share"];
        const double share = word == 0   ? lowerEnd.get<double>()
                             : word == 3 ? 1.0 - lowerEnd.get<double>()
                                         : 0.0;
        checkShares(words[word], 0.0, share);
    }
}

TEST_CASE("Nothing is far when all other words count as near") {
    const test::TemporaryFolder folder;
    const json document =
        resultOnALine(folder, "calibrate", {std::to_string(kWords), kWords - 1},
                      {"--mechanism", "laplace", "--epsilon", "0.1", "--words", "all"});
    CHECK(document["cells"][0]["near"].get<double>() > 0.0);
    CHECK(document["cells"][0]["far"] == 0.0);
}
