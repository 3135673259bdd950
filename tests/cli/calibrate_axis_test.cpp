#include <algorithm>
#include <string>
#include <vector>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/cli/calibrate_runs.h"
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

TEST_CASE("calibrate --epsilon all gives at every point what a list of the points gives") {
    const test::TemporaryFolder folder;
    const json all = calibratedJson(
        folder, {"--epsilon", "all", "--points", "30", "--lambda", "0,0.5", "--draws", "20"});
    const std::vector<double> points = epsilonsOf(all);
    REQUIRE(points.size() == 30);
    CHECK(all["repeat"]["epsilonAxis"] == true);
    std::string list;
    for (const double point : points) {
        list += (list.empty() ? "" : ",") + json(point).dump();
    }
    json listed = calibratedJson(folder, {"--epsilon", list, "--lambda", "0,0.5", "--draws", "20"});
    CHECK_FALSE(listed["repeat"].contains("epsilonAxis"));
    listed["repeat"]["epsilonAxis"] = true;
    CHECK(withoutCircumstances(listed) == withoutCircumstances(all));
}

TEST_CASE("calibrate --epsilon all states its memory and shows a few of its points") {
    const test::TemporaryFolder folder;
    const Arguments options{"--epsilon", "all", "--mechanism", "laplace", "--draws", "20"};
    const CliResult result = calibrateSmall(folder, options);
    REQUIRE(result.exitCode == 0);
    CHECK_THAT(result.errors, Contains("--epsilon all: 200 points from "));
    CHECK_THAT(result.output, Contains("Measured at 200 points of the axis of ε from ") &&
                                  Contains("tables show 9 of them"));
    CHECK(std::count(result.output.begin(), result.output.end(), '\n') < 60);
    // CSV has all of them, one a line, behind the titles.
    Arguments csv = options;
    csv.insert(csv.end(), {"--format", "csv"});
    const std::string table = calibrateSmall(folder, csv).output;
    CHECK(std::count(table.begin(), table.end(), '\n') == 201);
}

TEST_CASE("A run over the whole axis is verified, and its report shows a few of its points") {
    const test::TemporaryFolder folder;
    const std::string file = folder.path("run.json");
    REQUIRE(calibrateSmall(folder, {"--epsilon", "all", "--points", "40", "--lambda", "0,1",
                                    "--draws", "20", "--format", "json", "-o", file})
                .exitCode == 0);
    const CliResult verified = runCli({"verify", "--from", file, smallFile(folder)});
    CHECK(verified.exitCode == 0);
    CHECK_THAT(verified.output, Contains("every value is the same"));
    const CliResult report = runCli({"report", "--from", file, "--limit", "nw.mean<=15"});
    INFO(report.errors);
    REQUIRE(report.exitCode == 0);
    CHECK_THAT(report.output, Contains("Measured at 40 points of the axis of ε"));
    CHECK_THAT(report.output, Contains("--epsilon all --points 40"));
    // The largest of all points that meets the limit is chosen, and stands in the tables.
    double largest = 0.0;
    const json document = json::parse(test::contentOf(file));
    for (const json& cell : document["cells"]) {
        if (cell["nw"]["mean"].get<double>() <= 15.0) {
            largest = std::max(largest, cell["epsilon"].get<double>());
        }
    }
    CHECK_THAT(report.output, Contains("Over the words, at ε = " + json(largest).dump()));
    CHECK_THAT(report.output, Contains("80 settings of one mechanism (40 ε × 2 λ)"));
}

TEST_CASE("calibrate --epsilon all is refused where outputs are not known between epsilons") {
    const std::string why =
        " cannot be measured at all epsilons: only the outputs of laplace, mahalanobis and "
        "hyperbolic noise are known between two epsilons; give a list of epsilons\n";
    CHECK(runCli({"calibrate", "--epsilon", "all", "--mechanism", "tem"}).errors ==
          "error: --epsilon all: tem" + why);
    CHECK(runCli({"calibrate", "--points", "9"}).errors ==
          "error: --points: needs --epsilon all\n");
    CHECK(runCli({"calibrate", "--epsilon", "all", "--points", "1"}).exitCode != 0);
    CHECK_THAT(runCli({"recommend", "--epsilon", "all", "--limit", "nw.mean<=15"}).errors,
               Contains("\"all\" is not a number"));
}
