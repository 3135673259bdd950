#include <filesystem>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "tests/support/made_up_embedding.h"
#include "tests/support/run_cli.h"

using namespace epsilens;
using Catch::Matchers::Contains;
using test::CliResult;
using test::CliSetup;
using test::runCli;
using Arguments = std::vector<std::string>;
namespace fs = std::filesystem;

// The address space is limited, so allocations fail wherever they happen to be.
TEST_CASE("A run without memory fails with a sentence and ends by itself") {
    const test::TemporaryFolder folder;
    const std::string embedding = folder.file("some.txt", test::madeUpGlove(4000, 40, 1));
    int failed = 0;
    int done = 0;
    for (const int megabytes : {150, 200, 260, 330, 420, 550, 700, 1000, 1500, 4000}) {
        CliSetup setup;
        setup.wrapper = {"timeout", "-s", "KILL", "60"};
        const auto limited = test::limitedBy("-v " + std::to_string(megabytes * 1024));
        setup.wrapper.insert(setup.wrapper.end(), limited.begin(), limited.end());
        const CliResult result = runCli(
            {"calibrate", embedding, "--epsilon", "1,2", "--lambda", "0,0.5", "--draws", "20",
             "--words", "50", "--threads", "2", "-o", folder.path("out.txt"), "--quiet"},
            setup);
        CAPTURE(megabytes, result.errors);
        // 127: the system could not even load the libraries.
        if (result.exitCode == 127) {
            continue;
        }
        CHECK((result.exitCode == 0 || result.exitCode == 1));
        if (result.exitCode == 1) {
            ++failed;
            CHECK_THAT(result.errors, Contains("error: "));
            CHECK_FALSE(fs::exists(folder.path("out.txt")));
        }
        done += result.exitCode == 0 ? 1 : 0;
        fs::remove(folder.path("out.txt"));
        CHECK(folder.names() == Arguments{"some.txt"});
    }
    CHECK(failed > 0);
    CHECK(done > 0);
}

TEST_CASE("A list that ends without memory says what it has left unprotected") {
    const test::TemporaryFolder folder;
    const std::string embedding = folder.file("some.txt", test::madeUpGlove(60, 4, 1));
    folder.file("a.csv", "text\nw1 secretname\n");
    std::string field;
    for (int word = 0; word < 10'000'000; ++word) {
        field += "w1 ";
    }
    folder.file("b.csv", "text\n\"" + field + "\"\n");
    const std::string list =
        folder.file("list", folder.path("a.csv") + "\t" + folder.path("a.out") + "\n" +
                                folder.path("b.csv") + "\t" + folder.path("b.out") + "\n");
    int ended = 0;
    for (const int megabytes : {150, 200, 260, 330, 420}) {
        CliSetup setup;
        setup.wrapper = test::limitedBy("-v " + std::to_string(megabytes * 1024));
        fs::remove(folder.path("a.out"));
        const CliResult result =
            runCli({"sanitize", embedding, "--mechanism", "tem", "--epsilon", "1", "--column",
                    "text", "--unknown", "keep", "--threads", "1", "--quiet", "--list", list},
                   setup);
        CAPTURE(megabytes, result.errors);
        if (result.exitCode != 0 && fs::exists(folder.path("a.out"))) {
            ++ended;
            CHECK_THAT(result.errors, Contains("error: "));
            CHECK_THAT(result.errors, Contains("warning: 1 word is left unprotected"));
        }
    }
    CHECK(ended > 0);
}

// OpenBLAS starts no threads while it is loaded: they would keep the process from ending.
TEST_CASE("Commands without products need no memory for them, and end by themselves") {
    const test::TemporaryFolder folder;
    const std::string run = folder.path("run.json");
    REQUIRE(runCli({"calibrate", folder.file("some.txt", test::madeUpGlove(20, 3, 1)), "--epsilon",
                    "1", "--words", "2", "--draws", "2", "--format", "json", "-o", run})
                .exitCode == 0);
    const std::string pairs = folder.file("pairs.txt", "a\tb\nb\tc\na\td\n");
    for (const int megabytes : {120, 150, 250}) {
        CliSetup setup;
        setup.wrapper = {"timeout", "-s", "KILL", "60"};
        const auto limited = test::limitedBy("-v " + std::to_string(megabytes * 1024));
        setup.wrapper.insert(setup.wrapper.end(), limited.begin(), limited.end());
        for (const Arguments& arguments :
             {Arguments{"report", "--from", run, "--format", "text"},
              Arguments{"train-poincare", pairs, "--dimensions", "2", "--epochs", "2"}}) {
            const CliResult result = runCli(arguments, setup);
            CAPTURE(megabytes, arguments.front(), result.errors);
            if (result.exitCode == 127) {
                continue;
            }
            CHECK((result.exitCode == 0 || result.exitCode == 1));
            CHECK((result.exitCode == 0 || result.errors.find("memory") != std::string::npos));
        }
    }
}
