#include <cstdint>
#include <string>
#include <vector>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/support/made_up_embedding.h"
#include "tests/support/run_cli.h"

using namespace epsilens;
using test::CliResult;
using test::contentOf;
using test::runCli;
using Arguments = std::vector<std::string>;
using Catch::Matchers::Contains;
using nlohmann::ordered_json;

namespace {

Arguments joined(Arguments arguments, const Arguments& more) {
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
}

/// `calibrate` on 150 words of 4 dimensions, which are three blocks.
Arguments calibrateMadeUp(const test::TemporaryFolder& folder, const Arguments& options) {
    return joined({"calibrate", folder.file("words.txt", test::madeUpGlove(150, 4, 1)), "--words",
                   "all", "--draws", "20", "--quiet"},
                  options);
}

/// Runs all parts; returns their paths, the last one first.
Arguments runParts(const test::TemporaryFolder& folder, const Arguments& options, int parts) {
    Arguments paths;
    for (int part = parts; part >= 1; --part) {
        const std::string number = std::to_string(part);
        paths.push_back(folder.path("part" + number + ".json"));
        const CliResult run =
            runCli(joined(calibrateMadeUp(folder, options),
                          {"--threads", std::to_string(1 + part % 2), "--part",
                           number + "/" + std::to_string(parts), "-o", paths.back()}));
        INFO(run.errors);
        REQUIRE(run.exitCode == 0);
    }
    return paths;
}

/// A calibration without what two runs of one request need not share.
std::string comparable(const std::string& text) {
    ordered_json json = ordered_json::parse(text);
    json["run"].erase("seconds");
    json["run"].erase("threads");
    json["run"].erase("peakMemoryMiB");
    return json.dump();
}

}  // namespace

// What the whole run writes is the expectation.
TEST_CASE("Merged parts are the whole run, byte for byte") {
    const test::TemporaryFolder folder;
    const auto options = GENERATE(
        values<Arguments>({{"--epsilon", "2,8", "--lambda", "0,0.7"},
                           {"--epsilon", "2,8", "--independent-draws"},
                           {"--mechanism", "tem", "--epsilon", "2,8", "--deniability", "3"}}));
    const int parts = GENERATE(1, 3, 5);
    CAPTURE(options.back(), parts);
    const CliResult whole = runCli(joined(calibrateMadeUp(folder, options), {"--format", "json"}));
    REQUIRE(whole.exitCode == 0);
    const CliResult merged = runCli(joined(joined({"merge"}, runParts(folder, options, parts)),
                                           {"--format", "json", "--quiet"}));
    INFO(merged.errors);
    REQUIRE(merged.exitCode == 0);
    CHECK(comparable(merged.output) == comparable(whole.output));
}

TEST_CASE("merge names parts that are missing, doubled, foreign or no parts") {
    const test::TemporaryFolder folder;
    const Arguments paths = runParts(folder, {"--epsilon", "2", "--lambda", "0"}, 3);
    const std::string first = folder.path("part1.json");
    const auto fails = [](const Arguments& arguments, const std::string& message) {
        const CliResult result = runCli(joined({"merge"}, arguments));
        CHECK(result.exitCode == 4);
        CHECK(result.output.empty());
        CHECK_THAT(result.errors, Contains(message));
    };
    fails({first}, "of 3 parts these are missing: 2, 3");
    fails({first, folder.path("part2.json"), first}, "part1.json: part 1 of 3 is already in");
    ordered_json other = ordered_json::parse(contentOf(folder.path("part2.json")));
    other["repeat"]["seed"] = 2;
    fails({first, folder.file("other.json", other.dump())},
          "other.json: it is a part of another run");
    ordered_json cut = ordered_json::parse(contentOf(first));
    cut["finished"].clear();
    fails({folder.file("cut.json", cut.dump())}, "part 1 of 3 was interrupted and lacks block 0");
    fails({folder.file("none.json", "{}")}, "none.json: it is neither a part");
    // Another embedding under the same name.
    folder.file("words.txt", test::madeUpGlove(150, 4, 2));
    fails(paths, "these are not the vectors of the parts");
}

// A made-up part may say anything; it must be refused or merged, never crash.
TEST_CASE("A part with damaged arrays is refused") {
    const test::TemporaryFolder folder;
    const Arguments paths =
        runParts(folder, {"--epsilon", "2", "--lambda", "0", "--independent-draws"}, 1);
    const ordered_json part = ordered_json::parse(contentOf(paths.front()));
    const std::string pointer =
        GENERATE("/finished/0/sampled/0/words/0", "/finished/0/sampled/0/outputs/0",
                 "/finished/0/sampled/0/draws/0/0");
    const std::string base64 =
        GENERATE("", "AAAA", "AAAAAAAA8D8AAAAAAADwPw==", "AQAAAP///38BAAAA", "?");
    CAPTURE(pointer, base64);
    ordered_json damaged = part;
    damaged[ordered_json::json_pointer(pointer)] = base64;
    const CliResult result = runCli({"merge", folder.file("damaged.json", damaged.dump())});
    CHECK(result.exitCode == 4);
    CHECK(result.output.empty());
}

TEST_CASE("merge adds the counts and totals of sidecars") {
    const test::TemporaryFolder folder;
    const std::string words = folder.file("words.txt", test::madeUpGlove(60, 4, 1));
    const std::vector<std::string> texts{"w1 w2 nothing\n", "w3\nw4 w5\n"};
    Arguments paths;
    for (const std::string& text : texts) {
        paths.push_back(folder.path("sidecar" + std::to_string(paths.size())));
        REQUIRE(runCli({"sanitize", words, "--epsilon", "3", "--lambda", "0", "--sidecar",
                        paths.back()},
                       {.input = text})
                    .exitCode == 0);
    }
    const ordered_json first = ordered_json::parse(contentOf(paths[0]));
    const ordered_json second = ordered_json::parse(contentOf(paths[1]));
    const CliResult merged = runCli(joined({"merge"}, paths));
    INFO(merged.errors);
    REQUIRE(merged.exitCode == 0);
    const ordered_json sum = ordered_json::parse(merged.output);
    CHECK(sum["counts"]["lines"] == 3);
    CHECK(sum["counts"]["words"] == 6);
    for (const auto& [key, count] : sum["counts"].items()) {
        if (count.is_number()) {
            CHECK(count == first["counts"][key].get<std::int64_t>() +
                               second["counts"][key].get<std::int64_t>());
        }
    }
    const auto words1 = first["guarantee"]["total"]["words"].get<int>();
    const auto words2 = second["guarantee"]["total"]["words"].get<int>();
    CHECK(sum["guarantee"]["total"]["words"] == words1 + words2);
    CHECK(sum["guarantee"]["total"]["boundTimesMeanDistance"] == 3.0 * (words1 + words2));
    CHECK(sum["guarantee"]["perLine"]["words"] == 2);
    CHECK(sum["wholeLines"] == 3);

    ordered_json other = second;
    other["guarantee"]["perWord"]["epsilon"] = 4.0;
    const CliResult refused = runCli({"merge", paths[0], folder.file("other.json", other.dump())});
    CHECK(refused.exitCode == 4);
    CHECK_THAT(refused.errors, Contains("other.json: guarantee.perWord.epsilon: it differs"));
}
