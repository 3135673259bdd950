#include "tests/core/report/report_text.h"

#include <catch2/catch.hpp>

#include "tests/core/report/example_report.h"

namespace epsilens::test {
namespace {

/// Everything that a block says.
struct WholeText {
    std::string operator()(const report::Paragraph& paragraph) const {
        return (paragraph.emphasised ? "!" : "") + paragraph.text + "\n";
    }
    std::string operator()(const report::BulletList& list) const {
        std::string text;
        for (const std::string& item : list.items) {
            text.append("* ").append(item).append("\n");
        }
        return text;
    }
    std::string operator()(const report::Facts& facts) const {
        std::string text;
        for (const auto& [name, value] : facts.items) {
            text.append(name).append(": ").append(value).append("\n");
        }
        return text;
    }
    std::string operator()(const report::Table& table) const {
        std::string text = table.caption + "\n";
        for (const std::string& title : table.titles) {
            text.append(title).append("|");
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
        return figure.caption + "\n" + (figure.table ? (*this)(*figure.table) : std::string());
    }
    template <typename Other>
    std::string operator()(const Other&) const {
        return {};
    }
};

}  // namespace

std::vector<report::Section> sectionsOf(const report::ReportContent& content) {
    std::vector<report::Section> sections = content.sections;
    sections.insert(sections.end(), content.appendix.begin(), content.appendix.end());
    return sections;
}

std::string sectionText(const document::Report& report, std::string_view key) {
    const auto content = report::composeReport(report);
    REQUIRE(content);
    std::string text;
    bool isSummary = key == "summary";
    for (const report::Section& section : sectionsOf(*content)) {
        isSummary = isSummary && section.key != "unprotected";
        if (isSummary || section.key == key) {
            for (const report::Block& block : section.blocks) {
                text += std::visit(WholeText{}, block);
            }
        }
    }
    REQUIRE_FALSE(text.empty());
    return text;
}

document::Report reportOn(const calibration::CalibrationSummary& summary) {
    document::Report report{{}, exampleRun(summary)};
    report.settings.choice = calibration::Choice{summary.cells.front().epsilon,
                                                 summary.cells.front().lambda, std::nullopt};
    return report;
}

}  // namespace epsilens::test
