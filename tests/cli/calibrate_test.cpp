#include <cmath>
#include <string>
#include <vector>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/cli/calibrate_runs.h"
#include "tests/support/csv_table.h"
#include "tests/support/made_up_embedding.h"
#include "tests/support/run_cli.h"

using namespace epsilens;
using test::calibratedJson;
using test::calibrateSmall;
using test::CliResult;
using test::epsilonsOf;
using test::runCli;
using test::smallFile;
using test::withoutCircumstances;
using Arguments = std::vector<std::string>;
using Catch::Matchers::Contains;
using nlohmann::json;

TEST_CASE("calibrate writes the grid in the documented schema") {
    const test::TemporaryFolder folder;
    const json document =
        calibratedJson(folder, {"--mechanism", "mahalanobis", "--epsilon", "1,10", "--lambda",
                                "0,0.5,1", "--words", "40", "--draws", "30", "--seed", "5"});
    CHECK(document["schema"] == "epsilens.calibration/1");
    CHECK(document["embedding"]["file"] == "small.txt");
    CHECK(document["embedding"]["words"] == 60);
    CHECK(document["mechanism"]["name"] == "mahalanobis");
    CHECK(document["run"]["words"] == 40);
    CHECK(document["run"]["draws"] == 30);
    CHECK(document["run"]["seed"] == 5);
    CHECK(document["run"]["partial"] == false);
    CHECK(document["run"]["substitutions"] == 40 * 30 * 6);
    REQUIRE(document["cells"].size() == 6);
    CHECK(document["guarantee"].size() == 6);
    for (const json& cell : document["cells"]) {
        CHECK(cell["kw"].is_null());
        CHECK(cell["kept"].get<double>() + cell["near"].get<double>() + cell["far"].get<double>() ==
              Approx(1).epsilon(1e-12));
        // N_w counts out of R the draws that kept the word: kept = mean N_w / R.
        CHECK(cell["nw"]["mean"].get<double>() / 30 ==
              Approx(cell["kept"].get<double>()).epsilon(1e-12));
    }
}

TEST_CASE("calibrate does not depend on the number of threads, but on the seed") {
    const test::TemporaryFolder folder;
    const Arguments options{"--epsilon", "2,8",     "--lambda", "0.5",    "--words",
                            "all",       "--draws", "50",       "--seed", "3"};
    Arguments one = options;
    one.insert(one.end(), {"--threads", "1"});
    Arguments two = options;
    two.insert(two.end(), {"--threads", "2"});
    const json first = calibratedJson(folder, one);
    CHECK(first["run"]["threads"] == 1);
    CHECK(withoutCircumstances(first) == withoutCircumstances(calibratedJson(folder, two)));
    Arguments other = options;
    other.back() = "4";
    CHECK(first["cells"] != calibratedJson(folder, other)["cells"]);
}

TEST_CASE("Lists and ranges of epsilon and lambda make the same grid") {
    const test::TemporaryFolder folder;
    const Arguments rest{"--words", "5", "--draws", "10"};
    const auto grid = [&](const std::string& epsilon, const std::string& lambda) {
        Arguments options{"--epsilon", epsilon, "--lambda", lambda};
        options.insert(options.end(), rest.begin(), rest.end());
        return calibratedJson(folder, options)["cells"];
    };
    CHECK(grid("1..4x3", "0..1x3") == grid("1; 2; 4", "0,0.5,1"));
    // The same list in two pieces.
    Arguments pieces{"--epsilon", "1", "--epsilon=2,4", "--lambda", "0,0.5,1"};
    pieces.insert(pieces.end(), rest.begin(), rest.end());
    CHECK(grid("1,2,4", "0..1x3") == calibratedJson(folder, pieces)["cells"]);
}

TEST_CASE("Defaults that are not given are chosen from the data and said on standard error") {
    const test::TemporaryFolder folder;
    const CliResult result = calibrateSmall(folder, {"--draws", "10", "--format", "json"});
    REQUIRE(result.exitCode == 0);
    const json document = json::parse(result.output);
    CHECK(document["mechanism"]["name"] == "mahalanobis");
    CHECK(epsilonsOf(document).size() == 5);
    CHECK(document["cells"].size() == 25);
    CHECK(document["run"]["words"] == 60);  // 500 of them when there are so many
    CHECK_THAT(result.errors, Contains("no --epsilon given: using "));
    CHECK_THAT(result.errors, Contains("no --lambda given: using 0, 0.25, 0.5, 0.75, 1\n"));
}

