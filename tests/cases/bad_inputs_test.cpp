#include "tests/cases/bad_inputs.h"

#include <algorithm>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/support/run_cli.h"

// Exit codes: the documented ones (0 done, 1 failed, 2 usage, 4 bad input file).

using namespace epsilens;
using test::BadInput;

namespace {

test::CliResult checkAnswer(const BadInput& bad) {
    const test::TemporaryFolder folder;
    const std::string path = bad.file.empty() ? "" : folder.file("input.txt", bad.file);
    std::vector<std::string> arguments = bad.arguments;
    std::ranges::replace(arguments, std::string("@"), path);
    test::CliSetup setup;
    setup.input = bad.input;
    const test::CliResult result = test::runCli(arguments, setup);
    CAPTURE(bad.name, result.errors.substr(0, 2000));
    CHECK(result.exitCode == bad.exitCode);
    CHECK_THAT(result.errors, Catch::Contains(bad.message));
    CHECK((!bad.message.empty() || result.errors.empty()));
    CHECK(result.errors.size() < 5000);
    const std::size_t errors = result.errors.find("error: ");
    CHECK((errors != std::string::npos) == (bad.exitCode != 0));
    if (bad.exitCode != 0) {
        // One line, the last.
        CHECK(result.errors.find('\n', errors) == result.errors.size() - 1);
        CHECK_THAT(result.errors.substr(errors), Catch::Contains(bad.message));
    } else {
        CHECK_FALSE(result.output.empty());
    }
    CHECK(folder.names().size() == (bad.file.empty() ? 0 : 1));
    return result;
}

}  // namespace

TEST_CASE("Degenerate embeddings are answered with a sentence and a code") {
    for (const BadInput& bad : test::badEmbeddings()) {
        checkAnswer(bad);
    }
}

TEST_CASE("Options beyond their ranges are answered with a sentence and a code") {
    for (const BadInput& bad : test::badOptions()) {
        checkAnswer(bad);
    }
}

TEST_CASE("Texts that are hard to read are answered with a sentence and a code, in JSON too") {
    for (const BadInput& bad : test::badTexts()) {
        const test::CliResult result = checkAnswer(bad);
        CAPTURE(bad.name);
        CHECK(nlohmann::json::accept(result.output));
    }
}

TEST_CASE("Texts that are hard to read are released with all their lines, or refused") {
    for (const BadInput& bad : test::badTexts()) {
        const test::TemporaryFolder folder;
        test::CliSetup setup;
        setup.input = bad.input;
        const test::CliResult result =
            test::runCli({"sanitize", folder.file("input.txt", bad.file), "--epsilon", "5",
                          "--lambda", "0", "--unknown", "drop"},
                         setup);
        CAPTURE(bad.name, result.errors.substr(0, 2000));
        if (bad.exitCode == 4) {
            CHECK(result.exitCode == 4);
            CHECK(result.output.empty());
            CHECK_THAT(result.errors, Catch::Contains(bad.message));
            continue;
        }
        CHECK(result.exitCode == 0);
        CHECK_THAT(result.errors, Catch::Contains(" in "));
        CHECK(std::ranges::count(result.output, '\n') == std::ranges::count(bad.input, '\n'));
        // Whole words of a megabyte are dropped and not let through.
        CHECK_THAT(result.output, !Catch::Contains("aaa"));
    }
}

TEST_CASE("Extreme parameters release a text all the same") {
    const test::TemporaryFolder folder;
    const std::string words = folder.file("input.txt", "the 1 2 3\ncat 3 1 2\ndog 3 1 1\n");
    test::CliSetup setup;
    setup.input = "the cat\n";
    for (const std::vector<std::string>& options : std::vector<std::vector<std::string>>{
             {"--epsilon", "1e-300"},
             {"--epsilon", "1e300"},
             {"--epsilon", "1e-300", "--mechanism", "tem", "--gamma", "1e300"},
             {"--epsilon", "1e300", "--mechanism", "tem", "--gamma", "1e-300"},
             {"--epsilon", "1", "--mechanism", "tem", "--beta", "1e-300"},
             {"--epsilon", "1", "--mechanism", "tem", "--beta", "0.6666"}}) {
        std::vector<std::string> arguments{"sanitize", words};
        arguments.insert(arguments.end(), options.begin(), options.end());
        const test::CliResult result = test::runCli(arguments, setup);
        CAPTURE(options, result.errors);
        CHECK(result.exitCode == 0);
        CHECK(std::ranges::count(result.output, ' ') == 1);
    }
}
