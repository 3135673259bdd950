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