TEST_CASE("The default grid leaves out a lambda that is impossible and says so") {
    const test::TemporaryFolder folder;
    const std::string flat =
        folder.file("flat.txt", "a 1 2 0\nb 3 1 0\nc 4 5 0\nd 2 2 0\ne 0 1 0\n");
    const CliResult result =
        runCli({"calibrate", flat, "--draws", "10", "--epsilon", "1", "--format", "json"});
    REQUIRE(result.exitCode == 0);
    CHECK(json::parse(result.output)["cells"].size() == 4);
    CHECK_THAT(result.errors, Contains("lambda 1 left out"));
}

TEST_CASE("Laplace has no lambda in its results") {
    const test::TemporaryFolder folder;
    const json document = calibratedJson(
        folder, {"--mechanism", "laplace", "--epsilon", "1,10", "--words", "10", "--draws", "10"});
    REQUIRE(document["cells"].size() == 2);
    CHECK(document["cells"][0]["lambda"].is_null());
    CHECK(document["mechanism"]["metric"] == "Euclidean");
}

TEST_CASE("Words of a list are measured, unknown ones counted on standard error") {
    const test::TemporaryFolder folder;
    const std::string list = folder.file("list.txt", "w7\r\nw2\n\nparis\nw7\nw59\nlondon\n");
    const std::string table = folder.path("words.csv");
    const CliResult result =
        calibrateSmall(folder, {"--words", "@" + list, "--epsilon", "5", "--lambda", "0.5",
                                "--draws", "10", "--per-word", table, "--format", "json"});
    REQUIRE(result.exitCode == 0);
    CHECK(json::parse(result.output)["run"]["words"] == 3);
    CHECK_THAT(result.errors, Contains("2 of 5 words unknown"));
    const std::string csv = test::contentOf(table);
    CHECK(csv.rfind("word,row,epsilon,lambda,gamma,nw,sw,criticalEpsilonMedian\nw2,2,5,0.5,,", 0) ==
          0);
    CHECK_THAT(csv, Contains("\nw7,7,5,0.5,,"));
    CHECK_THAT(csv, Contains("\nw59,59,5,0.5,,"));
    CHECK(std::count(csv.begin(), csv.end(), '\n') == 4);
}

TEST_CASE("More words than there are: all, and it is said") {
    const test::TemporaryFolder folder;
    const CliResult result = calibrateSmall(
        folder,
        {"--words", "1000", "--epsilon", "5", "--lambda", "0", "--draws", "5", "--format", "json"});
    REQUIRE(result.exitCode == 0);
    CHECK(json::parse(result.output)["run"]["words"] == 60);
    CHECK_THAT(result.errors,
               Contains("only 60 words are available, so all of them are used instead of 1,000"));
}

TEST_CASE("calibrate writes text and CSV") {
    const test::TemporaryFolder folder;
    const Arguments options{"--epsilon", "5",       "--lambda", "0.5",    "--words",
                            "10",        "--draws", "10",       "--quiet"};
    const CliResult text = calibrateSmall(folder, options);
    CHECK(text.exitCode == 0);
    CHECK(text.errors.empty());
    CHECK_THAT(text.output, Contains("small.txt: 60 words × 4 dimensions"));
    CHECK_THAT(text.output, Contains("ε·‖·‖_RM"));
    Arguments asCsv = options;
    asCsv.insert(asCsv.end(), {"--format", "csv"});
    const CliResult csv = calibrateSmall(folder, asCsv);
    CHECK(csv.exitCode == 0);
    const auto row = test::csvTable(csv.output).at(0);
    CHECK(row.at("mechanism") == "mahalanobis");
    CHECK(row.at("bound") == "5");
    CHECK(row.at("draws") == "10");
    CHECK(row.at("lambda") == "0.5");
    CHECK_FALSE(row.at("nw.ci95Low").empty());
}

TEST_CASE("Numbers keep their point in a locale with a decimal comma") {
    // Where the locale is not installed this repeats the C locale.
    const test::TemporaryFolder folder;
    test::CliSetup german;
    german.environment = {"LC_ALL=de_DE.UTF-8", "LANG=de_DE.UTF-8"};
    const Arguments arguments{
        "calibrate", smallFile(folder), "--epsilon", "2.5",      "--lambda", "0.5", "--words",
        "10",        "--draws",         "10",        "--format", "csv"};
    CHECK(runCli(arguments, german).output == runCli(arguments).output);
}

