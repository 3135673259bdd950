#include <filesystem>
#include <string>
#include <vector>

#include <sys/stat.h>
#include <catch2/catch.hpp>

#include "tests/support/made_up_embedding.h"
#include "tests/support/run_cli.h"

using namespace epsilens;
using test::CliResult;
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

TEST_CASE("A run that fails leaves the old file as it was") {
    const test::TemporaryFolder folder;
    const std::string old = folder.file("out.csv", "old");
    CHECK(runCli(infoTo(folder.path("missing.txt"), old)).exitCode == 4);
    CHECK(test::contentOf(old) == "old");
    CHECK(folder.names() == Arguments{"out.csv"});
    CHECK(runCli(infoTo(folder.file("two.txt", kTwoWords), old)).exitCode == 0);
    CHECK(test::contentOf(old).rfind("property,value\n", 0) == 0);
}

TEST_CASE("Option -o follows a link and writes to a device directly") {
    const test::TemporaryFolder folder;
    const std::string embedding = folder.file("two.txt", kTwoWords);
    const std::string target = folder.file("target.csv", "old");
    fs::create_symlink("target.csv", folder.path("link.csv"));
    REQUIRE(runCli(infoTo(embedding, folder.path("link.csv"))).exitCode == 0);
    CHECK(fs::is_symlink(folder.path("link.csv")));
    CHECK(test::contentOf(target).rfind("property,value\n", 0) == 0);
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
