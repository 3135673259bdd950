#include "core/document/evaluation_comparison.h"

#include <string>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "core/document/evaluation_request.h"
#include "core/document/json_parser.h"
#include "core/report/comparison_report.h"

// References: paired differences and sums of variances worked out by hand; the 97.5% quantile of
// Student's t with two degrees of freedom, 4.302653, from a table; integers in base64 written down
// byte by byte.

using namespace epsilens;
using Catch::Matchers::Contains;
using Catch::Matchers::EndsWith;
using Catch::Matchers::StartsWith;
using document::ComparedFigure;
using document::EvaluationComparison;
using nlohmann::json;

namespace {

json measured(double mean, double half) {
    return {{"mean", mean}, {"ci95", {mean - half, mean + half}}};
}

json valued(const json& repeats) {
    json figure = measured(0.8, 0.1);
    figure["repeats"] = repeats;
    return figure;
}

/// What a run of three repeats on some data was asked for.
json requested() {
    document::EvaluationRequest request;
    request.load.path = "/a.vec";
    request.data.options.path = "/a.csv";
    request.data.fingerprint = {9, std::string(64, 'a')};
    request.options.grid.epsilons = {5.0};
    request.options.repeats = 3;
    return json::parse(document::jsonRequest(request).dump());
}

json evaluation(const json& repeats, double gain, double half, double epsilon = 5.0) {
    const json none = json::object();
    return {{"schema", "epsilens.evaluate/1"},
            {"mechanism", {{"name", "laplace"}}},
            {"embedding", {{"file", "a.vec"}, {"sha256", "ab"}, {"words", 9}}},
            {"data",
             {{"file", "a.csv"},
              {"documents", 100},
              {"tokens", 900},
              {"trainingDocuments", 70},
              {"testDocuments", 30},
              {"ownSplit", false}}},
            {"repeat", requested()},
            {"run",
             {{"seed", 1},
              {"repeats", 3},
              {"margin", 0.01},
              {"testText", "original"},
              {"partial", false}}},
            {"majority", 0.5},
            {"assumptions", none},
            {"original", none},
            {"ceiling", none},
            {"floor", none},
            {"cells",
             {{{"epsilon", epsilon},
               {"lambda", nullptr},
               {"gamma", nullptr},
               {"beta", nullptr},
               {"classify", {{"linear", {{"accuracy", valued(repeats)}}}}},
               {"reconstruct", {{"tokens", 12}, {"gain", measured(gain, half)}}}}}}};
}

Result<EvaluationComparison> compared(const json& first, const json& second) {
    return document::compareEvaluations(document::parseJson(first.dump()).value(),
                                        document::parseJson(second.dump()).value());
}

const ComparedFigure& figureOf(const EvaluationComparison& comparison, const std::string& name) {
    for (const ComparedFigure& figure : comparison.figures) {
        if (figure.figure == name) {
            return figure;
        }
    }
    FAIL("no figure " << name);
    return comparison.figures.front();
}

}  // namespace

TEST_CASE("Repeats that two evaluations share are paired") {
    // Differences 0.1, 0.05, 0.1: mean 0.083333, standard deviation 0.0288675, and random splits
    // with 30 of 70 documents: standard error 0.0288675 sqrt(1/3 + 3/7) = 0.0251976.
    const auto comparison =
        compared(evaluation({0.8, 0.7, 0.9}, 0.3, 0.03), evaluation({0.7, 0.65, 0.8}, 0.1, 0.04))
            .value();
    const ComparedFigure& accuracy = figureOf(comparison, "classify.linear.accuracy");
    CHECK(accuracy.isPaired);
    CHECK(accuracy.difference.difference.mean == Approx(0.0833333).epsilon(1e-5));
    CHECK((*accuracy.difference.difference.ci95)[0] ==
          Approx(0.0833333 - 4.302653 * 0.0251976).epsilon(1e-4));
    // Half widths 0.03 and 0.04 make 0.05.
    const ComparedFigure& gain = figureOf(comparison, "reconstruct.gain");
    CHECK_FALSE(gain.isPaired);
    CHECK((*gain.difference.difference.ci95)[0] == Approx(0.15));
    CHECK((*gain.difference.difference.ci95)[1] == Approx(0.25));
    CHECK(gain.difference.verdict == experiment::Verdict::different);
    const std::string text = report::comparisonText(comparison);
    CHECK_THAT(text, Contains("+0.200 (+0.150 to +0.250)"));
    // What stays unpaired is said once.
    REQUIRE(comparison.remarks.size() == 1);
    CHECK_THAT(comparison.remarks.front(), StartsWith("Not paired") && EndsWith(": reconstruct."));
}

