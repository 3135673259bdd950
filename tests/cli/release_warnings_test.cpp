#include <string>
#include <vector>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/support/made_up_embedding.h"
#include "tests/support/run_cli.h"

using namespace epsilens;
using test::CliResult;
using test::CliSetup;
using test::runCli;
using Arguments = std::vector<std::string>;
using Catch::Matchers::Contains;
using nlohmann::json;

namespace {

/// So much epsilon that every word stays: what comes out is then known.
constexpr const char* kEveryWordStays = "1e9";

CliResult sanitized(const test::TemporaryFolder& folder, const Arguments& options,
                    const CliSetup& setup) {
    Arguments arguments{"sanitize", folder.file("small.txt", test::madeUpGlove(60, 4, 1))};
    arguments.insert(arguments.end(), options.begin(), options.end());
    return runCli(arguments, setup);
}

CliResult sanitized(const test::TemporaryFolder& folder, const Arguments& options,
                    const std::string& input) {
    CliSetup setup;
    setup.input = input;
    return sanitized(folder, options, setup);
}

}  // namespace

TEST_CASE("Nothing silences what is unprotected") {
    const test::TemporaryFolder folder;
    const std::string stop = folder.file("stop.txt", "W1\n");
    const CliResult result = sanitized(
        folder,
        {"--epsilon", kEveryWordStays, "--unknown", "keep", "--stop-words", stop, "--quiet"},
        "w1 w2 secretname \u200B\n");
    CHECK(result.exitCode == 0);
    CHECK_THAT(result.errors, Contains("warning: 2 words are left unprotected: 1 unknown word, 1 "
                                       "stop word"));
    CHECK_THAT(result.errors, Contains("warning: 1 control, format, combining"));
    CHECK_THAT(result.errors, Contains("warning: 1 of 1 processed word"));
    CHECK_THAT(result.errors, !Contains("not protected:"));  // a note
    const CliResult plain =
        sanitized(folder, {"--epsilon", "0.001", "--mechanism", "tem", "--gamma", "0", "--quiet"},
                  "w1 w2 w3 w4 w5 w6 w7 w8 w9\n");
    CHECK(plain.exitCode == 0);
    CHECK(plain.errors.empty());
}

TEST_CASE("Symbols are masked as other unknown words are, and the mask stays") {
    const test::TemporaryFolder folder;
    const CliResult result =
        sanitized(folder, {"--epsilon", kEveryWordStays}, "w1++ 5€ \U0001F3FD ♯ <unk> (w2)\n");
    CHECK(result.exitCode == 0);
    CHECK(result.output == "w1 <unk> <unk> <unk> <unk> <unk> <unk> (w2)\n");
    CHECK_THAT(result.errors, Contains("8 words in 1 line: 2 processed, 6 unknown words masked"));
}

TEST_CASE(
    "An epsilon without effect is told to the operator, and to readers only what it promises") {
    const test::TemporaryFolder folder;
    const std::string sidecar = folder.path("sidecar.json");
    const CliResult result =
        sanitized(folder, {"--epsilon", "1e6", "--sidecar", sidecar}, "w1 w2 w3 w4 w5 w6\n");
    CHECK(result.output == "w1 w2 w3 w4 w5 w6\n");
    CHECK_THAT(result.errors, Contains("6 processed"));
    CHECK_THAT(result.errors, Contains("warning: 6 of 6 processed words came out unchanged"));
    // ln 10^6 / 10^6
    CHECK_THAT(result.errors,
               Contains("words at most 1.38e-05 apart change by at most ×1,000,000"));
    const std::string published = test::contentOf(sidecar);
    CHECK_THAT(published, !Contains("came out") && !Contains("nchanged") && !Contains("replaced"));
    CHECK(json::parse(published)["warnings"].empty());
}

TEST_CASE("sanitize takes no embedding for granted") {
    CliSetup setup;
    setup.input = "the fox\n";
    const CliResult none = runCli({"sanitize", "--epsilon", "5"}, setup);
    CHECK(none.exitCode == 2);
    CHECK(none.output.empty());
    CHECK_THAT(none.errors, Contains("EMBEDDING: a release needs one"));
    CHECK(runCli({"sanitize", "sample", "--epsilon", "5"}, setup).exitCode == 0);
}

TEST_CASE("Where nobody can read the warnings the release fails, and no file appears") {
    const test::TemporaryFolder folder;
    for (const char* errors : {"2> /dev/full", "2>&-"}) {
        CAPTURE(errors);
        CliSetup setup;
        setup.input = "w1 blorp\n";
        setup.wrapper = test::redirectedBy(errors);
        const Arguments options{"--epsilon",   "1",
                                "--mechanism", "laplace",
                                "-o",          folder.path("out.txt"),
                                "--sidecar",   folder.path("out.json")};
        Arguments keeping = options;
        keeping.insert(keeping.end(), {"--unknown", "keep"});
        CHECK(sanitized(folder, keeping, setup).exitCode == 1);
        CHECK(folder.names() == Arguments{"small.txt"});
        keeping.push_back("--quiet");
        CHECK(sanitized(folder, keeping, setup).exitCode == 1);
    }
}

TEST_CASE("The guarantee of a release excludes stop words by name") {
    const test::TemporaryFolder folder;
    const CliResult result = sanitized(
        folder, {"--epsilon", "1", "--stop-words", folder.file("stop.txt", "w1\n")}, "w1 w2\n");
    CHECK_THAT(result.errors, Contains("for all words w, w' other than the stop words"));
    CHECK_THAT(sanitized(folder, {"--epsilon", "1"}, "w1 w2\n").errors,
               Contains("for all words w, w' and every output u"));
}
