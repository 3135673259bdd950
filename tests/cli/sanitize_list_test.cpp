#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/support/made_up_embedding.h"
#include "tests/support/run_cli.h"

using namespace epsilens;
using test::CliResult;
using test::runCli;
using test::TemporaryFolder;
using Arguments = std::vector<std::string>;
using Catch::Matchers::Contains;
using nlohmann::json;

namespace {

/// At so large an epsilon every word stays.
CliResult released(const TemporaryFolder& folder, const Arguments& options) {
    Arguments arguments{"sanitize", folder.file("small.txt", test::madeUpGlove(60, 4, 1)),
                        "--epsilon", "1e9"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    return runCli(arguments);
}

std::string line(const TemporaryFolder& folder, const std::string& name) {
    return folder.path(name + ".txt") + "\t" + folder.path(name + ".out");
}

}  // namespace

TEST_CASE("sanitize --list releases every text to its file") {
    const TemporaryFolder folder;
    folder.file("a.txt", "w1, w2\n");
    folder.file("b.txt", "W3 unheard\n");
    const std::string list = folder.file(
        "list", line(folder, "a") + "\n" + line(folder, "b") + "\t" + folder.path("b.json") + "\n");
    const CliResult result = released(folder, {"--list", list});
    CHECK(result.exitCode == 0);
    CHECK(result.output.empty());
    CHECK_THAT(result.errors, Contains("4 words in 2 lines: 3 processed, 1 unknown word masked"));
    CHECK_THAT(result.errors, Contains("2 of 2 texts are released"));
    CHECK(test::contentOf(folder.path("a.out")) == "w1, w2\n");
    CHECK(test::contentOf(folder.path("b.out")) == "W3 <unk>\n");
    CHECK(json::parse(test::contentOf(folder.path("b.json")))["counts"]["words"] == 2);
    // Names and states, nothing that depends on the texts.
    const std::string out = folder.path("");
    CHECK(test::contentOf(list + ".manifest") == "begun\t" + out + "a.out\ndone\t" + out +
                                                     "a.out\nbegun\t" + out + "b.out\ndone\t" +
                                                     out + "b.out\n");
}

TEST_CASE("sanitize --list goes on where a run ended, and does nothing twice") {
    const TemporaryFolder folder;
    folder.file("a.txt", "w1\n");
    folder.file("b.txt", "w2 \xff\n");
    folder.file("c.txt", "w3\n");
    const std::string list = folder.file(
        "list", line(folder, "a") + "\n" + line(folder, "b") + "\n" + line(folder, "c") + "\n");
    const std::string manifest = folder.path("done");
    const Arguments options{"--list", list, "--manifest", manifest};
    const CliResult first = released(folder, options);
    CHECK(first.exitCode == 4);
    CHECK_THAT(first.errors, Contains("not released: " + folder.path("b.txt")));
    CHECK_THAT(first.errors, Contains("1 of the listed texts could not be released"));
    CHECK(test::contentOf(folder.path("c.out")) == "w3\n");
    CHECK_FALSE(std::filesystem::exists(folder.path("b.out")));
    CHECK_THAT(test::contentOf(manifest), Contains("failed\t" + folder.path("b.out") + "\n"));

    // What is done is not read again, and what failed is done now.
    folder.file("a.out", "as it was");
    folder.file("b.txt", "w2\n");
    const CliResult second = released(folder, options);
    CHECK(second.exitCode == 0);
    CHECK_THAT(second.errors, Contains("1 word in 1 line"));
    CHECK_THAT(second.errors, Contains("3 of 3 texts are released"));
    CHECK(test::contentOf(folder.path("a.out")) == "as it was");
    CHECK(test::contentOf(folder.path("b.out")) == "w2\n");
}

TEST_CASE("sanitize --list stops at a file that cannot be written") {
    const TemporaryFolder folder;
    folder.file("a.txt", "w1\n");
    folder.file("b.txt", "w2\n");
    const std::string list = folder.file(
        "list", folder.path("a.txt") + "\t/no/such/folder/a.out\n" + line(folder, "b") + "\n");
    const CliResult result = released(folder, {"--list", list});
    CHECK(result.exitCode == 1);
    CHECK_THAT(result.errors, Contains("/no/such/folder/a.out"));
    CHECK_FALSE(std::filesystem::exists(folder.path("b.out")));
}

TEST_CASE("sanitize --list writes over no file that the run reads") {
    const TemporaryFolder folder;
    folder.file("a.txt", "w1\n");
    const std::string stop = folder.file("stop", "w2\n");
    const std::string vocabulary = folder.file("vocabulary", "w1\nw2\nw3\n");
    folder.file("small.txt", test::madeUpGlove(60, 4, 1));
    std::filesystem::create_symlink("small.txt", folder.path("vectors"));
    std::filesystem::create_hard_link(stop, folder.path("words"));
    std::filesystem::create_hard_link(vocabulary, folder.path("few"));
    std::filesystem::create_hard_link(folder.path("a.txt"), folder.path("same"));
    const Arguments files = {"vectors", "words", "few", "same", "list"};
    for (const std::string& written : files) {
        CAPTURE(written);
        const std::string before = test::contentOf(folder.path(written));
        const std::string list =
            folder.file("list", line(folder, "a") + "\n" + folder.path("a.txt") + "\t" +
                                    folder.path(written) + "\n");
        const CliResult result =
            released(folder, {"--list", list, "--stop-words", stop, "--vocabulary", vocabulary});
        CHECK(result.exitCode == 4);
        CHECK_THAT(result.errors, Contains("would write " + folder.path(written)));
        CHECK_FALSE(std::filesystem::exists(folder.path("a.out")));
        if (written != "list") {
            CHECK(test::contentOf(folder.path(written)) == before);
        }
    }
}

TEST_CASE("sanitize --list refuses what a list has no use for") {
    const TemporaryFolder folder;
    folder.file("a.txt", "w1\n");
    const std::string list = folder.file("list", line(folder, "a") + "\n");
    const std::string other = folder.path("x");
    const std::string text = folder.path("a.txt");
    const std::vector<std::pair<Arguments, std::string>> cases{
        {{"--list", list, "--output", other}, "the list names the files of every text"},
        {{"--list", list, "--text-file", text}, "the list names the files of every text"},
        {{"--list", list, "--sidecar", other}, "the list names the files of every text"},
        {{"--list", list, "--consistent", "run"}, "take --consistent document"},
        {{"--list", list, "--manifest", list}, "--manifest"},
        {{"--manifest", other}, "--manifest: needs --list"}};
    for (const auto& [options, message] : cases) {
        const CliResult result = released(folder, options);
        CHECK(result.exitCode == 2);
        CHECK_THAT(result.errors, Contains(message));
        CHECK_FALSE(std::filesystem::exists(folder.path("a.out")));
    }
}
