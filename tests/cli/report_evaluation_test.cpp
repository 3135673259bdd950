#include <string>
#include <vector>

#include <fmt/format.h>

#include "tests/cli/report_fixture.h"

using namespace epsilens;
using Catch::Matchers::Contains;
using test::Arguments;
using test::CliResult;
using test::runCli;

namespace {

/// 40 messages whose class follows from one word each.
std::string messages() {
    const std::vector<std::string> names{"doctor", "hospital", "train", "station"};
    std::string csv = "class,message\n";
    for (std::size_t i = 0; i < 40; ++i) {
        const std::size_t name = i % names.size();
        csv += std::string(name < 2 ? "health" : "travel") + ",\"the " + names[name] + ", number " +
               std::to_string(i) + "\"\n";
    }
    return csv;
}

std::string calibratedSample(const test::TemporaryFolder& folder) {
    std::string path = folder.path("calibration.json");
    const CliResult result =
        runCli({"calibrate", "sample", "--mechanism", "laplace", "--epsilon", "2,50", "--words",
                "10", "--draws", "20", "--format", "json", "-o", path, "--limit-rows", "1000"});
    INFO(result.errors);
    REQUIRE(result.exitCode == 0);
    return path;
}

std::string evaluated(const test::TemporaryFolder& folder, const std::string& name,
                      const std::string& mechanism, const std::string& rows = "1000") {
    std::string path = folder.path(name);
    const CliResult result =
        runCli({"evaluate", "sample", "--data", folder.file("messages.csv", messages()), "--task",
                "classify,reconstruct", "--mechanism", mechanism, "--epsilon", "2,40", "--repeats",
                "2", "--limit-rows", rows, "--format", "json", "-o", path});
    INFO(result.errors);
    REQUIRE(result.exitCode == 0);
    return path;
}

}  // namespace

TEST_CASE("report: an evaluation answers what an attacker gets and what is lost") {
    const test::TemporaryFolder folder;
    const std::string calibration = calibratedSample(folder);
    const std::string evaluation = evaluated(folder, "evaluation.json", "laplace");
    const auto reported = [&](const Arguments& options) {
        Arguments arguments{"report", "--from", calibration};
        arguments.insert(arguments.end(), options.begin(), options.end());
        const CliResult result = runCli(arguments);
        INFO(result.errors);
        REQUIRE(result.exitCode == 0);
        return result.output;
    };
    CHECK_THAT(reported({"--epsilon", "2"}),
               Contains("was not measured for this report") && !Contains("Utility and attacks"));

    const std::string exact = reported({"--epsilon", "2", "--evaluation", evaluation});
    CHECK_THAT(exact, !Contains("was not measured for this report") &&
                          Contains("At this setting, the best attacker that was tried guesses") &&
                          Contains("At this setting, a linear classifier of the words") &&
                          Contains("into the right class; without noise") &&
                          Contains("Utility and attacks") && Contains("ceiling: no noise") &&
                          Contains("floor: random words") && Contains("gain over prior") &&
                          Contains("Every attacker knows the mechanism") &&
                          Contains("no better attacker was found is no guarantee"));
    CHECK_THAT(reported({"--epsilon", "50", "--evaluation", evaluation}),
               Contains("At ε = 40, the nearest setting that was evaluated") &&
                   !Contains("At this setting"));
    CHECK_THAT(reported({"--epsilon", "2", "--evaluation", evaluation, "--memo-only"}),
               Contains("At this setting") && !Contains("Utility and attacks"));
    CHECK_THAT(reported({"--epsilon", "2", "--evaluation", evaluation, "--format", "html"}),
               Contains("Utility and attacks") && Contains("accuracy, linear") &&
                   Contains("Usefulness against risk: Guessing the words") &&
                   Contains("ε 40</text>"));

    // The figure of the memo is that of the evaluation.
    const auto json = nlohmann::json::parse(test::contentOf(evaluation));
    const double best = json["cells"][0]["reconstruct"]["best"]["mean"].get<double>();
    CHECK_THAT(exact, Contains(fmt::format("guesses {:.0f} of 100", 100.0 * best)));

    // JSON holds the whole evaluation, and other formats follow from it.
    const std::string report =
        folder.file("report.json",
                    reported({"--epsilon", "2", "--evaluation", evaluation, "--format", "json"}));
    CHECK(nlohmann::json::parse(test::contentOf(report))["evaluations"][0] == json);
    const CliResult again = runCli({"report", "--from", report});
    CHECK_THAT(again.output, Contains("At this setting, the best attacker"));
    const CliResult verified = runCli({"verify", "sample", "--from", report});
    INFO(verified.errors);
    CHECK(verified.exitCode == 0);
    test::change(folder, "report.json", "/evaluations/0/cells/0/reconstruct/echo/mean", 0.5);
    const CliResult changed = runCli({"verify", "sample", "--from", report});
    CHECK(changed.exitCode == 1);
    CHECK_THAT(changed.output, Contains("evaluations[0].cells[0].reconstruct.echo.mean (ε = 2"));
    test::change(folder, "report.json", "/evaluations/0/repeat", nullptr);
    const CliResult unknown = runCli({"verify", "sample", "--from", report});
    CHECK(unknown.exitCode == 1);
    CHECK_THAT(unknown.output, Contains("evaluations[0].repeat: stored no complete run that could "
                                        "be repeated, found nothing"));
}