TEST_CASE("Retained shares and membership are paired by repeats") {
    json first = evaluation({0.8, 0.7, 0.9}, 0.3, 0.03);
    json second = evaluation({0.7, 0.65, 0.8}, 0.1, 0.04);
    // Differences 0.1, 0.1, 0.15: mean 0.1166667, standard deviation 0.0288675; membership halves
    // the parts of each repeat, standard error 0.0288675 sqrt(1/3 + 1) = 0.0333333.
    first["cells"][0]["classify"]["linear"]["retained"] = valued({0.6, 0.7, 0.65});
    second["cells"][0]["classify"]["linear"]["retained"] = valued({0.5, 0.6, 0.5});
    first["cells"][0]["membership"]["linear"]["threshold"]["auc"] = valued({0.6, 0.7, 0.65});
    second["cells"][0]["membership"]["linear"]["threshold"]["auc"] = valued({0.5, 0.6, 0.5});
    const auto comparison = compared(first, second).value();
    const ComparedFigure& retained = figureOf(comparison, "classify.linear.retained");
    CHECK(retained.isPaired);
    CHECK((*retained.difference.difference.ci95)[1] ==
          Approx(0.1166667 + 4.302653 * 0.0251976).epsilon(1e-4));
    const ComparedFigure& auc = figureOf(comparison, "membership.linear.threshold.auc");
    CHECK(auc.isPaired);
    CHECK((*auc.difference.difference.ci95)[1] ==
          Approx(0.1166667 + 4.302653 * 0.0333333).epsilon(1e-4));
}

TEST_CASE("With a split of the data set's own the choice of test documents counts") {
    // Of four test documents the first run has 3, 3, 3, 0 right in three repeats, the second
    // 3, 0, 3, 0: two bytes each. Shares differ by 0, 1, 0, 0: variance 0.25, of the mean 0.0625.
    // Beside it that of the repeats, 0.0288675^2 / 3: standard error 0.250555, nearly all of it by
    // the documents, so that Student's t is normal.
    json first = evaluation({0.8, 0.7, 0.9}, 0.3, 0.03);
    json second = evaluation({0.7, 0.65, 0.8}, 0.1, 0.04);
    for (json* run : {&first, &second}) {
        (*run)["data"]["ownSplit"] = true;
        (*run)["cells"][0]["classify"]["linear"]["macroF1"] = valued({0.7, 0.7, 0.8});
    }
    first["cells"][0]["classify"]["linear"]["correct"] = "AwADAAMAAAA=";
    second["cells"][0]["classify"]["linear"]["correct"] = "AwAAAAMAAAA=";
    const auto comparison = compared(first, second).value();
    const ComparedFigure& accuracy = figureOf(comparison, "classify.linear.accuracy");
    CHECK(accuracy.isPaired);
    CHECK((*accuracy.difference.difference.ci95)[0] ==
          Approx(0.0833333 - 1.95998 * 0.250555).epsilon(1e-4));
    // Of other measures nobody knows what the documents contribute without resampled ones. With
    // them differences are 0.10, 0.12 and 0.08, variance 0.0004; one is not there in both.
    CHECK_FALSE(figureOf(comparison, "classify.linear.macroF1").isPaired);
    json resampled = first;
    resampled["cells"][0]["classify"]["linear"]["macroF1"]["resampled"] = {0.7, 0.72, 0.74,
                                                                           nullptr};
    json other = second;
    other["cells"][0]["classify"]["linear"]["macroF1"]["resampled"] = {0.6, 0.6, 0.66, 0.9};
    const auto paired = compared(resampled, other).value();
    const ComparedFigure& macroF1 = figureOf(paired, "classify.linear.macroF1");
    CHECK(macroF1.isPaired);
    CHECK((*macroF1.difference.difference.ci95)[1] == Approx(1.95996 * 0.02).epsilon(1e-4));
    CHECK_THAT(paired.remarks.back(), EndsWith(": reconstruct."));
    CHECK_THAT(comparison.remarks.back(), EndsWith(": macroF1, reconstruct."));
    // Nor of accuracy without them.
    second["cells"][0]["classify"]["linear"].erase("correct");
    CHECK_FALSE(figureOf(compared(first, second).value(), "classify.linear.accuracy").isPaired);
    second["cells"][0]["classify"]["linear"]["correct"] = "A";
    CHECK(compared(first, second).error().code == ErrorCode::badFile);
}

