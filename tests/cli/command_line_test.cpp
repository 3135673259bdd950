#include "app/cli/parser/command_line.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>

#include "tests/support/temporary_folder.h"

// Expected defaults are those of the command line contract.

using namespace epsilens;
using Catch::Matchers::Contains;
using cli::CommandLine;

namespace {

CommandLine parsed(std::vector<std::string> typed) {
    typed.insert(typed.begin(), "epsilens-cli");
    std::vector<char*> arguments(typed.size());
    std::transform(typed.begin(), typed.end(), arguments.begin(),
                   [](std::string& text) { return text.data(); });
    return cli::parseCommandLine(static_cast<int>(arguments.size()), arguments.data());
}

std::string problemOf(const std::vector<std::string>& typed) {
    const CommandLine line = parsed(typed);
    return line.problem ? line.problem->message : std::string();
}

}  // namespace

TEST_CASE("What is not typed has its default") {
    const CommandLine line = parsed({"calibrate"});
    REQUIRE_FALSE(line.problem);
    CHECK(line.command == "calibrate");
    CHECK(line.arguments.general.load.path == "sample");
    const calibration::CalibrationOptions& run = line.arguments.calibrate.run;
    CHECK(run.grid.mechanism == mechanism::Mechanism(mechanism::Mahalanobis{}));
    CHECK(run.grid.epsilons.empty());
    CHECK(run.grid.lambdas.empty());
    CHECK(run.draws == 100);
    CHECK(run.seed == 1);
    CHECK(line.arguments.calibrate.measured.words.count == 500);
    const CommandLine sample = parsed({"sample", "--mechanism", "tem"});
    CHECK(sample.arguments.sample.grid.mechanisms() ==
          std::vector<mechanism::Mechanism>{mechanism::Tem{}});
    CHECK(parsed({"sample"}).arguments.sample.grid.lambdas == std::vector{0.5});
    CHECK(parsed({"verify", "--from", "x"}).arguments.general.load.path.empty());
}

TEST_CASE("Values have the types of the core") {
    const CommandLine line = parsed({"calibrate",     "vectors.txt",
                                     "--metric",      "angular",
                                     "--mechanism",   "tem",
                                     "--gamma",       "0.5;2",
                                     "--epsilon",     "1..4x3",
                                     "--words",       "densest:7",
                                     "--seed",        "9",
                                     "--threads",     "2",
                                     "--case",        "lower",
                                     "--data",        "a.csv",
                                     "--limit-rows",  "10",
                                     "--format",      "json",
                                     "--deniability", "2"});
    REQUIRE_FALSE(line.problem);
    const calibration::CalibrationOptions& run = line.arguments.calibrate.run;
    CHECK(run.grid.epsilons == std::vector{1.0, 2.0, 4.0});
    CHECK(run.grid.mechanisms() ==
          std::vector<mechanism::Mechanism>{mechanism::Tem{metric::Metric::angular, 0.5, 0.5},
                                            mechanism::Tem{metric::Metric::angular, 0.5, 2.0}});
    CHECK(run.seed == 9);
    CHECK(run.threads == 2);
    CHECK(run.deniabilityOdds == 2.0);
    CHECK(line.arguments.calibrate.measured.words.kind == cli::WordsOption::Kind::densest);
    CHECK(line.arguments.calibrate.measured.words.count == 7);
    CHECK(line.arguments.calibrate.measured.data.letterCase == text::CasePolicy::lower);
    CHECK(line.arguments.general.format == cli::OutputFormat::json);
    CHECK(line.arguments.general.load.limitRows == 10);
}

TEST_CASE("Choices of a release and of a report are values of the core") {
    const cli::SanitizeOptions release =
        parsed({"sanitize", "sample", "--epsilon", "3", "--unknown", "drop", "--invalid", "replace",
                "--encoding", "latin1"})
            .arguments.sanitize;
    CHECK(release.policies.unknown == release::UnknownPolicy::drop);
    CHECK(release.decoding.invalid == io::InvalidBytes::replace);
    CHECK(release.decoding.encoding == "ISO-8859-1");
    const cli::ReportOptions report =
        parsed({"report", "--from", "x", "--lambda", "0.5", "--epsilon", "3",
                "--trained-on-protected-text", "no", "--limit", "nw.max<=5"})
            .arguments.report;
    CHECK(report.epsilon == 3.0);
    CHECK(report.lambda == 0.5);
    CHECK_FALSE(report.gamma);
    CHECK(report.trainedOnProtectedText == document::ReportSettings::Answer::no);
    REQUIRE(report.limits.size() == 1);
    CHECK(report.limits.front().aggregate == calibration::LimitAggregate::max);
}