TEST_CASE("Progress is shown without a terminal only when asked for") {
    const test::TemporaryFolder folder;
    const Arguments options{"--epsilon", "5",       "--lambda", "0.5",      "--words",
                            "10",        "--draws", "10",       "--format", "json"};
    CHECK_THAT(calibrateSmall(folder, options).errors, !Contains("Calibrating"));
    Arguments shown = options;
    shown.emplace_back("--progress");
    CHECK_THAT(calibrateSmall(folder, shown).errors, Contains("Calibrating 100%\n"));
}

TEST_CASE("calibrate runs TEM exactly, with beta 0.001 and the Euclidean metric by default") {
    const test::TemporaryFolder folder;
    const json document = calibratedJson(
        folder, {"--mechanism", "tem", "--epsilon", "2,20", "--words", "40", "--seed", "5"});
    CHECK(document["mechanism"]["name"] == "tem");
    CHECK(document["mechanism"]["metric"] == "Euclidean");
    CHECK(document["mechanism"]["exact"] == true);
    CHECK(document["run"]["draws"] == 100);
    CHECK(document["run"]["substitutions"] == 0);
    REQUIRE(document["cells"].size() == 2);
    for (std::size_t i = 0; i < 2; ++i) {
        const json& cell = document["cells"][i];
        const double epsilon = cell["epsilon"].get<double>();
        // gamma = (2 / epsilon) ln((1 - beta)(V - 1) / beta) with V = 60.
        const double logarithm = std::log(0.999 * 59 / 0.001);
        CHECK(cell["lambda"].is_null());
        CHECK(cell["beta"] == 0.001);
        CHECK(cell["gamma"].get<double>() == Approx(2 / epsilon * logarithm).epsilon(1e-12));
        CHECK(cell["kept"].get<double>() * 100 ==
              Approx(cell["nw"]["mean"].get<double>()).epsilon(1e-12));
        CHECK(cell["relativeError"].get<double>() < 1e-3);
        const json& guarantee = document["guarantee"][i];
        CHECK(guarantee["bound"] == epsilon);
        CHECK(guarantee["cap"].get<double>() == Approx(2 * logarithm).epsilon(1e-12));
        CHECK(guarantee["gamma"] == cell["gamma"]);
        CHECK(guarantee["statement"] == "ε·min(‖·‖₂, γ)");
    }
    CHECK(document["cells"][0]["nw"]["mean"] < document["cells"][1]["nw"]["mean"]);
}

TEST_CASE("calibrate takes every metric, radii and error probabilities for TEM") {
    const test::TemporaryFolder folder;
    const auto cells = [&](const Arguments& more) {
        Arguments options{"--mechanism", "tem", "--epsilon", "3,9", "--words", "all"};
        options.insert(options.end(), more.begin(), more.end());
        return calibratedJson(folder, options)["cells"];
    };
    // lambda-major, then gamma, then epsilon.
    const json mahalanobis =
        cells({"--metric", "mahalanobis", "--lambda", "0,1", "--gamma", "0;0.5;2"});
    REQUIRE(mahalanobis.size() == 12);
    CHECK(mahalanobis[7]["lambda"] == 1);
    CHECK(mahalanobis[7]["gamma"] == 0);
    CHECK(mahalanobis[7]["epsilon"] == 9);
    CHECK(mahalanobis[7]["beta"].is_null());
    // gamma 0: uniform over 60 words, N_w = 100 / 60.
    CHECK(mahalanobis[7]["nw"]["max"].get<double>() == Approx(100.0 / 60).epsilon(1e-5));
    CHECK(mahalanobis[7]["minEntropy"]["mean"].get<double>() ==
          Approx(std::log2(60.0)).epsilon(1e-5));
    // Without words to choose nothing is random: the interval is a point.
    CHECK(mahalanobis[0]["nw"]["ci95"][0] == mahalanobis[0]["nw"]["ci95"][1]);
    CHECK(cells({"--metric", "angular", "--beta", "0.01,0.1"}).size() == 4);
    CHECK(cells({"--metric", "euclidean"}) == cells({"--beta", "0.001"}));
}

TEST_CASE("calibrate takes the default grid of TEM from its critical epsilons") {
    const test::TemporaryFolder folder;
    const CliResult result =
        calibrateSmall(folder, {"--mechanism", "tem", "--metric", "mahalanobis", "--gamma", "1",
                                "--format", "json", "--per-word", folder.path("words.csv")});
    INFO(result.errors);
    REQUIRE(result.exitCode == 0);
    const json document = json::parse(result.output);
    CHECK_THAT(result.errors, Contains("no --epsilon given: using "));
    REQUIRE(document["cells"].size() == 25);
    // The grid spans the epsilons at which words are kept half of the time.
    CHECK(document["cells"][0]["nw"]["p95"] < 50);
    CHECK(document["cells"][4]["nw"]["p5"] > 50);
    const std::string csv = test::contentOf(folder.path("words.csv"));
    CHECK(csv.rfind("word,row,epsilon,lambda,gamma,nw,sw,criticalEpsilonMedian\nw0,0,", 0) == 0);
    CHECK(std::count(csv.begin(), csv.end(), '\n') == 1 + 60 * 25);
}

