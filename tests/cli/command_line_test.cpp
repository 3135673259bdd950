#include "app/cli/parser/command_line.h"

#include <algorithm>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "tests/cli/terminal.h"

using namespace epsilens;
using cli::CommandLine;

// Expected defaults are those of the command line contract.

namespace {

CommandLine parsed(const std::string& line) {
    std::vector<std::string> words = test::typed("epsilens-cli " + line);
    std::vector<char*> arguments(words.size());
    std::ranges::transform(words, arguments.begin(), [](std::string& text) { return text.data(); });
    CommandLine result = cli::parseCommandLine(arguments);
    result.typed = {};
    return result;
}

std::string problemOf(const std::string& line) {
    const CommandLine parse = parsed(line);
    return parse.problem ? parse.problem->message : std::string();
}

}  // namespace

TEST_CASE("What is not typed has its default") {
    const CommandLine line = parsed("calibrate");
    REQUIRE_FALSE(line.problem);
    CHECK(line.command == "calibrate");
    CHECK(line.arguments.general.load.path == "sample");
    const calibration::CalibrationOptions& run = line.arguments.calibrate.run;
    CHECK(run.grid.mechanism == mechanism::Mechanism(mechanism::Mahalanobis{}));
    CHECK(run.grid.epsilons.empty());
    CHECK(run.grid.lambdas.empty());
    CHECK(run.draws == 100);
    CHECK(run.seed == 1);
    CHECK(run.nearNeighbours == 100);
    CHECK(line.arguments.calibrate.measured.words.count == 500);
    CHECK(parsed("sample --mechanism tem").arguments.sample.grid.mechanisms() ==
          std::vector<mechanism::Mechanism>{mechanism::Tem{}});
    CHECK(parsed("sample").arguments.sample.grid.lambdas == std::vector{0.5});
    CHECK(parsed("verify --from x").arguments.general.load.path.empty());
}

TEST_CASE("Values have the types of the core") {
    const cli::Arguments typed =
        parsed(
            "calibrate vectors.txt --metric angular --mechanism tem --gamma 0.5;2 --epsilon "
            "1..4x3 --epsilon=9 --words densest:7 --seed 9 --threads 2 --near 7 --case lower "
            "--data a.csv --limit-rows 10 --format json --deniability 2")
            .arguments;
    const calibration::CalibrationOptions& run = typed.calibrate.run;
    CHECK(run.grid.epsilons == std::vector{1.0, 2.0, 4.0, 9.0});
    CHECK(run.grid.mechanisms() ==
          std::vector<mechanism::Mechanism>{mechanism::Tem{metric::Metric::angular, 0.5, 0.5},
                                            mechanism::Tem{metric::Metric::angular, 0.5, 2.0}});
    CHECK(run.seed == 9);
    CHECK(run.threads == 2);
    CHECK(run.nearNeighbours == 7);
    CHECK(run.deniabilityOdds == 2.0);
    CHECK(typed.calibrate.measured.words.kind == cli::WordsOption::Kind::densest);
    CHECK(typed.calibrate.measured.words.count == 7);
    CHECK(typed.calibrate.measured.data.letterCase == text::CasePolicy::lower);
    CHECK(typed.general.format == cli::OutputFormat::json);
    CHECK(typed.general.load.limitRows == 10);
    CHECK(parsed("calibrate --lambda 0..1x3").arguments.calibrate.run.grid.lambdas ==
          std::vector{0.0, 0.5, 1.0});
}

TEST_CASE("Seed, threads and what else is typed reach the run of every command") {
    const std::string general = " --seed 9 --threads 2";
    const auto recommend =
        parsed("recommend --near 7" + general).arguments.recommend.search.calibration;
    CHECK(recommend.seed == 9);
    CHECK(recommend.threads == 2);
    CHECK(recommend.nearNeighbours == 7);
    const auto compare = parsed("compare --near 7 --draws 8" + general).arguments.compare.run;
    CHECK(compare.seed == 9);
    CHECK(compare.threads == 2);
    CHECK(compare.nearNeighbours == 7);
    CHECK(compare.draws == 8);
    const auto training =
        parsed("train-poincare x --dimensions 3 --epochs 4 --negatives 5 --rate 0.2 --burn-in 6" +
               general)
            .arguments.trainPoincare.training;
    CHECK(training.seed == 9);
    CHECK(training.threads == 2);
    CHECK(training.dimensions == 3);
    CHECK(training.epochs == 4);
    CHECK(training.negatives == 5);
    CHECK(training.rate == 0.2);
    CHECK(training.burnIn == 6);
}

TEST_CASE("A refused value is named by its option, also one that is empty") {
    for (const std::string option :
         {"--mechanism", "--metric", "--noise", "--input-format", "--format", "--words", "--draws",
          "--epsilon", "--lambda", "--gamma", "--beta", "--near", "--deniability", "--threads"}) {
        CHECK_THAT(problemOf("calibrate " + option + " wrong"), Catch::StartsWith(option + ": "));
        CHECK(problemOf("calibrate " + option + " ''") ==
              option + ": the value is empty; see epsilens-cli calibrate --help");
    }
}

TEST_CASE("Values are not judged before the session is read") {
    const CommandLine line = parsed("calibrate --session x --gamma 1");
    CHECK_FALSE(line.problem);
    CHECK(line.arguments.general.load.path.empty());
    CHECK(problemOf("calibrate --gamma 1") ==
          "--gamma: the mahalanobis mechanism does not take it; it is for tem");
}

TEST_CASE("The version is that of the project") {
    const test::Terminal terminal;
    for (const char* line : {"--version", "calibrate --version"}) {
        CHECK(terminal.printed(line) == "epsilens-cli " EPSILENS_PROJECT_VERSION "\n");
    }
}

// A file that is not there ends a command with 4; an option that is not there, with 2.
TEST_CASE("The examples of the help can be typed") {
    const test::Terminal terminal;
    terminal.file("text.txt", "a text\n");
    for (const std::string command :
         {"info", "compare", "calibrate", "recommend", "sample", "sanitize", "guarantee",
          "evaluate", "train-poincare", "report", "verify"}) {
        const std::string help = terminal.printed(command + " --help");
        const std::string start = "\n  epsilens-cli " + command + " ";
        std::size_t at = help.find(start, help.find("\nExample:\n"));
        REQUIRE(at != std::string::npos);
        while (at != std::string::npos) {
            const std::size_t next = help.find(start, at + 1);
            const std::string example = help.substr(at, next - at);
            test::CliSetup setup;
            setup.wrapper = {"/bin/sh", "-c", "PATH=${0%/*}:$PATH" + example};
            const test::CliResult result = terminal.run("", setup);
            INFO(example << ": " << result.errors);
            CHECK((result.exitCode == 0 || result.exitCode == 4));
            at = next;
        }
    }
}
