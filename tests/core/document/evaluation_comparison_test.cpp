#include "core/document/evaluation_comparison.h"

#include <string>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "core/document/json_parser.h"
#include "core/report/comparison_report.h"

// References: paired differences and sums of variances worked out by hand; the 97.5% quantile of
// Student's t with two degrees of freedom, 4.302653, from a table.

using namespace epsilens;
using Catch::Matchers::Contains;
using document::ComparedFigure;
using document::EvaluationComparison;
using nlohmann::json;

namespace {

json measured(double mean, double half) {
    return {{"mean", mean}, {"ci95", {mean - half, mean + half}}};
}

json evaluation(const json& repeats, double gain, double half, double epsilon = 5.0) {
    json accuracy = measured(0.8, 0.1);
    accuracy["repeats"] = repeats;
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
              {"ownSplit", true}}},
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
               {"classify", {{"linear", {{"accuracy", accuracy}}}}},
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
    // Differences 0.1, 0.05, 0.1: mean 0.083333, standard error 0.028868 / sqrt(3).
    const auto comparison =
        compared(evaluation({0.8, 0.7, 0.9}, 0.3, 0.03), evaluation({0.7, 0.65, 0.8}, 0.1, 0.04))
            .value();
    const ComparedFigure& accuracy = figureOf(comparison, "classify.linear.accuracy");
    CHECK(accuracy.isPaired);
    CHECK(accuracy.difference.difference.mean == Approx(0.0833333).epsilon(1e-5));
    CHECK((*accuracy.difference.difference.ci95)[0] ==
          Approx(0.0833333 - 4.302653 * 0.0166667).epsilon(1e-4));
    // Half widths 0.03 and 0.04 make 0.05.
    const ComparedFigure& gain = figureOf(comparison, "reconstruct.gain");
    CHECK_FALSE(gain.isPaired);
    CHECK((*gain.difference.difference.ci95)[0] == Approx(0.15));
    CHECK((*gain.difference.difference.ci95)[1] == Approx(0.25));
    CHECK(gain.difference.verdict == experiment::Verdict::different);
    CHECK(comparison.remarks.empty());
    CHECK_THAT(report::comparisonText(comparison), Contains("+0.200 (+0.150 to +0.250)"));
}

TEST_CASE("Other seeds, other settings and other mechanisms are said") {
    const json first = evaluation({0.8, 0.7}, 0.3, 0.03);
    json second = evaluation({0.8, 0.7}, 0.3, 0.03, 7.0);
    second["run"]["seed"] = 2;
    second["mechanism"]["name"] = "tem";
    const auto comparison = compared(first, second).value();
    CHECK_FALSE(figureOf(comparison, "classify.linear.accuracy").isPaired);
    CHECK(figureOf(comparison, "reconstruct.gain").other == "ε 7");
    const std::string text = report::comparisonText(comparison);
    CHECK_THAT(text, Contains("nothing is paired") && Contains("not an equal guarantee") &&
                         Contains("in their order") && Contains("ε 5 | ε 7"));
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
