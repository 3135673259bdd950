#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include <sys/stat.h>
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
CliResult released(const TemporaryFolder& folder, const Arguments& options,
                   const std::string& epsilon = "1e9") {
    Arguments arguments{"sanitize", folder.file("small.txt", test::madeUpGlove(60, 4, 1)),
                        "--epsilon", epsilon};
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
    CHECK((std::filesystem::status(list + ".done").permissions() & std::filesystem::perms::all) ==
          (std::filesystem::perms::owner_read | std::filesystem::perms::owner_write));
}

TEST_CASE("sanitize --list --resume goes on where a run ended, and does nothing twice") {
    const TemporaryFolder folder;
    folder.file("a.txt", "w1\n");
    folder.file("b.txt", "w2 \xff\n");
    folder.file("c.txt", "w3\n");
    const std::string list = folder.file(
        "list", line(folder, "a") + "\n" + line(folder, "b") + "\n" + line(folder, "c") + "\n");
    const CliResult first = released(folder, {"--list", list});
    CHECK(first.exitCode == 4);
    CHECK_THAT(first.errors, Contains("not released: " + folder.path("b.txt")));
    CHECK_THAT(first.errors, Contains("1 of the listed texts could not be released"));
    CHECK(test::contentOf(folder.path("c.out")) == "w3\n");
    CHECK_FALSE(std::filesystem::exists(folder.path("b.out")));

    // What is done is not read again, and what failed is done.
    folder.file("a.out", "as it was");
    folder.file("b.txt", "w2\n");
    const CliResult second = released(folder, {"--list", list, "--resume"});
    CHECK(second.exitCode == 0);
    CHECK_THAT(second.errors, Contains("1 word in 1 line"));
    CHECK_THAT(second.errors, Contains("3 of 3 texts are released"));
    CHECK(test::contentOf(folder.path("a.out")) == "as it was");
    CHECK(test::contentOf(folder.path("b.out")) == "w2\n");

    // Without --resume all is done anew.
    CHECK(released(folder, {"--list", list}).exitCode == 0);
    CHECK(test::contentOf(folder.path("a.out")) == "w1\n");
}

TEST_CASE("sanitize --list --resume releases anew what other settings would release otherwise") {
    const TemporaryFolder folder;
    folder.file("a.txt", "w1 unheard\n");
    const std::string list = folder.file("list", line(folder, "a") + "\n");
    const std::string stop = folder.file("stop", "w2\n");
    const std::string few = folder.file("few", "w1\nw2\nw3\n");
    const Arguments before{"--list", list, "--resume", "--stop-words", stop, "--vocabulary", few};
    const auto isReleasedAgain = [&](const Arguments& options, const char* epsilon = "1e9") {
        folder.file("a.out", "as it was");
        const CliResult result = released(folder, options, epsilon);
        CHECK(result.exitCode == 0);
        return test::contentOf(folder.path("a.out")) != "as it was";
    };
    CHECK(isReleasedAgain(before));
    CHECK_FALSE(isReleasedAgain(before));
    CHECK(isReleasedAgain(before, "2e9"));
    CHECK(isReleasedAgain(before));
    for (const Arguments& other : std::vector<Arguments>{{"--mechanism", "laplace"},
                                                         {"--lambda", "0.25"},
                                                         {"--unknown", "keep"},
                                                         {"--mask", "[gone]"},
                                                         {"--case", "keep"},
                                                         {"--invalid", "replace"},
                                                         {"--encoding", "latin1"},
                                                         {"--consistent", "document"},
                                                         {"--limit-rows", "59"}}) {
        CAPTURE(other.front());
        Arguments options = before;
        options.insert(options.end(), other.begin(), other.end());
        CHECK(isReleasedAgain(options));
        CHECK(isReleasedAgain(before));
    }
    // Lists of as many other words.
    folder.file("stop", "w3\n");
    CHECK(isReleasedAgain(before));
    folder.file("few", "w1\nw2\nw4\n");
    CHECK(isReleasedAgain(before));
    CHECK_FALSE(isReleasedAgain(before));
}

