#include <cmath>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/document/session_file.h"
#include "core/embedding/load.h"
#include "core/experiment/data_fingerprint.h"
#include "core/experiment/evaluation.h"
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

}  // namespace

TEST_CASE("verify finds files whose names are no UTF-8") {
    const test::TemporaryFolder folder;
    const std::string texts = folder.file("f\xff/t\xfe\xfe.csv",
                                          "class,text\nham,w1 w2\nspam,w3 w4\nham,w1 w5\n"
                                          "spam,w3 w6\nham,w2 w5\nspam,w4 w6\n");
    const std::string vectors =
        folder.file("f\xff/v\xc3-\xe2\x82.txt", test::madeUpGlove(60, 4, 1));
    const std::string stop = folder.file("s\xff", "w9\n");
    const std::string calibration = folder.path("calibration.json");
    const std::string evaluation = folder.path("e\xff.json");
    const Arguments calibrate{"calibrate", vectors, "--words",  "20",   "--draws", "10",
                              "--epsilon", "2",     "--format", "json", "-o",      calibration};
    const Arguments evaluate{
        "evaluate", vectors, "--data", texts,      "--repeats", "1",        "--epsilon",    "2",
        "--format", "json",  "-o",     evaluation, "--task",    "classify", "--stop-words", stop};
    for (const auto& [arguments, from] :
         {std::pair(calibrate, calibration), std::pair(evaluate, evaluation)}) {
        const CliResult made = runCli(arguments);
        INFO(made.errors);
        REQUIRE(made.exitCode == 0);
        const CliResult sound = verified({"--from", from});
        INFO(sound.output + sound.errors);
        CHECK(sound.exitCode == 0);
        CHECK_THAT(sound.output, Contains("every value is the same"));
    }
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
    change(folder, "older.json", "/report/title", "Another title");
    const CliResult older = verified({"--from", folder.path("older.json")});
    CHECK(older.exitCode == 0);
    CHECK_THAT(older.output, Contains("not compared: what the analyst says (title"));

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

TEST_CASE("verify repeats hyperbolic noise by its own law only") {
    const test::TemporaryFolder folder;
    const std::string ball = folder.file("ball.txt", spiralInTheDisk(40));
    const std::string from = folder.path("h.json");
    for (const auto& [law, otherLaw] :
         {std::pair{"riemannian", "eq7"}, std::pair{"eq7", "riemannian"}}) {
        CAPTURE(law);
        REQUIRE(runCli({"calibrate", ball, "--mechanism", "hyperbolic", "--noise", law, "--epsilon",
                        "2,5", "--words", "20", "--draws", "10", "--format", "json", "-o", from})
                    .exitCode == 0);
        const CliResult sound = verified({"--from", from});
        INFO(sound.output + sound.errors);
        CHECK(sound.exitCode == 0);
        CHECK(ordered_json::parse(test::contentOf(from))["mechanism"]["noise"] == law);

        change(folder, "h.json", "/repeat/noise", otherLaw);
        const CliResult byLaw = verified({"--from", from});
        CHECK(byLaw.exitCode == 1);
        CHECK_THAT(
            byLaw.output,
            Contains(fmt::format("mechanism.noise: stored \"{}\", found \"{}\"", law, otherLaw)) &&
                Contains("cells[1].meanDistance (ε = 5)"));
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

TEST_CASE("verify does the evaluation of a session again, also where nothing else was measured") {
    const test::TemporaryFolder folder;
    const std::string vectors = folder.file("small.txt", test::madeUpGlove(60, 4, 1));
    std::string texts;
    for (int text = 0; text < 60; ++text) {
        const int first = 30 * (text % 2);
        texts += fmt::format("{}\tw{} w{} w{}\n", text % 2 == 0 ? "ham" : "spam", first + text % 30,
                             first + 3 * text % 30, first + 7 * text % 30);
    }
    document::KeptEvaluation kept;
    kept.data.options.path = folder.file("mail.tsv", texts);
    kept.data.fingerprint = experiment::fingerprintOf(kept.data.options).value();
    auto embedding = embedding::loadEmbedding({vectors}).value();
    document::Session session;
    session.embedding.emplace().load.path = vectors;
    session.embedding->sha256 = embedding.report.sha256;
    const engine::SearchSpace space(embedding::prepareEmbedding(std::move(embedding)).value());
    experiment::EvaluationOptions options;
    options.grid.epsilons = {2.0};
    options.repeats = 2;
    const auto data = experiment::readDataSet(kept.data.options).value();
    kept.results = experiment::Evaluation::create(space, data, options).value().run().value();
    REQUIRE(document::canBeKept(kept));
    session.evaluation = kept;
    const std::string from = folder.path("work.epsilens");
    REQUIRE(document::saveSession(from, session));
    const CliResult sound = verified({"--from", from});
    INFO(sound.errors);
    CHECK(sound.exitCode == 0);
    CHECK_THAT(sound.output, Contains("every value is the same"));
    const CliResult report = runCli({"report", "--from", from});
    CHECK(report.exitCode == 4);
    CHECK_THAT(report.errors, Contains("the session has no results"));

    session.evaluationAlone = kept;
    session.evaluationAgain = kept;
    for (const char* member : {"evaluation", "evaluationAlone", "evaluationAgain"}) {
        REQUIRE(document::saveSession(from, session));
        change(folder, "work.epsilens", fmt::format("/{}/majority", member).c_str(), 0.75);
        const CliResult changed = verified({"--from", from});
        CHECK(changed.exitCode == 1);
        CHECK_THAT(changed.output, Contains(fmt::format("{}.majority", member)));
    }
    // What a search found is not claimed to be checked.
    document::KeptSearch& search = session.search.emplace();
    search.data = kept.data;
    search.options = options;
    search.draws = 1;
    REQUIRE(document::saveSession(from, session));
    const CliResult searched = verified({"--from", from});
    CHECK(searched.exitCode == 0);
    CHECK_THAT(searched.errors,
               Contains("what a search for epsilon found on texts is not checked"));
    folder.file("mail.tsv", texts + "ham\tw1\n");
    const CliResult others = verified({"--from", from});
    CHECK(others.exitCode == 4);
    CHECK_THAT(others.errors, Contains("these are not the texts"));
}
