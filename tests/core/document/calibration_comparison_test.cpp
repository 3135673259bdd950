#include "core/document/calibration_comparison.h"

#include <string>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "core/document/calibration_document.h"
#include "core/document/json_parser.h"
#include "core/report/comparison_report.h"
#include "tests/core/report/example_calibration.h"
#include "tests/core/report/example_report.h"

// References: differences and sums of variances of numbers written down here, worked out by hand.

using namespace epsilens;
using Catch::Matchers::Contains;
using document::ComparedFigure;
using document::EvaluationComparison;
using nlohmann::json;

namespace {

json mahalanobis() {
    return json::parse(document::calibrationJson(test::exampleRun(test::exampleMahalanobis())));
}

Result<EvaluationComparison> compared(const json& first, const json& second) {
    return document::compareResults(document::parseJson(first.dump()).value(),
                                    document::parseJson(second.dump()).value());
}

const ComparedFigure* figureOf(const EvaluationComparison& comparison, const std::string& name) {
    for (const ComparedFigure& figure : comparison.figures) {
        if (figure.figure == name) {
            return &figure;
        }
    }
    return nullptr;
}

std::string remarksOf(const EvaluationComparison& comparison) {
    std::string all;
    for (const std::string& remark : comparison.remarks) {
        all += remark + "\n";
    }
    return all;
}

}  // namespace

TEST_CASE("Two calibrations stand beside each other") {
    json first = mahalanobis();
    json second = first;
    second["run"]["seed"] = first["run"]["seed"].get<int>() + 1;
    first["cells"][0]["nw"]["mean"] = 2.5;
    first["cells"][0]["nw"]["ci95"] = {2.2, 2.8};
    second["cells"][0]["nw"]["mean"] = 2.0;
    second["cells"][0]["nw"]["ci95"] = {1.6, 2.4};
    first["cells"][0]["meanDistance"] = 3.25;
    second["cells"][0]["meanDistance"] = 3.0;
    first["cells"][0]["kept"] = 0.5;
    second["cells"][0]["kept"] = 0.25;
    const auto comparison = compared(first, second).value();
    // Half widths 0.3 and 0.4 make 0.5.
    const ComparedFigure* nw = figureOf(comparison, "nw.mean");
    REQUIRE(nw != nullptr);
    CHECK(nw->difference.difference.mean == Approx(0.5));
    CHECK((*nw->difference.difference.ci95)[0] == Approx(0.0).margin(1e-12));
    CHECK((*nw->difference.difference.ci95)[1] == Approx(1.0));
    const ComparedFigure* distance = figureOf(comparison, "meanDistance");
    REQUIRE(distance != nullptr);
    CHECK(distance->difference.difference.mean == Approx(0.25));
    CHECK_FALSE(distance->difference.difference.ci95);
    CHECK(figureOf(comparison, "kept")->difference.difference.mean == Approx(0.25));
    for (const char* name : {"sw.mean", "near", "far", "meanCosine", "minEntropy.mean",
                             "shannonEntropy.mean", "hartleyEntropy.mean"}) {
        CAPTURE(name);
        CHECK(figureOf(comparison, name) != nullptr);
    }
    CHECK(comparison.remarks.empty());
    const std::string text = report::comparisonText(comparison);
    CHECK_THAT(text, Contains("ε 1, λ 0.5") && Contains("nw.mean") && !Contains("verdict") &&
                         !Contains("Holm"));
    const json written = json::parse(document::comparisonJson(comparison));
    CHECK(written["schema"] == "epsilens.comparison/1");
    CHECK(written["margin"].is_null());
    CHECK(written["figures"][0]["verdict"].is_null());
    CHECK(written["figures"][0]["paired"] == false);
    CHECK_THAT(report::comparisonCsv(comparison), Contains("nw.mean,2.5,2,0.5,"));
}

TEST_CASE("What two calibrations share, and in what they differ, is said") {
    const json first = mahalanobis();
    CHECK_THAT(remarksOf(compared(first, first).value()),
               Contains("draws of the same seed") && Contains("too wide"));
    json second = first;
    second["embedding"]["sha256"] = std::string(64, 'b');
    CHECK_THAT(remarksOf(compared(first, second).value()), Contains("different embeddings") &&
                                                               Contains("different words") &&
                                                               !Contains("same seed"));
    second = first;
    second["run"]["draws"] = 9;
    CHECK_THAT(remarksOf(compared(first, second).value()),
               Contains("counts of 4 draws in the first run, of 9 in the second"));
    // As many words of the same vocabulary, but other ones.
    second = first;
    second["repeat"]["words"] = {{"kind", "list"}, {"rows", {0, 1, 5}}};
    CHECK_THAT(remarksOf(compared(first, second).value()),
               Contains("different words") && !Contains("same seed"));
    second = first;
    second["run"]["partial"] = true;
    CHECK_THAT(remarksOf(compared(first, second).value()), Contains("A run is partial."));
    const json tem =
        json::parse(document::calibrationJson(test::exampleRun(test::exampleTemByBeta())));
    second = tem;
    second["cells"].erase(1);
    second["guarantee"].erase(1);
    const auto shorter = compared(tem, second);
    REQUIRE(shorter);
    CHECK_THAT(remarksOf(*shorter), Contains("settings are in both runs; the first has"));
    const auto mixed = compared(first, tem);
    if (mixed) {
        CHECK_THAT(remarksOf(*mixed), Contains("different mechanisms") && Contains("exact"));
    } else {
        CHECK_THAT(mixed.error().message, Contains("no setting in common"));
    }
}

TEST_CASE("Results of different kinds are not compared") {
    const json evaluation{{"schema", "epsilens.evaluate/1"}};
    CHECK(compared(mahalanobis(), evaluation).error().code == ErrorCode::badFile);
    CHECK(compared({{"schema", "epsilens.session/1"}}, {{"schema", "epsilens.session/1"}})
              .error()
              .code == ErrorCode::badFile);
    json damaged = mahalanobis();
    damaged["cells"][0]["kept"] = 3;
    CHECK(compared(mahalanobis(), damaged).error().code == ErrorCode::badFile);
}