TEST_CASE("calibrate writes TEM as text and CSV") {
    const test::TemporaryFolder folder;
    const Arguments options{"--mechanism", "tem", "--epsilon", "5", "--words", "10", "--quiet"};
    const CliResult text = calibrateSmall(folder, options);
    CHECK(text.exitCode == 0);
    CHECK(text.errors.empty());
    CHECK_THAT(text.output,
               Contains("10 words, expectations out of R = 100 draws computed exactly"));
    CHECK_THAT(text.output, Contains("ε·min(‖·‖₂, γ)"));
    Arguments asCsv = options;
    asCsv.insert(asCsv.end(), {"--format", "csv"});
    const CliResult csv = calibrateSmall(folder, asCsv);
    CHECK(csv.exitCode == 0);
    const auto row = test::csvTable(csv.output).at(0);
    CHECK(row.at("mechanism") == "tem");
    CHECK(row.at("metric") == "Euclidean");
    CHECK(row.at("lambda").empty());
    CHECK(row.at("beta") == "0.001");
}

TEST_CASE("TEM does not depend on the number of threads") {
    const test::TemporaryFolder folder;
    Arguments options{"--mechanism", "tem", "--epsilon", "2,8", "--words", "50", "--threads", "1"};
    const json one = withoutCircumstances(calibratedJson(folder, options));
    options.back() = "2";
    CHECK(withoutCircumstances(calibratedJson(folder, options)) == one);
}

TEST_CASE("Words are compared under draws of their own") {
    const test::TemporaryFolder folder;
    const Arguments options{"--epsilon", "2,20", "--lambda",           "0.5", "--words", "all",
                            "--draws",   "20",   "--independent-draws"};
    const json document = calibratedJson(folder, options);
    CHECK(document["run"]["blockSize"] == 1);
    CHECK(document["run"]["independentDraws"] == true);
    for (const json& cell : document["cells"]) {
        CHECK(cell["kw"]["min"].get<double>() >= 1.0);
        CHECK(cell["kw"]["max"].get<double>() <= 60.0);
        CHECK(cell["deniability"].is_null());
    }
    Arguments odds = options;
    odds.insert(odds.end(), {"--deniability", "2", "--quiet"});
    CHECK(calibratedJson(folder, odds)["cells"][0]["deniability"].is_null());
    odds.insert(odds.end(), {"--format", "text"});
    odds.erase(std::find(odds.begin(), odds.end(), "--quiet"));
    CHECK_THAT(calibrateSmall(folder, odds).errors,
               Contains("--deniability: left out, because it needs --draws of at least 1,000"));
    const json sampled =
        calibratedJson(folder, {"--epsilon", "5", "--lambda", "0", "--words", "20", "--draws",
                                "1000", "--independent-draws", "--deniability", "2"});
    CHECK(sampled["cells"][0]["deniability"]["odds"] == 2.0);
    CHECK(sampled["cells"][0]["deniability"]["min"].get<double>() >= 1.0);
    const json exact = calibratedJson(
        folder, {"--mechanism", "tem", "--epsilon", "5", "--words", "5", "--deniability", "2"});
    CHECK(exact["cells"][0]["deniability"]["words"] == 5);
}

TEST_CASE("What cannot be compared is refused") {
    const test::TemporaryFolder folder;
    const auto refuse = [&](const Arguments& options, const std::string& text) {
        const CliResult result = calibrateSmall(folder, options);
        CHECK(result.exitCode == 2);
        CHECK_THAT(result.errors, Contains(text));
    };
    refuse({"--epsilon", "1", "--deniability", "2"}, "needs independent draws");
    refuse({"--epsilon", "1", "--deniability", "0.5"}, "--deniability: 0.5 is below 1");
    refuse({"--epsilon", "1", "--deniability", "much"}, "--deniability");
    const CliResult many = runCli({"calibrate", "sample", "--epsilon", "1", "--lambda", "0",
                                   "--words", "2001", "--independent-draws"});
    CHECK(many.exitCode == 2);
    CHECK_THAT(many.errors, Contains("at most 2,000 words, 2,001 were asked for"));
}
