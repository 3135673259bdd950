#include "core/report/guarantee_report.h"

#include <string>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/core/report/example_calibration.h"
#include "tests/core/report/report_text.h"

using namespace epsilens;
using Catch::Matchers::Contains;

namespace {

/// Vectors (0,0), (3,4), (3,0), (0,0); the metric's distance is twice the Euclidean one.
embedding::Embedding words() {
    embedding::Embedding words;
    words.vocabulary = test::exampleVocabulary();
    words.vectors = RowMatrixF(4, 2);
    words.vectors << 0, 0, 3, 4, 3, 0, 0, 0;
    return words;
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
        const RowMatrixF vectors = words().vectors;
        return 2.0 * static_cast<double>((vectors.row(first) - vectors.row(second)).norm());
    };
    return setting;
}

report::GuaranteeReport reportWith(const mechanism::GuaranteedSetting& setting) {
    report::GuaranteeReport report;
    report.provenance = test::exampleProvenance();
    report.mechanism = mechanism::Mahalanobis{};
    report.odds = 2.0;
    report.pairs = {{0, 1}, {0, 3}};
    report.settings = {setting};
    return report;
}

std::string textOf(const report::GuaranteeReport& report) {
    return report::guaranteeText(report, words());
}

}  // namespace

TEST_CASE("Distances and losses of pairs, and the guarantee as text and as JSON, are as approved") {
    const auto report = reportWith(settingWith(0.5, 3.0));
    test::checkApproved("guarantee.txt", textOf(report));
    test::checkApproved("guarantee.json", report::guaranteeJson(report, words()).dump(1));
}

TEST_CASE("Every bound of the guarantee text is rounded to its safe side, odds up to a million") {
    const auto textWith = [](double bound, std::optional<double> cap) {
        return textOf(reportWith(settingWith(bound, cap)));
    };
    // e^5 = 148.41; e^20 is more than a million; truncation at radius 0 leaves every word equally
    // likely; e^3 = 20.0855.
    CHECK_THAT(textWith(0.5, std::nullopt), Contains("×149"));
    CHECK_THAT(textWith(2.0, std::nullopt), Contains("no useful bound"));
    CHECK_THAT(textWith(0.5, 0.0), Contains("The odds of any two words change by at most ×1.00.") &&
                                       !Contains("apart"));
    CHECK_THAT(textWith(0.5, 3.0), Contains("any two words change by at most ×20.1."));
    CHECK_THAT(textWith(0.5, 20.001), Contains("at most 10⁹: no useful bound."));
    auto setting = settingWith(0.5, std::nullopt);
    setting.guarantee.euclidean = {0.12349, 1.50001};
    setting.distance = [](embedding::Row, embedding::Row) { return 2.00002; };
    report::GuaranteeReport report = reportWith(setting);
    report.odds = 3.00001;
    // The loss is 1.00001, and e^1.00001 = 2.71831. The radius is 2 ln 3.00001 = 2.1972312.
    for (const char* shown : {"1.001", "×2.72", "at most 1.501 times", "less than 0.1234 times",
                              "at most 2.19 apart change by at most ×3.01"}) {
        CHECK_THAT(textOf(report), Contains(shown));
    }
    // 2 ln 1e30 = 138.155
    report.odds = 1e30;
    CHECK_THAT(textOf(report), Contains("at most 138 apart change by at most ×1.00e+30"));
}