TEST_CASE("report: limits on texts stand in the verdict, held against the evaluation") {
    const test::TemporaryFolder folder;
    const std::string calibration = calibratedSample(folder);
    const std::string evaluation = evaluated(folder, "evaluation.json", "laplace");
    const auto figures = nlohmann::json::parse(test::contentOf(evaluation))["cells"][0];
    REQUIRE(figures["epsilon"] == 2.0);
    const auto& gain = figures["reconstruct"]["gain"];
    const double highest = gain["ci95"][1].get<double>();
    REQUIRE(highest > 0.0);
    REQUIRE(highest < 0.98);
    const std::string met = fmt::format("attack.gain<={}", highest + 0.01);
    const std::string missed = fmt::format("attack.gain<={}", highest / 2.0);
    const auto reported = [&](const std::string& epsilon, const Arguments& options) {
        Arguments arguments{"report", "--from", calibration, "--epsilon", epsilon};
        arguments.insert(arguments.end(), options.begin(), options.end());
        const CliResult result = runCli(arguments);
        INFO(result.errors);
        REQUIRE(result.exitCode == 0);
        return result.output;
    };
    CHECK_THAT(
        reported("2", {"--evaluation", evaluation, "--limit", met, "--limit", "nw.mean<=100%"}),
        Contains("Verdict: within both limits.") && Contains("✓ yes") && !Contains("✗ NO"));
    CHECK_THAT(reported("2", {"--evaluation", evaluation, "--limit", met, "--limit", missed}),
               Contains("Verdict: outside the limits: 1 of 2 is NOT met.") && Contains("✗ NO"));
    // Nothing is judged by another setting, or by nothing.
    for (const auto& [epsilon, options] :
         {std::pair<std::string, Arguments>{"50", {"--evaluation", evaluation, "--limit", met}},
          std::pair<std::string, Arguments>{"2", {"--limit", met}}}) {
        CHECK_THAT(reported(epsilon, options),
                   Contains("Verdict: open, because 1 of 1 limit was not measured at this "
                            "setting.") &&
                       Contains("Limit 1  an attacker guesses at most") && Contains("– open") &&
                       Contains("not measured at this setting"));
    }
    // The JSON keeps them, and cannot be talked into another verdict.
    std::string json =
        reported("2", {"--evaluation", evaluation, "--limit", missed, "--format", "json"});
    const auto findings = nlohmann::json::parse(json)["findings"]["figureLimits"];
    CHECK(findings[0]["met"] == false);
    CHECK(findings[0]["value"] == gain["mean"]);
    const std::string kept = folder.file("report.json", json);
    CHECK_THAT(runCli({"report", "--from", kept}).output, Contains("1 of 1 is NOT met"));
    const std::string isFalse = "\"met\": false";
    json.replace(json.find(isFalse, json.find("figureLimits")), isFalse.size(), "\"met\": true");
    const CliResult forged = runCli({"report", "--from", folder.file("forged.json", json)});
    CHECK(forged.exitCode != 0);
    CHECK_THAT(forged.errors, Contains("findings") && Contains("was changed or is damaged"));
    // A report does not search.
    const CliResult search = runCli({"report", "--from", calibration, "--evaluation", evaluation,
                                     "--limit", met, "--limit", "nw.mean<=100%"});
    CHECK(search.exitCode != 0);
    CHECK_THAT(search.errors, Contains("give --epsilon, which recommend --data finds"));
}

TEST_CASE("report: an evaluation of something else is refused") {
    const test::TemporaryFolder folder;
    const std::string calibration = calibratedSample(folder);
    const auto refused = [&](const std::string& evaluation) {
        const CliResult result =
            runCli({"report", "--from", calibration, "--evaluation", evaluation});
        CHECK(result.exitCode != 0);
        CHECK(result.output.empty());
        return result.errors;
    };
    CHECK_THAT(refused(evaluated(folder, "tem.json", "tem")),
               Contains("tem.json") && Contains("another mechanism (tem, ") &&
                   Contains("than the calibration (laplace, "));
    CHECK_THAT(refused(evaluated(folder, "fewer.json", "laplace", "900")),
               Contains("another embedding") && Contains("900 words") && Contains("1,000 words"));
    CHECK_THAT(refused(calibration), Contains("not a result of evaluate --format json"));
    CHECK_THAT(runCli({"report", "--from", folder.path("tem.json")}).errors,
               Contains("report takes it as --evaluation"));
}
