#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/support/csv_table.h"
#include "tests/support/made_up_embedding.h"
#include "tests/support/run_cli.h"

using namespace epsilens;
using test::CliResult;
using test::runCli;
using Arguments = std::vector<std::string>;
using Catch::Matchers::Contains;
using Catch::Matchers::Matches;
using nlohmann::json;

namespace {

/// `recommend` on 60 words of 4 dimensions.
CliResult recommendSmall(const test::TemporaryFolder& folder, const Arguments& options) {
    Arguments arguments{"recommend", folder.file("small.txt", test::madeUpGlove(60, 4, 1))};
    arguments.insert(arguments.end(), options.begin(), options.end());
    return runCli(arguments);
}

json recommendedJson(const test::TemporaryFolder& folder, Arguments options, int exitCode = 0) {
    options.insert(options.end(), {"--format", "json"});
    const CliResult result = recommendSmall(folder, options);
    INFO(result.errors);
    REQUIRE(result.exitCode == exitCode);
    return json::parse(result.output);
}

}  // namespace

TEST_CASE("recommend writes a setting per lambda, and the best of them") {
    const test::TemporaryFolder folder;
    const json document =
        recommendedJson(folder, {"--lambda", "0,0.5,1", "--words", "all", "--limit", "nw.p95<=50%",
                                 "--limit", "sw.p5>=10", "--objective", "cosine"});
    CHECK(document["schema"] == "epsilens.recommendation/1");
    CHECK(document["limits"] == json({"nw.p95<=50%", "sw.p5>=10"}));
    CHECK(document["objective"] == "cosine");
    CHECK(document["run"]["words"] == 60);
    REQUIRE(document["settings"].size() == 3);
    double best = -1.0;
    for (const json& setting : document["settings"]) {
        CHECK(setting["epsilon"].get<double>() > 0.0);
        CHECK(setting["cell"]["epsilon"] == setting["epsilon"]);
        CHECK(setting["cell"]["nw"]["p95"].get<double>() <= 50.0);
        CHECK(setting["cell"]["sw"]["p5"].get<double>() >= 10.0);
        CHECK(setting["above"].get<double>() >= setting["epsilon"].get<double>());
        CHECK(setting["binding"]["met"] == false);
        CHECK(setting["checks"].size() == 2);
        CHECK(setting["fresh"]["seed"] == 2);
        CHECK(setting["guarantee"]["epsilon"] == setting["epsilon"]);
        best = std::max(best, setting["cell"]["meanCosine"].get<double>());
    }
    const auto index = document["best"].get<std::size_t>();
    CHECK(document["settings"][index]["cell"]["meanCosine"] == best);
    CHECK_FALSE(document.contains("error"));
}

TEST_CASE("What recommend finds is what calibrate measures there") {
    const test::TemporaryFolder folder;
    const json found = recommendedJson(
        folder, {"--lambda", "0.5", "--words", "25", "--limit", "nw.mean<=40%", "--seed", "7"});
    const std::string epsilon = found["settings"][0]["epsilon"].dump();
    const CliResult run =
        runCli({"calibrate", folder.path("small.txt"), "--lambda", "0.5", "--words", "25",
                "--epsilon", epsilon, "--seed", "7", "--format", "json", "--quiet"});
    REQUIRE(run.exitCode == 0);
    json cell = json::parse(run.output)["cells"][0];
    cell.erase("worstWords");
    CHECK(cell == found["settings"][0]["cell"]);
    CHECK(cell["nw"]["mean"].get<double>() <= 40.0);
}

TEST_CASE("recommend fails with 3 when no epsilon meets the limits and says by how much") {
    const test::TemporaryFolder folder;
    const Arguments options{"--lambda",     "0",       "--words",    "20", "--limit",
                            "nw.mean<=60%", "--limit", "sw.mean>=70"};
    const CliResult text = recommendSmall(folder, options);
    CHECK(text.exitCode == 3);
    CHECK_THAT(text.errors, Contains("error: no ε meets all limits; nearest at λ = 0, ε = ") &&
                                Contains("S_w, mean: at least 70; is ") &&
                                Contains("beyond the limit by"));
    CHECK_THAT(text.output, Contains("none") && Contains("S_w, mean: at least 70"));
    const json document = recommendedJson(folder, options, 3);
    CHECK(document["error"]["code"] == "limitsNotMet");
    CHECK(document["error"]["exit"] == 3);
    CHECK(document["best"].is_null());
    CHECK(document["settings"][0]["epsilon"].is_null());
    CHECK(document["settings"][0]["binding"]["limit"] == "sw.mean>=70");
    CHECK(document["settings"][0]["binding"]["margin"].get<double>() < 0.0);
}

