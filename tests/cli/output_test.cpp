#include <filesystem>
#include <string>
#include <vector>

#include <sys/stat.h>
#include <catch2/catch.hpp>

#include "tests/support/made_up_embedding.h"
#include "tests/support/run_cli.h"

using namespace epsilens;
using test::CliResult;
using test::CliSetup;
using test::runCli;
using Arguments = std::vector<std::string>;
using Catch::Matchers::Contains;
namespace fs = std::filesystem;

namespace {

const char* const kTwoWords = "a 1 2\nb 3 4\n";

Arguments infoTo(const std::string& embedding, const std::string& output) {
    return {"info", embedding, "--format", "csv", "-o", output};
}

}  // namespace

TEST_CASE("Option -o writes what would go to standard output, and nothing stays beside it") {
    const test::TemporaryFolder folder;
    const std::string embedding = folder.file("two.txt", test::madeUpGlove(30, 3, 1));
    const Arguments sample{"sample", embedding, "--text", "w1 w2", "--epsilon", "3"};
    Arguments toFile = sample;
    toFile.insert(toFile.end(), {"-o", folder.path("out.txt")});
    const CliResult result = runCli(toFile);
    CHECK(result.exitCode == 0);
    CHECK(result.output.empty());
    CHECK(test::contentOf(folder.path("out.txt")) == runCli(sample).output);
    CHECK(folder.names() == Arguments{"out.txt", "two.txt"});
}

TEST_CASE("A file written with -o has the permissions the umask leaves") {
    const test::TemporaryFolder folder;
    const mode_t before = umask(027);
    const CliResult result =
        runCli(infoTo(folder.file("two.txt", kTwoWords), folder.path("out.csv")));
    umask(before);
    REQUIRE(result.exitCode == 0);
    struct stat status {};
    REQUIRE(stat(folder.path("out.csv").c_str(), &status) == 0);
    CHECK((status.st_mode & 0777U) == 0640U);
}

TEST_CASE("No command writes over a file that it reads") {
    const test::TemporaryFolder folder;
    const std::string vectors = test::madeUpGlove(20, 3, 1);
    const std::string words = "w1\nw2\n";
    const std::string embedding = folder.file("vectors.txt", vectors);
    const std::string list = folder.file("list.txt", words);
    const std::string link = folder.path("link.txt");
    fs::create_symlink("vectors.txt", link);
    const std::vector<Arguments> commandLines{
        {"info", embedding, "-o", embedding},
        {"info", embedding, "-o", link},
        {"info", link, "-o", embedding},
        {"info", embedding, "--density", "--data", list, "-o", list},
        {"calibrate", embedding, "--vocabulary", list, "-o", list},
        {"calibrate", embedding, "--words", "@" + list, "-o", list},
        {"calibrate", embedding, "--data", list, "--per-word", list},
        {"calibrate", embedding, "--per-word", embedding},
        {"recommend", embedding, "--words", "@" + list, "-o", list},
        {"recommend", embedding, "--data", list, "-o", list},
        {"sample", embedding, "--text", "w1", "-o", embedding},
        {"sample", embedding, "-o", list},  // reads standard input
        {"sanitize", embedding, "--epsilon", "1", "--stop-words", list, "--sidecar", list},
        {"train-poincare", list, "-o", list},
        {"report", "--from", list, "-o", list},
        {"verify", "--from", list, "-o", list},
    };
    CliSetup setup;
    setup.wrapper = test::redirectedBy("< " + list);
    for (const Arguments& commandLine : commandLines) {
        CAPTURE(commandLine);
        const CliResult result = runCli(commandLine, setup);
        CHECK(result.exitCode == 2);
        CHECK_THAT(result.errors, Contains("is read and must not be written to"));
        CHECK(test::contentOf(embedding) == vectors);
        CHECK(test::contentOf(list) == words);
    }
}

TEST_CASE("verify does not write over the embedding that it finds by itself") {
    const test::TemporaryFolder folder;
    const std::string vectors = test::madeUpGlove(20, 3, 1);
    const std::string embedding = folder.file("vectors.txt", vectors);
    const std::string run = folder.path("run.json");
    REQUIRE(runCli({"calibrate", embedding, "--epsilon", "1", "--words", "2", "--draws", "2",
                    "--format", "json", "-o", run})
                .exitCode == 0);
    const CliResult result = runCli({"verify", "--from", run, "-o", embedding});
    CHECK(result.exitCode == 2);
    CHECK_THAT(result.errors, Contains("is read and must not be written to"));
    CHECK(test::contentOf(embedding) == vectors);
    CHECK(runCli({"verify", "--from", run, "-o", folder.path("found.txt")}).exitCode == 0);
}

TEST_CASE("The values of every word have a file of their own") {
    const test::TemporaryFolder folder;
    const std::string embedding = folder.file("vectors.txt", test::madeUpGlove(20, 3, 1));
    const std::string table = folder.file("table.csv", "old");
    const auto run = [&](const Arguments& places) {
        Arguments all{"calibrate", embedding, "--epsilon", "1", "--words", "2", "--draws", "2"};
        all.insert(all.end(), places.begin(), places.end());
        return runCli(all);
    };
    for (const Arguments& places :
         {Arguments{"--per-word", table, "-o", table}, Arguments{"--per-word", "/dev/stdout"}}) {
        CAPTURE(places);
        const CliResult result = run(places);
        CHECK(result.exitCode == 2);
        CHECK_THAT(result.errors, Contains("--per-word: this file already receives the results"));
    }
    CHECK(test::contentOf(table) == "old");
    CHECK(run({"--per-word", table, "-o", folder.path("out.txt")}).exitCode == 0);
    CHECK_THAT(test::contentOf(table), Catch::StartsWith("word,row,epsilon"));
}

