#include <algorithm>
#include <cmath>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/cli/report_fixture.h"

using namespace epsilens;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;
using nlohmann::ordered_json;
using test::Arguments;
using test::calibrated;
using test::change;
using test::CliResult;
using test::reported;
using test::runCli;

namespace {

ordered_json documentOf(Arguments options) {
    options.insert(options.end(), {"--format", "json"});
    return ordered_json::parse(reported(options));
}

std::string reasonOf(const ordered_json& document) {
    return document["report"]["reason"].get<std::string>();
}

/// A limit that the settings at epsilon 2 meet and those at 8 do not.
std::string limitBetween(const std::string& calibration) {
    const ordered_json cells = ordered_json::parse(test::contentOf(calibration))["cells"];
    double most = 0;
    double least = HUGE_VAL;
    for (const ordered_json& cell : cells) {
        const double mean = cell["nw"]["mean"];
        if (cell["epsilon"] == 2.0) {
            most = std::max(most, mean);
        } else {
            least = std::min(least, mean);
        }
    }
    REQUIRE(most < least);
    return fmt::format("nw.mean<={}", (most + least) / 2);
}

}  // namespace

TEST_CASE("report writes the format asked for or that of the ending") {
    const test::TemporaryFolder folder;
    const std::string from = calibrated(folder);
    CHECK_THAT(reported({"--from", from}), StartsWith("Privacy calibration of small\n"));
    CHECK_THAT(reported({"--from", from, "--format", "html"}), StartsWith("<!DOCTYPE html>"));
    CHECK(ordered_json::parse(reported({"--from", from, "--format", "json"}))["schema"] ==
          "epsilens.report/1");
    CHECK(reported({"--from", from, "-o", folder.path("r.html")}).empty());
    CHECK_THAT(test::contentOf(folder.path("r.html")), StartsWith("<!DOCTYPE html>"));
    CHECK(reported({"--from", from, "-o", folder.path("r.txt")}).empty());
    CHECK_THAT(test::contentOf(folder.path("r.txt")), StartsWith("Privacy"));
}

TEST_CASE("report puts what is typed before what the file holds") {
    const test::TemporaryFolder folder;
    const std::string from = calibrated(folder);
    const std::string path = folder.path("report.json");
    CHECK(reported({"--from",  from,         "--author",  "A", "--purpose", "P",
                    "--date",  "2026-01-31", "--title",   "T", "--limit",   "nw.mean<=100%",
                    "--limit", "sw.p5>=1",   "--epsilon", "8", "--lambda",  "0.5",
                    "-o",      path})
              .empty());
    const ordered_json report = ordered_json::parse(test::contentOf(path));
    CHECK(report["report"]["author"] == "A");
    CHECK(report["report"]["limits"] == ordered_json({"nw.mean<=100%", "sw.p5>=1"}));
    CHECK(report["findings"]["cell"] == 3);
    CHECK(report["findings"]["limits"][0]["met"] == true);
    const std::string again = reported({"--from", path, "--author", "B"});
    CHECK_THAT(again, StartsWith("T\n=\n"));
    CHECK_THAT(again, Contains("Author and date      B, ") && Contains("Purpose              P"));
    CHECK_THAT(again, Contains("\nH To repeat this\n---"));
}

TEST_CASE("report --memo-only leaves the appendix out, and its document verifies") {
    const test::TemporaryFolder folder;
    const std::string from = calibrated(folder);
    const std::string whole = reported({"--from", from, "--epsilon", "8", "--lambda", "0.5"});
    const std::string memo =
        reported({"--from", from, "--epsilon", "8", "--lambda", "0.5", "--memo-only"});
    CHECK(whole.substr(0, whole.find("\nAppendix\n==")) + "\n" == memo + "\n");
    CHECK(whole.size() > memo.size());
    const std::string path = folder.path("memo.json");
    CHECK(reported({"--from", from, "--memo-only", "-o", path}).empty());
    CHECK_THAT(runCli({"verify", "--from", path}).output, Contains("every value is the same"));
}