TEST_CASE("Without options recommend uses the limits of the window and says so") {
    const test::TemporaryFolder folder;
    const CliResult result = recommendSmall(folder, {"--words", "30", "--draws", "200"});
    CHECK(result.exitCode == 0);
    CHECK_THAT(result.errors, Contains("no --limit given: using nw.p95<=50%, sw.p5>=20") &&
                                  Contains("no --lambda given"));
    CHECK_THAT(result.output, Contains("Recommended: ε = ") &&
                                  Contains("N_w, 95th percentile: at most 50%") &&
                                  Contains("just above") && Contains("Equal ε across λ"));
}

TEST_CASE("recommend runs every mechanism and writes CSV") {
    const test::TemporaryFolder folder;
    const Arguments common{"--words", "20", "--draws", "40", "--limit", "nw.mean<=50%"};
    const auto with = [&](Arguments options) {
        options.insert(options.end(), common.begin(), common.end());
        return options;
    };
    const json laplace = recommendedJson(folder, with({"--mechanism", "laplace"}));
    CHECK(laplace["settings"][0]["lambda"].is_null());
    const json tem = recommendedJson(folder, with({"--mechanism", "tem", "--gamma", "1,3"}));
    CHECK(tem["settings"].size() == 2);
    CHECK(tem["settings"][1]["gamma"] == 3.0);
    CHECK(tem["settings"][0]["fresh"].is_null());
    // Every epsilon keeps some words, so that the largest one meets the limit.
    const CliResult hyperbolic =
        runCli({"recommend", "sample-poincare", "--mechanism", "hyperbolic", "--words", "20",
                "--draws", "40", "--limit", "nw.mean>=1%", "--format", "csv"});
    CHECK(hyperbolic.exitCode == 0);
    const auto row = test::csvTable(hyperbolic.output).at(0);
    CHECK(row.at("mechanism") == "hyperbolic");
    CHECK(row.at("lambda").empty());
    CHECK(row.at("checks.1.limit") == "nw.mean>=1%");
    CHECK(row.at("checks.1.met") == "true");
    CHECK_FALSE(row.at("fresh.checks.1.value").empty());
}

TEST_CASE("A limit on the largest N_w counts the worst words again") {
    const test::TemporaryFolder folder;
    const Arguments options{"--lambda", "0", "--words", "30", "--limit", "nw.max<=80%"};
    const json document = recommendedJson(folder, options);
    CHECK(document["settings"][0]["cell"]["worst"]["draws"] == 10000);
    CHECK_THAT(
        recommendSmall(folder, options).output,
        Contains("it says nothing about the other words") && Contains("of 10,000 fresh draws"));
}

TEST_CASE("recommend --match finds where each setting has a value") {
    const test::TemporaryFolder folder;
    const Arguments options{"--lambda", "0,0.5", "--words", "all", "--match", "nw.max=30%"};
    const json document = recommendedJson(folder, options);
    CHECK(document["match"] == "nw.max=30%");
    REQUIRE(document["settings"].size() == 2);
    for (const json& setting : document["settings"]) {
        CHECK(setting["cell"]["nw"]["max"] == 30);
        CHECK(setting["binding"]["value"].get<double>() > 30.0);
    }
    CHECK_THAT(recommendSmall(folder, options).output, Contains("Matched: nw.max=30%\n---") &&
                                                           Contains("30.0%") &&
                                                           Contains("Best at this value: ε = "));
    Arguments within = options;
    within.insert(within.end(), {"--epsilon", "1e-4,2e-4"});
    const CliResult none = recommendSmall(folder, within);
    CHECK(none.exitCode == 3);
    CHECK_THAT(none.errors, Contains("no ε found at which a setting has the value nw.max=30%"));
}

