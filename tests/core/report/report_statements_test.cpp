#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "core/report/report_json.h"
#include "core/report/report_model.h"
#include "tests/core/report/example_calibration.h"
#include "tests/core/report/example_report.h"

// A report must claim no more than math.md proves and the run measured.

using namespace epsilens;
using Catch::Matchers::Contains;
using report::SectionId;

namespace {

struct WholeText {
    std::string operator()(const report::Paragraph& paragraph) const {
        return (paragraph.emphasised ? "!" : "") + paragraph.text + "\n";
    }
    std::string operator()(const report::BulletList& list) const {
        std::string text;
        for (const std::string& item : list.items) {
            text += "* " + item + "\n";
        }
        return text;
    }
    std::string operator()(const report::Facts& facts) const {
        std::string text;
        for (const auto& [name, value] : facts.items) {
            text += name + ": " + value + "\n";
        }
        return text;
    }
    std::string operator()(const report::Table& table) const {
        std::string text = table.caption + "\n";
        for (const std::string& title : table.titles) {
            text += title + "|";
        }
        for (const auto& row : table.rows) {
            text += "\n";
            for (const std::string& field : row) {
                text += field + "|";
            }
        }
        return text + "\n";
    }
    std::string operator()(const report::Figure& figure) const {
        return figure.caption + "\n" + (*this)(figure.table);
    }
    template <typename Other>
    std::string operator()(const Other&) const {
        return {};
    }
};

std::string sectionText(report::Report report, SectionId section) {
    report.settings.sections = {section};
    const auto content = report::composeReport(report);
    REQUIRE(content);
    REQUIRE(content->sections.size() == 1);
    std::string text;
    for (const report::Block& block : content->sections.front().blocks) {
        text += std::visit(WholeText{}, block);
    }
    return text;
}

report::Report reportOn(const calibration::CalibrationSummary& summary) {
    report::Report report{{}, test::exampleRecord(summary)};
    report.settings.choice =
        report::Choice{summary.cells.front().epsilon, summary.cells.front().lambda, std::nullopt};
    return report;
}

}  // namespace

TEST_CASE("S_w is what the draws return, the word itself among it") {
    calibration::CalibrationSummary summary = test::exampleMahalanobis();
    summary.cells.front().nw.mean = 4;
    summary.cells.front().sw.mean = 1;
    const std::string text = sectionText(reportOn(summary), SectionId::summary);
    CHECK_THAT(text,
               Contains("A word is kept 4 times of 4 on average; the draws return 1 different "
                        "word, the word itself counted"));
    CHECK_THAT(text, !Contains("replaced"));
    summary.cells.front().sw.mean = 1.16;
    CHECK_THAT(sectionText(reportOn(summary), SectionId::summary),
               Contains("1.160 different words"));
    CHECK_THAT(sectionText(reportOn(summary), SectionId::results),
               Contains("itself counted when it occurs") && !Contains("stand in for"));
}

TEST_CASE("An interval without spread is none, and no hit is told with what it allows") {
    calibration::CalibrationSummary summary = test::exampleMahalanobis();
    CHECK_THAT(sectionText(reportOn(summary), SectionId::results),
               Contains("|1003 to 1004|") && !Contains("N_w = 0 of"));
    summary.cells.front().nw.ci95 = {0, 0};
    summary.cells.front().sw.ci95 = {100, 100};
    summary.cells.front().nw.min = 0;
    summary.draws = 100;
    const std::string text = sectionText(reportOn(summary), SectionId::results);
    CHECK_THAT(text, !Contains("0 to 0|") && !Contains("100 to 100"));
    CHECK_THAT(text, Contains("|1000|–|"));
    CHECK_THAT(text, Contains("N_w = 0 of 100: the word is kept with probability ≤ 3% (95%)."));
    // 1 - 0.05^(1/200) = 1.487%: an upper bound is rounded up.
    summary.draws = 200;
    CHECK_THAT(sectionText(reportOn(summary), SectionId::results), Contains("≤ 1.5% (95%)"));
}
