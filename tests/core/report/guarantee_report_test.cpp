#include "core/report/guarantee_report.h"

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "core/mechanism/guarantee.h"
#include "tests/core/report/example_calibration.h"

using namespace epsilens;
using Catch::Matchers::Contains;
using nlohmann::ordered_json;

namespace {

/// Vectors (0,0), (3,4), (3,0), (0,0); the metric's distance is twice the Euclidean one.
RowMatrixF vectors() {
    RowMatrixF rows(4, 2);
    rows << 0, 0, 3, 4, 3, 0, 0, 0;
    return rows;
}

mechanism::GuaranteedSetting settingWith(double bound, std::optional<double> cap) {
    mechanism::GuaranteedSetting setting;
    setting.guarantee.epsilon = 0.5;
    setting.guarantee.lambda = 0.25;
    setting.guarantee.metric = mechanism::Metric::mahalanobis;
    setting.guarantee.bound = bound;
    setting.guarantee.cap = cap;
    setting.guarantee.statement = "ε·‖·‖_RM";
    setting.guarantee.euclidean = {0.125, 1.5};
    setting.distance = [](embedding::Row first, embedding::Row second) {
        return 2.0 * static_cast<double>((vectors().row(first) - vectors().row(second)).norm());
    };
    return setting;
}

report::GuaranteeReport reportWith(const mechanism::GuaranteedSetting& setting) {
    report::GuaranteeReport report;
    report.provenance = test::exampleProvenance();
    report.mechanism = mechanism::Mahalanobis{};
    report.odds = 2.0;
    report.entries.push_back(
        report::describeGuarantee(setting, vectors(), {{0, 1}, {0, 3}}, 2.0).value());
    return report;
}

}  // namespace

TEST_CASE("An entry holds distances and losses") {
    const auto entry = reportWith(settingWith(0.5, std::nullopt)).entries.front();
    REQUIRE(entry.pairs.size() == 2);
    CHECK(entry.pairs[0].euclidean == 5.0);
    CHECK(entry.pairs[0].distance == 10.0);
    CHECK(entry.pairs[0].loss == 5.0);
    CHECK(entry.pairs[1].loss == 0.0);
    CHECK(entry.radius == Approx(2.0 * std::log(2.0)).epsilon(1e-15));
    CHECK(reportWith(settingWith(0.5, 3.0)).entries.front().pairs[0].loss == 3.0);
    CHECK_FALSE(report::describeGuarantee(settingWith(0.5, std::nullopt), vectors(), {}, 1.0));
}

TEST_CASE("The guarantee document has fixed keys and unrounded odds") {
    const auto report = reportWith(settingWith(0.5, std::nullopt));
    const ordered_json json = report::guaranteeJson(report, test::exampleVocabulary());
    std::vector<std::string> keys;
    for (const auto& [key, value] : json.items()) {
        keys.push_back(key);
    }
    CHECK(keys == std::vector<std::string>{"schema", "version", "embedding", "mechanism",
                                           "guarantees", "notCovered"});
    CHECK(json["schema"] == "epsilens.guarantee/1");
    const ordered_json& entry = json["guarantees"][0];
    CHECK(entry["epsilon"] == 0.5);
    CHECK(entry["lambda"] == 0.25);
    CHECK(entry["bound"] == 0.5);
    CHECK(entry["cap"].is_null());
    CHECK(entry["euclidean"] == ordered_json({0.125, 1.5}));
    CHECK(entry["radius"]["odds"] == 2.0);
    CHECK(entry["pairs"][0]["first"] == "plain");
    CHECK(entry["pairs"][0]["second"] == "a,b");
    CHECK(entry["pairs"][0]["euclideanDistance"] == 5.0);
    CHECK(entry["pairs"][0]["odds"].get<double>() == std::exp(5.0));
    CHECK(json["notCovered"].size() == mechanism::notCovered().size());
}

TEST_CASE("The guarantee text tells odds up to a million and what is not covered") {
    const std::string text = report::guaranteeText(reportWith(settingWith(0.5, std::nullopt)),
                                                   test::exampleVocabulary());
    CHECK_THAT(text, Contains("mahalanobis, ε = 0.5, λ = 0.25: ε·‖·‖_RM\n"));
    CHECK_THAT(text, Contains("×149"));  // e^5 = 148.41, and bounds are rounded up
    CHECK_THAT(report::guaranteeText(reportWith(settingWith(2.0, std::nullopt)),
                                     test::exampleVocabulary()),
               Contains("no useful bound"));  // e^20
    CHECK_THAT(text, Contains("at most 1.500 times the Euclidean distance (a guarantee)"));
    CHECK_THAT(text, Contains("within distance 1.386 change by at most ×2.000"));
    CHECK_THAT(text, Contains("Not covered: the number of words"));
    // A pair at epsilon 1 and distance 5.1: e^5.1 = 164.02.
    auto setting = settingWith(1.0, std::nullopt);
    setting.distance = [](embedding::Row, embedding::Row) { return 5.1; };
    CHECK_THAT(report::guaranteeText(reportWith(setting), test::exampleVocabulary()),
               Contains("×165 ") || Contains("×165\n"));
    CHECK_THAT(report::guaranteeText(reportWith(settingWith(0.5, 0.25)), test::exampleVocabulary()),
               Contains("The odds of any two words change by at most ×1.29."));  // e^0.25 = 1.2840
}

// Truncation at radius 0 leaves every word equally likely.
TEST_CASE("A cap is told as odds") {
    const auto textWith = [](double cap) {
        return report::guaranteeText(reportWith(settingWith(0.5, cap)), test::exampleVocabulary());
    };
    CHECK_THAT(textWith(0.0), Contains("The odds of any two words change by at most ×1.00.") &&
                                  !Contains("within distance"));
    // e^3 = 20.0855, rounded up.
    CHECK_THAT(textWith(3.0), Contains("within distance 1.386 change by at most ×2.000") &&
                                  Contains("The odds of any two words change by at most ×20.1."));
    CHECK_THAT(textWith(39.6), Contains("change by at most e^39.60: no useful bound."));
    const auto report = reportWith(settingWith(0.5, 3.0));
    const ordered_json json = report::guaranteeJson(report, test::exampleVocabulary());
    CHECK(json["guarantees"][0]["capOdds"].get<double>() == std::exp(3.0));
    const auto without = reportWith(settingWith(0.5, std::nullopt));
    CHECK(report::guaranteeJson(without, test::exampleVocabulary())["guarantees"][0]["capOdds"]
              .is_null());
}

TEST_CASE("Every bound of the guarantee text is rounded to its safe side") {
    auto setting = settingWith(0.5, std::nullopt);
    setting.guarantee.euclidean = {0.12349, 1.50001};
    setting.distance = [](embedding::Row, embedding::Row) { return 2.00002; };
    report::GuaranteeReport report = reportWith(setting);
    report.odds = 3.00001;
    report.entries.front().radius = 2.1972312;
    const std::string text = report::guaranteeText(report, test::exampleVocabulary());
    CHECK_THAT(text, Contains("1.001") && Contains("×2.72"));  // loss 1.00001, e^1.00001 = 2.71831
    CHECK_THAT(text, Contains("at most 1.501 times") && Contains("less than 0.1234 times"));
    CHECK_THAT(text, Contains("within distance 2.197 change by at most ×3.001"));
    setting.guarantee.cap = 20.001;
    CHECK_THAT(report::guaranteeText(reportWith(setting), test::exampleVocabulary()),
               Contains("at most e^20.01"));
}