TEST_CASE("sanitize --list takes no pipe, beside which no record could be kept") {
    const TemporaryFolder folder;
    const std::string pipe = folder.path("pipe");
    REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
    for (const std::string& list : {pipe, std::string("-")}) {
        const CliResult result = released(folder, {"--list", list});
        CHECK(result.exitCode == 2);
        CHECK_THAT(result.errors, Contains("--list: it is no regular file"));
    }
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
    folder.file("list.done", "");
    const Arguments files = {"vectors", "words", "few", "same", "list.done", "list"};
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

TEST_CASE("sanitize --list reports what is left unprotected whatever ends the run") {
    const TemporaryFolder folder;
    folder.file("a.txt", "w1 secretname \u200B\n");
    folder.file("b.txt", "w2 other\n");
    folder.file("c.txt", "w3\n");
    const std::string list = folder.file(
        "list", line(folder, "a") + "\n" + line(folder, "b") + "\n" + line(folder, "c") + "\n");
    const Arguments options{"--list", list, "--unknown", "keep", "--quiet", "--resume"};
    std::filesystem::create_directory(folder.path("b.out"));
    const CliResult broken = released(folder, options);
    CHECK(broken.exitCode == 1);
    CHECK_THAT(broken.errors, Contains("b.out"));
    CHECK_THAT(broken.errors, Contains("warning: 1 word is left unprotected: 1 unknown word"));
    CHECK_THAT(broken.errors, Contains("warning: 1 control, format, combining"));

    // The run that resumes tells of its own texts and of those before.
    std::filesystem::remove(folder.path("b.out"));
    const std::string ofOthers =
        "warning: of texts released before: 1 word is left unprotected: 1 unknown word";
    const CliResult resumed = released(folder, options);
    CHECK(resumed.exitCode == 0);
    CHECK_THAT(resumed.errors, Contains("warning: 1 word is left unprotected: 1 unknown word"));
    CHECK_THAT(resumed.errors, Contains(ofOthers));
    CHECK_THAT(resumed.errors, Contains("of texts released before: 1 control, format, combining"));

    // So does one that has nothing to do.
    const CliResult again = released(folder, options);
    CHECK(again.exitCode == 0);
    CHECK_THAT(again.errors, Contains("warning: of texts released before: 2 words are left "
                                      "unprotected: 2 unknown words"));
    CHECK_THAT(again.errors, !Contains("warning: 1 word is"));
}

TEST_CASE("sanitize --list reports what a text left in a pipe before its damage") {
    const TemporaryFolder folder;
    std::string text;
    for (int i = 0; i < 8'000; ++i) {
        text += "w1 unheard\n";
    }
    folder.file("a.txt", text + "\xff\n");
    const std::string list = folder.file("list", folder.path("a.txt") + "\t/dev/stdout\n");
    const CliResult result = released(folder, {"--list", list, "--unknown", "keep", "--quiet"});
    CHECK(result.exitCode == 4);
    CHECK(result.output == text);
    CHECK_THAT(result.errors, Contains("warning: 8,000 words are left unprotected"));
}

TEST_CASE("sanitize --list reports what it leaves alone in tables") {
    const TemporaryFolder folder;
    folder.file("a.csv", "text,name\nw1,secretname\nw2,other\n");
    folder.file("b.csv", "text,name\nw1,third\n");
    const std::string list =
        folder.file("list", folder.path("a.csv") + "\t" + folder.path("a.out") + "\n" +
                                folder.path("b.csv") + "\t" + folder.path("b.out") + "\n");
    const Arguments options{"--list", list, "--column", "text", "--quiet", "--resume"};
    CHECK_THAT(released(folder, options).errors,
               Contains("warning: only column text of 3 records is released"));
    CHECK_THAT(released(folder, options).errors, Contains("warning: only column text of"));
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
        {{"--resume"}, "--resume: needs --list"}};
    for (const auto& [options, message] : cases) {
        const CliResult result = released(folder, options);
        CHECK(result.exitCode == 2);
        CHECK_THAT(result.errors, Contains(message));
        CHECK_FALSE(std::filesystem::exists(folder.path("a.out")));
    }
}