TEST_CASE("report takes what a person says of text, training, unknown words and alternatives") {
    const test::TemporaryFolder folder;
    const std::string from = calibrated(folder);
    const std::string path = folder.path("report.json");
    CHECK(
        reported({"--from", from, "--trained-on-protected-text", "no", "--text-source", "a survey",
                  "--unknown", "drop", "--alternatives", "laplace", "--reason", "R", "-o", path})
            .empty());
    const ordered_json said = ordered_json::parse(test::contentOf(path))["report"];
    CHECK(said["trainedOnProtectedText"] == "no");
    CHECK(said["textSource"] == "a survey");
    CHECK(said["unknownWords"] == "drop");
    CHECK(said["alternatives"] == "laplace");
    const std::string again = reported({"--from", path, "--trained-on-protected-text", "yes"});
    CHECK_THAT(again, Contains("a survey") && Contains("laplace"));
    CHECK_THAT(again, !Contains("Trained on the text to protect         not stated"));
    for (const auto& [option, value, allowed] :
         {std::tuple("--trained-on-protected-text", "perhaps", "not one of yes, no, not stated"),
          std::tuple("--unknown", "hide", "not one of mask, random, drop, keep")}) {
        const CliResult refused = runCli({"report", "--from", from, option, value});
        CHECK(refused.exitCode == 2);
        CHECK_THAT(refused.errors, Contains(option) && Contains(value) && Contains(allowed));
    }
}

TEST_CASE("report chooses by typed limits and not by those of the file") {
    const test::TemporaryFolder folder;
    const std::string from = calibrated(folder);
    const ordered_json chosen = documentOf({"--from", from, "--limit", "nw.mean<=100%"});
    CHECK_THAT(chosen["report"]["reason"].get<std::string>(), Contains("not chosen by a person"));
    CHECK(chosen["findings"]["cell"] == 1);  // epsilon 8, of both lambda the first
    CHECK(chosen["report"]["choice"]["epsilon"] == 8.0);
    ordered_json none = chosen;
    none["report"]["choice"] = nullptr;
    for (const char* found : {"limits", "odds"}) {
        none["findings"][found] = ordered_json::array();
    }
    none["findings"]["cell"] = nullptr;
    const std::string path = folder.file("none.json", none.dump());
    CHECK(documentOf({"--from", path})["findings"]["cell"].is_null());
    CHECK_THAT(reported({"--from", path}), Contains("No setting was chosen"));
}

TEST_CASE("What the program says of its choice stays with that choice") {
    const test::TemporaryFolder folder;
    const std::string from = calibrated(folder);
    const std::string chosen = folder.path("chosen.json");
    reported({"--from", from, "--limit", "nw.mean<=100%", "-o", chosen});
    const std::string said = reasonOf(documentOf({"--from", chosen}));
    CHECK_THAT(said, Contains("meets all limits") && Contains("not chosen by a person"));

    const ordered_json typed = documentOf({"--from", chosen, "--epsilon", "2", "--lambda", "0"});
    CHECK(reasonOf(typed).empty());

    const ordered_json anew = documentOf({"--from", chosen, "--limit", limitBetween(from)});
    CHECK(anew["report"]["choice"]["epsilon"] == 2.0);
    CHECK(anew["findings"]["limits"][0]["met"] == true);
    CHECK(reasonOf(anew) == said);

    const ordered_json none = documentOf({"--from", chosen, "--limit", "nw.mean<=0"});
    CHECK(none["report"]["choice"].is_null());
    CHECK(reasonOf(none).empty());

    const ordered_json both = documentOf(
        {"--from", chosen, "--epsilon", "8", "--lambda", "0", "--limit", limitBetween(from)});
    CHECK(both["findings"]["limits"][0]["met"] == false);
    CHECK(reasonOf(both).empty());

    change(folder, "chosen.json", "/report/choice", nullptr);
    change(folder, "chosen.json", "/findings/cell", nullptr);
    change(folder, "chosen.json", "/findings/limits", ordered_json::array());
    change(folder, "chosen.json", "/findings/odds", ordered_json::array());
    CHECK(reasonOf(documentOf({"--from", chosen})).empty());
}

