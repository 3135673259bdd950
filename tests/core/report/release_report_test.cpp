#include "core/report/release_report.h"

#include <memory>
#include <string>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/core/report/example_calibration.h"

using namespace epsilens;
using Catch::Matchers::Contains;
using nlohmann::json;

namespace {

report::ReleaseReport exampleRelease() {
    report::ReleaseReport report;
    report.provenance = test::exampleProvenance();
    report.setting.mechanism = mechanism::Laplace{};
    report.guarantee.epsilon = 2.0;
    report.guarantee.bound = 2.0;
    report.end.counts.lines = 2;
    report.end.counts.words = 120;
    report.end.counts.replaced = 100;
    report.end.counts.masked = 20;
    report.end.unchanged = 31;
    return report;
}

/// All remarks, a line each, warnings marked.
std::string remarks(const report::ReleaseReport& report) {
    std::string text;
    for (const report::ReleaseRemark& remark : report::releaseRemarks(report)) {
        text += (remark.isWarning ? "warning: " : "") + remark.text + "\n";
    }
    return text;
}

}  // namespace

TEST_CASE("Words are said to be processed, and how many came out unchanged") {
    const std::string text = remarks(exampleRelease());
    CHECK_THAT(text, Contains("120 words in 2 lines: 100 processed, 20 unknown words masked"));
    CHECK_THAT(text, Contains("31 of 100 processed words came out unchanged; this depends on "
                              "the text: keep it to yourself"));
    CHECK_THAT(text, !Contains("replaced") && !Contains("warning"));
}

TEST_CASE("A release that keeps more than 95 of 100 words is warned of") {
    report::ReleaseReport report = exampleRelease();
    report.end.unchanged = 95;
    CHECK_THAT(remarks(report), !Contains("warning"));
    report.end.unchanged = 96;
    CHECK_THAT(remarks(report), Contains("warning: 96 of 100 processed words came out unchanged, "
                                         "so epsilon has next to no effect"));
    report.end.counts.replaced = 0;
    report.end.unchanged = 0;
    CHECK_THAT(remarks(report), !Contains("came out"));
}

// What is published may follow from setting and vocabulary, never from the text that went in.
TEST_CASE("The sidecar is the same however many words came out unchanged") {
    report::ReleaseReport report = exampleRelease();
    const std::string before = report::releaseJson(report);
    report.end.unchanged = 100;
    CHECK(report::releaseJson(report) == before);
    const json document = json::parse(before);
    CHECK(document["counts"]["processed"] == 100);
    CHECK(document["warnings"].empty());
}

// Equal words of a document lose once together.
TEST_CASE("What a line and the text may lose counts the words that lose on their own") {
    report::ReleaseReport report = exampleRelease();
    report.guarantee.statement = "ε·‖·‖₂";
    report.end.counts.mostReplacedInLine = 12;
    const auto lossOf = [&](bool isConsistent, std::int64_t drawn, std::int64_t mostDrawn) {
        report.policies.isConsistent = isConsistent;
        report.end.counts.drawn = drawn;
        report.end.counts.mostDrawn = mostDrawn;
        const json guarantee = json::parse(report::releaseJson(report))["guarantee"];
        for (const char* part : {"perLine", "total"}) {
            // Each word loses the bound, 2, times its distance.
            CHECK(guarantee[part]["boundTimesMeanDistance"] ==
                  2.0 * guarantee[part]["words"].get<double>());
        }
        return std::pair(guarantee["perLine"]["words"].get<int>(),
                         guarantee["total"]["words"].get<int>());
    };
    CHECK(lossOf(false, 0, 0) == std::pair(12, 100));
    // A document may be a line, or many.
    CHECK(lossOf(true, 40, 9) == std::pair(9, 40));
    CHECK(lossOf(true, 40, 15) == std::pair(12, 40));
}

// ln 10^6 = 13.8155; the bound of the example is 2. Rounded down to three digits.
TEST_CASE("How far the guarantee reaches is said beside the text and to whoever releases it") {
    report::ReleaseReport report = exampleRelease();
    const auto reach = [&] {
        return json::parse(report::releaseJson(report))["guarantee"]["reach1000000"];
    };
    CHECK(reach().get<double>() == Approx(6.907755));
    CHECK_THAT(remarks(report),
               Contains("the odds of two words at most 6.90 apart change by at most ×1,000,000"));
    // e^13 = 442,413.4; of e^14 more than 10^6 is left.
    report.guarantee.cap = 13.0;
    CHECK(reach().is_null());
    CHECK_THAT(remarks(report), Contains("the odds of any two words change by at most ×443,000"));
    report.guarantee.cap = 14.0;
    CHECK(reach().get<double>() == Approx(6.907755));
    // None of this is warned of: it is what the setting says.
    CHECK_THAT(remarks(exampleRelease()), !Contains("warning"));
}

TEST_CASE("Settings that leave words unprotected stand among the sidecar's warnings") {
    report::ReleaseReport report = exampleRelease();
    report.policies.unknown = release::UnknownPolicy::keep;
    report.policies.stopWords = std::make_shared<release::StopWords>(test::exampleVocabulary());
    const json warnings = json::parse(report::releaseJson(report))["warnings"];
    REQUIRE(warnings.size() == 2);
    CHECK_THAT(warnings[0].get<std::string>(), Contains("are not in the vocabulary are left"));
    CHECK_THAT(warnings[1].get<std::string>(), Contains("stop words are left"));
    CHECK_THAT(remarks(report),
               Contains("for all words w, w' other than the stop words and every output u"));
}