TEST_CASE("recommend takes limits on attackers and classifiers of labelled texts") {
    const test::TemporaryFolder folder;
    std::string csv = "text,label\n";
    for (int i = 0; i < 80; ++i) {
        const int word = i % 2 == 0 ? 1 + i % 5 : 30 + i % 5;
        csv += fmt::format("w{0} w{0} w{1},{2}\n", word, i % 7 + 10, i % 2 == 0 ? "a" : "b");
    }
    const std::string data = folder.file("texts.csv", csv);
    Arguments options{
        "--mechanism", "laplace", "--data",           data,      "--epsilon",
        "0.05..200x2", "--limit", "attack.best<=70%", "--limit", "classify.linear.accuracy>=60%",
        "--repeats",   "3"};
    const json document = recommendedJson(folder, options);
    CHECK(document["limits"] == json({"attack.best<=70%", "classify.linear.accuracy>=60%"}));
    const json& setting = document["settings"][0];
    const json& checks = setting["figures"]["checks"];
    REQUIRE(checks.size() == 2);
    CHECK(checks[0]["ci95"][1].get<double>() <= 0.7);
    CHECK(checks[1]["ci95"][0].get<double>() >= 0.6);
    CHECK(setting["figures"]["searched"]["from"] == 0.05);
    CHECK(setting["cell"]["epsilon"] == setting["epsilon"]);
    const CliResult text = recommendSmall(folder, options);
    CHECK_THAT(text.output, Contains("with its whole interval") &&
                                Contains("texts were measured at") &&
                                Contains("success of the best attacker: at most 70%  "));
    options.insert(options.end(), {"--format", "csv"});
    const auto row = test::csvTable(recommendSmall(folder, options).output).at(0);
    CHECK(row.at("figures.checks.1.limit") == "attack.best<=70%");
    CHECK_FALSE(row.at("figures.checks.1.ci95High").empty());

    const json matched =
        recommendedJson(folder, {"--mechanism", "laplace", "--data", data, "--epsilon",
                                 "0.05..200x2", "--match", "attack.best=70%"});
    CHECK(matched["match"] == "attack.best=70%");
    const json& found = matched["settings"][0]["figures"];
    CHECK(found["checks"][0]["value"].get<double>() <= 0.7);
    CHECK(found["binding"]["value"].get<double>() > 0.7);

    Arguments hard{"--mechanism", "laplace",
                   "--data",      data,
                   "--epsilon",   "0.05,1",
                   "--limit",     "attack.gain<=0.1%",
                   "--limit",     "classify.linear.accuracy>=100%"};
    const CliResult missed = recommendSmall(folder, hard);
    CHECK(missed.exitCode == 3);
    CHECK_THAT(missed.errors, Contains("beyond the limit by"));
}

TEST_CASE("recommend refuses what is wrong with an exit code of 2") {
    const test::TemporaryFolder folder;
    const auto refuse = [&](const Arguments& options, const std::string& text) {
        const CliResult result = recommendSmall(folder, options);
        CAPTURE(result.errors);
        CHECK(result.exitCode == 2);
        CHECK_THAT(result.errors, Contains(text));
        CHECK(result.output.empty());
    };
    refuse({"--limit", "nw.p95"}, "--limit: limit \"nw.p95\"");
    refuse({"--limit", "nw.p33<=5"}, "allowed after nw.");
    refuse({"--limit", "sw.p5>=20", "--objective", "speed"}, "--objective: ");
    refuse({"--limit", "kw.min>=2"}, "K_w needs independent draws");
    refuse({"--epsilon", "5"}, "a smallest and a largest");
    refuse({"--words", "0"}, "--words");
    refuse({"--match", "nw.max<=30%"}, "--match: limit");
    refuse({"--match", "attack.best=30%"}, "need labelled texts");
    refuse({"--match", "attack.best<=30%"}, "attack.best=20%");
    refuse({"--match", "nw.max=30%", "--limit", "nw.max<=30%"}, "cannot be combined");
    refuse({"--limit", "attack.gain<=5%"}, "--data FILE");
    refuse({"--limit", "attack.gain>=5%"}, "write it with <=");
    refuse({"--limit", "nw.max<=30%", "--repeats", "3"}, "needs a --limit or --match on attack");
    refuse({"--mechanism", "tem", "--metric", "mahalanobis", "--lambda", "0,1"},
           "cannot be compared");
}
