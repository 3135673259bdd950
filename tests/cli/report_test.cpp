#include <algorithm>
#include <cmath>
#include <filesystem>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/support/made_up_embedding.h"
#include "tests/support/run_cli.h"

using namespace epsilens;
using test::CliResult;
using test::runCli;
using Arguments = std::vector<std::string>;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;
using nlohmann::ordered_json;

namespace {

/// A calibration of a small file; returns the path of its document. Options come in pairs of name
/// and value but for the last, which may be a flag; they take the place of the usual ones.
std::string calibrated(const test::TemporaryFolder& folder, const Arguments& options = {}) {
    const std::vector<Arguments> usual{
        {"--epsilon", "2,8"}, {"--lambda", "0,0.5"}, {"--words", "20"},
        {"--draws", "10"},    {"--format", "json"},  {"-o", folder.path("calibration.json")}};
    Arguments arguments{"calibrate", folder.file("small.txt", test::madeUpGlove(60, 4, 1))};
    arguments.insert(arguments.end(), options.begin(), options.end());
    for (const Arguments& option : usual) {
        if (std::find(options.begin(), options.end(), option.front()) == options.end()) {
            arguments.insert(arguments.end(), option.begin(), option.end());
        }
    }
    const CliResult result = runCli(arguments);
    INFO(result.errors);
    REQUIRE(result.exitCode == 0);
    return folder.path("calibration.json");
}

std::string reported(const Arguments& options) {
    Arguments arguments{"report"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    const CliResult result = runCli(arguments);
    INFO(result.errors);
    REQUIRE(result.exitCode == 0);
    return result.output;
}

/// Changes one value of a document.
void change(const test::TemporaryFolder& folder, const std::string& name, const char* pointer,
            const ordered_json& value) {
    ordered_json document = ordered_json::parse(test::contentOf(folder.path(name)));
    document[ordered_json::json_pointer(pointer)] = value;
    folder.file(name, document.dump());
}

CliResult verified(const Arguments& options) {
    Arguments arguments{"verify"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    return runCli(arguments);
}

/// Words on a spiral in the Poincaré disk, every part of it equally dense.
std::string spiralInTheDisk(int words) {
    std::string text;
    for (int word = 0; word < words; ++word) {
        const double norm = 0.95 * std::sqrt((word + 0.5) / words);
        text += fmt::format("w{} {:.4f} {:.4f}\n", word, norm * std::cos(2.4 * word),
                            norm * std::sin(2.4 * word));
    }
    return text;
}

/// Words on a line, each one farther from the one before it than that from its own: distances to
/// the nearest other word are 1, 1, 2, 3, …
std::string wordsFartherAndFarther(int words) {
    std::string text;
    for (int word = 0; word < words; ++word) {
        text += fmt::format("w{} {} 0\n", word, word * (word + 1) / 2);
    }
    return text;
}

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
    CHECK_THAT(reported({"--from", from}), StartsWith("# Privacy calibration of small.txt"));
    CHECK_THAT(reported({"--from", from, "--format", "html"}), StartsWith("<!DOCTYPE html>"));
    CHECK(ordered_json::parse(reported({"--from", from, "--format", "json"}))["schema"] ==
          "epsilens.report/1");
    CHECK(reported({"--from", from, "-o", folder.path("r.html")}).empty());
    CHECK_THAT(test::contentOf(folder.path("r.html")), StartsWith("<!DOCTYPE html>"));
    CHECK(reported({"--from", from, "-o", folder.path("r.md")}).empty());
    CHECK_THAT(test::contentOf(folder.path("r.md")), StartsWith("# Privacy"));
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
    CHECK_THAT(again, StartsWith("# T\n"));
    CHECK_THAT(again, Contains("**Author:** B") && Contains("**Purpose:** P"));
    CHECK_THAT(reported({"--from", path, "--sections", "summary,repeat"}),
               !Contains("Who, why") && Contains("## H To repeat this"));
}

TEST_CASE("report --memo-only leaves the appendix out, and its document verifies") {
    const test::TemporaryFolder folder;
    const std::string from = calibrated(folder);
    const std::string whole = reported({"--from", from, "--epsilon", "8", "--lambda", "0.5"});
    const std::string memo =
        reported({"--from", from, "--epsilon", "8", "--lambda", "0.5", "--memo-only"});
    CHECK(whole.substr(0, whole.find("\n# Appendix")) + "\n" == memo + "\n");
    CHECK(whole.size() > memo.size());
    const std::string path = folder.path("memo.json");
    CHECK(reported({"--from", from, "--memo-only", "-o", path}).empty());
    CHECK_THAT(runCli({"verify", "--from", path}).output, Contains("every value is the same"));
    const auto both = runCli({"report", "--from", from, "--memo-only", "--sections", "plots"});
    CHECK(both.exitCode == 2);
    CHECK_THAT(both.errors, Contains("--memo-only"));
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
    CHECK_THAT(again, !Contains("Trained on the text to protect:** not stated"));
    for (const auto& [option, value, allowed] :
         {std::tuple("--trained-on-protected-text", "perhaps", "none of yes, no, not stated"),
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
    fails({"--from", from, "--format", "pdf"}, 2, "markdown, html, json");
    fails({"--from", from, "-o", folder.path("r.pdf")}, 2, "only the window writes PDF");
    fails({"--from", from, "-o", folder.path("r.xyz")}, 2, ".xyz");
    fails({"--from", from, "--epsilon", "3"}, 2, "not among the calibrated settings");
    fails({"--from", from, "--lambda", "0.5"}, 2, "--epsilon");
    fails({"--from", from, "--epsilon", "8", "--lambda", "0.3"}, 2, "lambda 0.3 was chosen with");
    fails({"--from", from, "--limit", "nw<5"}, 2, "--limit");
    fails({"--from", from, "--sections", "all"}, 2, "summary, unprotected, purpose");
    fails({"--from", folder.path("missing.json")}, 4, "missing.json");
    fails({"--from", folder.path("small.txt")}, 4, "small.txt");
    const std::string whole = test::contentOf(from);
    folder.file("cut.json", whole.substr(0, whole.size() / 2));
    fails({"--from", folder.path("cut.json")}, 4, "cut.json");
}

TEST_CASE("verify repeats what a calibration and a report hold and finds each changed number") {
    const test::TemporaryFolder folder;
    const std::string from = calibrated(folder);
    const CliResult sound = verified({"--from", from});
    INFO(sound.errors);
    CHECK(sound.exitCode == 0);
    CHECK_THAT(sound.output, Contains("every value is the same"));
    reported({"--from", from, "--epsilon", "8", "--lambda", "0", "--limit", "nw.p95<=50%", "-o",
              folder.path("report.json")});
    CHECK(verified({"--from", folder.path("report.json"), "--threads", "1"}).exitCode == 0);
    std::filesystem::copy_file(folder.path("report.json"), folder.path("older.json"));
    change(folder, "older.json", "/version", "0.0.1");
    change(folder, "older.json", "/statements/0/title", "Said in other words");
    change(folder, "older.json", "/report/title", "Another title");
    const CliResult older = verified({"--from", folder.path("older.json")});
    CHECK(older.exitCode == 0);
    CHECK_THAT(older.output, Contains("not compared: what is said in words (title"));

    change(folder, "report.json", "/findings/limits/0/value", 0.125);
    const CliResult value = verified({"--from", folder.path("report.json")});
    CHECK(value.exitCode == 4);
    CHECK_THAT(value.errors, Contains("\"findings\": limits[0].value is 0.125, and the rest"));
    change(folder, "calibration.json", "/cells/2/sw/p25", 1e6);
    const CliResult cell = verified({"--from", from, "--format", "json"});
    CHECK(cell.exitCode == 1);
    const ordered_json document = ordered_json::parse(cell.output);
    CHECK(document["confirmed"] == false);
    REQUIRE(document["differences"].size() == 1);
    CHECK(document["differences"][0]["place"] == "cells[2].sw.p25 (ε = 2, λ = 0.5)");
    CHECK(document["differences"][0]["stored"] == "1000000.0");
    change(folder, "calibration.json", "/run/threads", 77);
    change(folder, "calibration.json", "/version", "0.0.1");
    CHECK(ordered_json::parse(verified({"--from", from, "--format", "json"}).output)["differences"]
              .size() == 1);
}

TEST_CASE("verify repeats every mechanism and choice of words") {
    const test::TemporaryFolder folder;
    folder.file("list.txt", "w3\nw1\nw40\n");
    folder.file("records.txt", "w1 w2 w3 w9\nw11 w12\n");
    for (const Arguments& options :
         std::vector<Arguments>{{"--words", "@" + folder.path("list.txt")},
                                {"--words", "densest:7"},
                                {"--words", "4", "--data", folder.path("records.txt")},
                                {"--limit-rows", "50"},
                                {"--vocabulary", folder.path("list.txt")},
                                {"--words", "9", "--independent-draws"},
                                {"--words", "all", "--seed", "9", "--near", "5"}}) {
        CAPTURE(options.front());
        const CliResult result = verified({"--from", calibrated(folder, options)});
        INFO(result.output + result.errors);
        CHECK(result.exitCode == 0);
    }
    for (const Arguments& options :
         std::vector<Arguments>{{"--mechanism", "tem", "--beta", "0.01,0.1"},
                                {"--mechanism", "tem", "--gamma", "2", "--metric", "angular"},
                                {"--mechanism", "laplace"}}) {
        Arguments arguments{"calibrate", folder.path("small.txt"),
                            "--epsilon", "3",
                            "--words",   "10",
                            "--draws",   "5",
                            "--format",  "json",
                            "-o",        folder.path("m.json")};
        arguments.insert(arguments.end(), options.begin(), options.end());
        REQUIRE(runCli(arguments).exitCode == 0);
        const CliResult result = verified({"--from", folder.path("m.json")});
        INFO(result.output + result.errors);
        CHECK(result.exitCode == 0);
    }
}

TEST_CASE("verify repeats hyperbolic noise by its own law and placement only") {
    const test::TemporaryFolder folder;
    const std::string ball = folder.file("ball.txt", spiralInTheDisk(40));
    const std::string from = folder.path("h.json");
    for (const auto& [law, otherLaw] :
         {std::pair{"riemannian", "eq7"}, std::pair{"eq7", "riemannian"}}) {
        for (const auto& [placement, otherPlacement] :
             {std::pair{"mobius", "additive"}, std::pair{"additive", "mobius"}}) {
            CAPTURE(law, placement);
            REQUIRE(runCli({"calibrate", ball, "--mechanism", "hyperbolic", "--noise", law,
                            "--placement", placement, "--epsilon", "2,5", "--words", "20",
                            "--draws", "10", "--format", "json", "-o", from})
                        .exitCode == 0);
            const CliResult sound = verified({"--from", from});
            INFO(sound.output + sound.errors);
            CHECK(sound.exitCode == 0);
            const std::string kept = test::contentOf(from);
            CHECK(ordered_json::parse(kept)["mechanism"]["noise"] == law);
            CHECK(ordered_json::parse(kept)["mechanism"]["placement"] == placement);

            change(folder, "h.json", "/repeat/noise", otherLaw);
            const CliResult byLaw = verified({"--from", from});
            CHECK(byLaw.exitCode == 1);
            CHECK_THAT(byLaw.output, Contains(fmt::format("mechanism.noise: stored \"{}\", found "
                                                          "\"{}\"",
                                                          law, otherLaw)) &&
                                         Contains("cells[1].meanDistance (ε = 5)"));
            folder.file("h.json", kept);
            change(folder, "h.json", "/repeat/placement", otherPlacement);
            const CliResult byPlacement = verified({"--from", from});
            CHECK(byPlacement.exitCode == 1);
            CHECK_THAT(byPlacement.output, Contains("mechanism.placement: stored") &&
                                               Contains("cells[1].meanDistance (ε = 5)"));
        }
    }
}

TEST_CASE("verify measures the distances of a report's density profile again") {
    const test::TemporaryFolder folder;
    folder.file("line.txt", wordsFartherAndFarther(21));
    REQUIRE(runCli({"calibrate", folder.path("line.txt"), "--mechanism", "laplace", "--epsilon",
                    "1", "--draws", "5", "--format", "json", "-o", folder.path("c.json")})
                .exitCode == 0);
    reported({"--from", folder.path("c.json"), "-o", folder.path("r.json")});
    // Of 21 sorted distances the 2nd, 11th and 20th are the percentiles; there are fewer words than
    // the 50 whose means are compared.
    const double mean = 211.0 / 21.0;
    change(folder, "r.json", "/report/density",
           {{"min", 1.0},
            {"p5", 1.0},
            {"p50", 10.0},
            {"p95", 19.0},
            {"max", 20.0},
            {"meanOfSparsest", mean},
            {"meanOfDensest", mean}});
    const CliResult sound = verified({"--from", folder.path("r.json")});
    INFO(sound.output + sound.errors);
    CHECK(sound.exitCode == 0);
    for (const char* figure :
         {"min", "p5", "p50", "p95", "max", "meanOfSparsest", "meanOfDensest"}) {
        const std::string kept = test::contentOf(folder.path("r.json"));
        change(folder, "r.json", fmt::format("/report/density/{}", figure).c_str(), 5.5);
        const CliResult changed = verified({"--from", folder.path("r.json")});
        CHECK(changed.exitCode == 1);
        CHECK_THAT(changed.output,
                   StartsWith(fmt::format("1 value differs\nreport.density.{}: stored 5.5, found",
                                          figure)));
        folder.file("r.json", kept);
    }
}

TEST_CASE("verify looks for the embedding beside the file and refuses other vectors") {
    const test::TemporaryFolder folder;
    calibrated(folder);
    folder.file("moved/calibration.json", test::contentOf(folder.path("calibration.json")));
    folder.file("moved/small.txt", test::contentOf(folder.path("small.txt")));
    folder.file("small.txt", test::madeUpGlove(60, 4, 2));
    const CliResult other = verified({"--from", folder.path("calibration.json")});
    CHECK(other.exitCode == 4);
    CHECK_THAT(other.errors, Contains("SHA-256"));
    CHECK(verified({folder.path("moved/small.txt"), "--from", folder.path("calibration.json")})
              .exitCode == 0);
    std::filesystem::copy_file(folder.path("moved/small.txt"), folder.path("moved/other.txt"));
    const CliResult renamed =
        verified({folder.path("moved/other.txt"), "--from", folder.path("calibration.json")});
    CHECK(renamed.exitCode == 0);
    CHECK_THAT(renamed.errors, Contains("called other.txt here and small.txt in the file"));
    std::filesystem::remove(folder.path("small.txt"));
    CHECK(verified({"--from", folder.path("calibration.json")}).exitCode == 4);
    CHECK(verified({"--from", folder.path("moved/calibration.json")}).exitCode == 0);
}

TEST_CASE("The built-in samples are found by name") {
    const test::TemporaryFolder folder;
    REQUIRE(runCli({"calibrate", "sample", "--epsilon", "8", "--lambda", "0.5", "--words", "5",
                    "--draws", "5", "--format", "json", "-o", folder.path("s.json")})
                .exitCode == 0);
    const ordered_json document = ordered_json::parse(test::contentOf(folder.path("s.json")));
    CHECK(document["repeat"]["path"] == "sample");
    CHECK(document["pairs"][0]["words"] == ordered_json({"paris", "london"}));
    CHECK(verified({"--from", folder.path("s.json")}).exitCode == 0);
    CHECK_THAT(reported({"--from", folder.path("s.json")}), Contains("paris against london"));
    REQUIRE(
        runCli({"calibrate", "sample-poincare", "--mechanism", "hyperbolic", "--epsilon", "12",
                "--words", "5", "--draws", "5", "--format", "json", "-o", folder.path("p.json")})
            .exitCode == 0);
    const CliResult poincare = verified({"--from", folder.path("p.json")});
    INFO(poincare.output + poincare.errors);
    CHECK(poincare.exitCode == 0);
}