TEST_CASE("That the program chose is said behind the reason of a person") {
    const test::TemporaryFolder folder;
    const std::string from = calibrated(folder);
    const std::string kept = folder.path("kept.json");
    reported({"--from", from, "--reason", "short texts", "-o", kept});
    const std::string chosen = folder.path("chosen.json");
    reported({"--from", kept, "--limit", "nw.mean<=100%", "-o", chosen});
    const std::string said = reasonOf(documentOf({"--from", chosen}));
    CHECK_THAT(said, StartsWith("short texts (") && Contains("not chosen by a person"));
    CHECK(reasonOf(documentOf({"--from", chosen, "--limit", limitBetween(from)})) == said);
    CHECK_THAT(reasonOf(documentOf({"--from", chosen, "--reason", "long texts"})),
               StartsWith("long texts (") && Contains("not chosen by a person"));
    CHECK(reasonOf(documentOf({"--from", chosen, "--epsilon", "2", "--lambda", "0"})) ==
          "short texts");

    const std::string single = calibrated(folder, {"--epsilon", "2", "--lambda", "0"});
    CHECK(reasonOf(documentOf({"--from", single, "--reason", "short texts"})) ==
          "short texts (the only calibrated setting; not chosen by a person)");
}

TEST_CASE("Typed limits leave the choice and the reason of a person alone") {
    const test::TemporaryFolder folder;
    const std::string from = calibrated(folder);
    const std::string chosen = folder.path("chosen.json");
    reported({"--from", from, "--epsilon", "8", "--lambda", "0", "--reason", "short texts", "-o",
              chosen});
    const ordered_json held = documentOf({"--from", chosen, "--limit", limitBetween(from)});
    CHECK(held["report"]["choice"]["epsilon"] == 8.0);
    CHECK(held["findings"]["limits"][0]["met"] == false);
    CHECK(reasonOf(held) == "short texts");
}

TEST_CASE("report says in one line what it cannot do") {
    const test::TemporaryFolder folder;
    const std::string from = calibrated(folder);
    const auto fails = [&](const Arguments& options, int exitCode, const char* text) {
        Arguments arguments{"report"};
        arguments.insert(arguments.end(), options.begin(), options.end());
        const CliResult result = runCli(arguments);
        CHECK(result.exitCode == exitCode);
        CHECK(std::count(result.errors.begin(), result.errors.end(), '\n') == 1);
        CHECK_THAT(result.errors, Contains(text));
    };
    fails({}, 2, "--from");
    fails({"--from", from, "--format", "pdf"}, 2, "text, html, json");
    fails({"--from", from, "-o", folder.path("r.pdf")}, 2, "only the window writes PDF");
    fails({"--from", from, "-o", folder.path("r.xyz")}, 2, ".xyz");
    fails({"--from", from, "--epsilon", "3"}, 2, "not among the calibrated settings");
    fails({"--from", from, "--lambda", "0.5"}, 2, "--epsilon");
    fails({"--from", from, "--epsilon", "8", "--lambda", "0.3"}, 2, "lambda 0.3 was chosen with");
    fails({"--from", from, "--limit", "nw<5"}, 2, "--limit");
    fails({"--from", folder.path("missing.json")}, 4, "missing.json");
    fails({"--from", folder.path("small.txt")}, 4, "small.txt");
    const std::string whole = test::contentOf(from);
    folder.file("cut.json", whole.substr(0, whole.size() / 2));
    fails({"--from", folder.path("cut.json")}, 4, "cut.json");
}