TEST_CASE("Runs are paired by the bytes of their data, seed, repeats and replaced words") {
    const json first = evaluation({0.8, 0.7, 0.9}, 0.3, 0.03);
    const auto remarksWith = [&](const char* pointer, const json& value) {
        json second = first;
        second[json::json_pointer(pointer)] = value;
        const auto comparison = compared(first, second).value();
        CHECK_FALSE(figureOf(comparison, "classify.linear.accuracy").isPaired);
        std::string all;
        for (const std::string& remark : comparison.remarks) {
            all += remark + "\n";
        }
        return all;
    };
    CHECK_THAT(remarksWith("/repeat/data/sha256", std::string(64, 'b')),
               Contains("The runs differ in the bytes of the data set, so nothing is paired"));
    CHECK_THAT(remarksWith("/data/columns", "text: column 2; label: column 1"),
               Contains("the columns or parts of the data set"));
    CHECK_THAT(remarksWith("/repeat/options/repeats", 5),
               Contains("differ in the number of repeats") &&
                   Contains("--repeats: 3 in the first run, 5 in the second."));
    CHECK_THAT(remarksWith("/repeat/options/unknown", "drop"),
               Contains("differ in which words are replaced, and how") &&
                   Contains("--unknown: mask in the first run, drop in the second."));
    CHECK_THAT(
        remarksWith("/repeat/stopWords", {{"path", "/stop.txt"}, {"sha256", std::string(64, 'c')}}),
        Contains("--stop-words: none in the first run, SHA-256 cccccccccccc… in the second"));
    CHECK_THAT(remarksWith("/repeat", nullptr),
               Contains("The second run does not say what was asked for, so nothing is paired"));
}

TEST_CASE("Every option that differs is said, and places are none") {
    const json first = evaluation({0.8, 0.7, 0.9}, 0.3, 0.03);
    json second = first;
    second["repeat"]["data"]["path"] = "/elsewhere/a.csv";
    second["repeat"]["load"]["path"] = "/elsewhere/a.vec";
    second["repeat"]["options"]["epsilons"] = {5.0, 6.0};
    CHECK(compared(first, second).value().remarks.size() == 1);
    second["repeat"]["options"]["perturbTest"] = true;
    second["repeat"]["options"]["tasks"] = {"classify", "audit"};
    second["repeat"]["match"] = "attack.best=20%";
    const auto comparison = compared(first, second).value();
    CHECK(figureOf(comparison, "classify.linear.accuracy").isPaired);
    const std::string text = report::comparisonText(comparison);
    CHECK_THAT(text,
               Contains("--test-text: original in the first run, perturbed in the second.") &&
                   Contains("--task: classify in the first run, classify,audit in the second.") &&
                   Contains("--match: none in the first run, attack.best=20% in the second."));
}

TEST_CASE("Attackers who know probabilities are not compared with those who learn in silence") {
    json first = evaluation({0.8, 0.7, 0.9}, 0.3, 0.03);
    json second = first;
    first["run"]["tasks"] = {"classify", "reconstruct"};
    first["run"]["attack"]["channel"] = "exact";
    second["run"] = first["run"];
    CHECK_THAT(report::comparisonText(compared(first, second).value()),
               !Contains("run know the probabilities"));
    second["run"]["attack"]["channel"] = "sampled";
    CHECK_THAT(report::comparisonText(compared(first, second).value()),
               Contains("The attackers of the first run know the probabilities"));
    CHECK_THAT(report::comparisonText(compared(second, first).value()),
               Contains("The attackers of the second run know the probabilities"));
    second["run"]["tasks"] = {"classify"};
    CHECK_THAT(report::comparisonText(compared(first, second).value()),
               !Contains("run know the probabilities"));
}

TEST_CASE("Other seeds, other settings and other mechanisms are said") {
    const json first = evaluation({0.8, 0.7}, 0.3, 0.03);
    json second = evaluation({0.8, 0.7}, 0.3, 0.03, 7.0);
    second["repeat"]["options"]["seed"] = 2;
    second["mechanism"]["name"] = "tem";
    second["cells"][0]["gamma"] = 31.906336470302602;
    const auto comparison = compared(first, second).value();
    CHECK_FALSE(figureOf(comparison, "classify.linear.accuracy").isPaired);
    CHECK(figureOf(comparison, "reconstruct.gain").other == "ε 7, γ 31.906336470302602");
    const std::string text = report::comparisonText(comparison);
    CHECK_THAT(text, Contains("nothing is paired") && Contains("not an equal guarantee") &&
                         Contains("in their order") && Contains("ε 5 | ε 7, γ 31.91 ") &&
                         !Contains("31.906"));
    CHECK(json::parse(document::comparisonJson(comparison))["figures"].size() == 2);
}

TEST_CASE("What is no evaluation, or shares nothing, is refused") {
    const json first = evaluation({0.8, 0.7}, 0.3, 0.03);
    CHECK(compared(first, {{"schema", "epsilens.calibration/1"}}).error().code ==
          ErrorCode::badFile);
    json damaged = first;
    damaged["assumptions"] = 3;
    CHECK(compared(first, damaged).error().code == ErrorCode::badFile);
    json other = first;
    other["cells"] = json::array();
    CHECK_THAT(compared(first, other).error().message, Contains("no measured figure in common"));
}