TEST_CASE("The help shows the defaults") {
    for (const auto& [command, text] : std::vector<std::pair<std::string, std::string>>{
             {"calibrate", "laplace, mahalanobis (default), tem, exponential or hyperbolic"},
             {"calibrate", "riemannian (default; needs epsilon > m - 1) or eq7"},
             {"calibrate", "draws per word (default 100)"},
             {"recommend", "(default nw.p95<=50% and sw.p5>=20)"},
             {"sanitize", "masked word (default <unk>)"},
             {"train-poincare", "learning rate (default 0.3)"}}) {
        std::string help = parsed({command, "--help"}).text;
        // The help breaks lines at blanks.
        std::string inOneLine;
        for (const char letter : help) {
            const bool isBlank = letter == ' ' || letter == '\n';
            if (!isBlank || !inOneLine.ends_with(' ')) {
                inOneLine += isBlank ? ' ' : letter;
            }
        }
        CHECK_THAT(inOneLine, Contains(text));
    }
}

TEST_CASE("Help and options that do not exist come before values that are refused") {
    CHECK_FALSE(parsed({"calibrate", "--epsilon", "0", "--help"}).text.empty());
    CHECK_THAT(problemOf({"calibrate", "--epsilon", "0", "--foo"}), Contains("--foo"));
    CHECK(problemOf({"calibrate", "--draws", "0", "--seed", ""}) ==
          "--seed: the value is empty; see epsilens-cli calibrate --help");
}

TEST_CASE("A refused value is named by its option") {
    for (const std::string option :
         {"--mechanism", "--metric", "--noise", "--input-format", "--format", "--words", "--draws",
          "--epsilon", "--lambda", "--gamma", "--beta"}) {
        CHECK_THAT(problemOf({"calibrate", option, "wrong"}), Catch::StartsWith(option + ": "));
    }
}

TEST_CASE("No output overwrites a file that the same command reads") {
    const test::TemporaryFolder folder;
    const std::string file = folder.file("file", "a 1 2\n");
    using Typed = std::vector<std::string>;
    for (const Typed& reading :
         {Typed{"info", file}, Typed{"info", "--vocabulary", file},
          Typed{"info", "--density", "--data", file}, Typed{"calibrate", "--data", file},
          Typed{"calibrate", "--words", "@" + file}, Typed{"recommend", "--data", file},
          Typed{"recommend", "--words", "@" + file}, Typed{"sample", file, "--text", "x"},
          Typed{"sanitize", "sample", "--epsilon", "1", "--text-file", file},
          Typed{"sanitize", "sample", "--epsilon", "1", "--stop-words", file},
          Typed{"train-poincare", file}, Typed{"report", "--from", file},
          Typed{"verify", "--from", file}, Typed{"verify", file, "--from", folder.path("other")}}) {
        CAPTURE(reading);
        Typed typed = reading;
        typed.insert(typed.end(), {"-o", file});
        CHECK_THAT(problemOf(typed), Catch::StartsWith("--output: ") &&
                                         Contains("is read and must not be written to"));
        typed.back() = folder.path("result.md");
        CHECK(problemOf(typed).empty());
    }
    CHECK_THAT(problemOf({"calibrate", "--data", file, "--per-word", file}),
               Catch::StartsWith("--per-word: ") && Contains("is read"));
    CHECK_THAT(problemOf({"calibrate", "-o", file, "--per-word", file}),
               Contains("already receives the results"));
}

TEST_CASE("Values are not judged before the session is read") {
    const CommandLine line = parsed({"calibrate", "--session", "x", "--gamma", "1"});
    CHECK_FALSE(line.problem);
    CHECK(line.arguments.general.load.path.empty());
    CHECK(problemOf({"calibrate", "--gamma", "1"}) ==
          "--gamma: the mahalanobis mechanism does not take it; it is for tem");
}