TEST_CASE("A run that fails leaves the old file as it was") {
    const test::TemporaryFolder folder;
    const std::string old = folder.file("out.csv", "old");
    CHECK(runCli(infoTo(folder.path("missing.txt"), old)).exitCode == 4);
    CHECK(test::contentOf(old) == "old");
    CHECK(folder.names() == Arguments{"out.csv"});
    CHECK(runCli(infoTo(folder.file("two.txt", kTwoWords), old)).exitCode == 0);
    CHECK(test::contentOf(old).rfind("schema,", 0) == 0);
}

TEST_CASE("Option -o follows a link and writes to a device directly") {
    const test::TemporaryFolder folder;
    const std::string embedding = folder.file("two.txt", kTwoWords);
    const std::string target = folder.file("target.csv", "old");
    fs::create_symlink("target.csv", folder.path("link.csv"));
    REQUIRE(runCli(infoTo(embedding, folder.path("link.csv"))).exitCode == 0);
    CHECK(fs::is_symlink(folder.path("link.csv")));
    CHECK(test::contentOf(target).rfind("schema,", 0) == 0);
    CHECK(runCli(infoTo(embedding, "/dev/null")).exitCode == 0);
    CHECK(fs::is_character_file("/dev/null"));
    CHECK(runCli(infoTo(embedding, "/dev/full")).exitCode == 1);
}

TEST_CASE("A place that cannot be written to is found before the work") {
    const test::TemporaryFolder folder;
    // The embedding is missing too: the complaint about the output comes first.
    const CliResult noFolder =
        runCli(infoTo(folder.path("missing.txt"), folder.path("no/folder/out.csv")));
    CHECK(noFolder.exitCode == 1);
    CHECK_THAT(noFolder.errors, Contains("cannot write") && Contains("no/folder/out.csv"));
    const CliResult isFolder = runCli(infoTo(folder.path("missing.txt"), folder.path("")));
    CHECK(isFolder.exitCode == 1);
    const CliResult perWord = runCli({"calibrate", folder.path("missing.txt"), "--per-word",
                                      folder.path("no/folder/words.csv")});
    CHECK(perWord.exitCode == 1);
}

TEST_CASE("A standard output that is closed or full is an error, not a crash") {
    const test::TemporaryFolder folder;
    const std::string embedding = folder.file("two.txt", kTwoWords);
    test::CliSetup closed;
    closed.closeOutput = true;
    const CliResult result = runCli({"info", embedding}, closed);
    CHECK(result.exitCode == 1);
    CHECK(result.errors.rfind("error: cannot write standard output", 0) == 0);
    // The embedding must not have been opened in its place.
    CHECK(test::contentOf(embedding) == kTwoWords);
    test::CliSetup full;
    full.outputPath = "/dev/full";
    CHECK(runCli({"info", embedding}, full).exitCode == 1);
    CHECK(runCli({"--help"}, full).exitCode == 1);
    CHECK(runCli({"info", embedding, "-o", folder.path("out.txt")}, closed).exitCode == 0);
}

TEST_CASE("A link is followed, also into nowhere; links that lead nowhere at all are refused") {
    const test::TemporaryFolder folder;
    fs::create_symlink("new.txt", folder.path("dangling"));
    REQUIRE(runCli({"info", "sample", "-o", folder.path("dangling")}).exitCode == 0);
    CHECK(fs::is_symlink(folder.path("dangling")));
    CHECK(fs::is_regular_file(folder.path("new.txt")));
    fs::create_symlink("loop", folder.path("loop"));
    fs::create_symlink("missing/new.txt", folder.path("far"));
    for (const char* name : {"loop", "far"}) {
        const CliResult result = runCli({"info", "sample", "-o", folder.path(name)});
        CHECK(result.exitCode == 1);
        CHECK_THAT(result.errors, Contains("cannot write " + folder.path(name)));
        CHECK(fs::is_symlink(folder.path(name)));
    }
}

TEST_CASE("A file that is replaced keeps its permissions") {
    const test::TemporaryFolder folder;
    const std::string file = folder.file("out.txt", "old");
    for (const unsigned mode : {0640U, 0600U, 0644U, 0400U}) {
        fs::permissions(file, static_cast<fs::perms>(mode));
        REQUIRE(runCli({"info", "sample", "-o", file}).exitCode == 0);
        CHECK(fs::status(file).permissions() == static_cast<fs::perms>(mode));
        CHECK_THAT(test::contentOf(file), Contains("built-in"));
    }
}

TEST_CASE("Words that a spreadsheet would run are made harmless") {
    const test::TemporaryFolder folder;
    const std::string embedding = folder.file("v.txt", "=1+2 1 2\nok 3 4\n-x 4 1\n");
    REQUIRE(runCli({"calibrate", embedding, "--lambda", "0", "--epsilon", "1", "--words", "all",
                    "--draws", "2", "--per-word", folder.path("w.csv")})
                .exitCode == 0);
    CHECK_THAT(test::contentOf(folder.path("w.csv")),
               Contains("\n'=1+2,0,") && Contains("\nok,1,") && Contains("\n'-x,2,"));
}
