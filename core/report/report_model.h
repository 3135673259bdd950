#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/calibration/findings.h"
#include "core/document/report_document.h"

namespace epsilens::report {

using calibration::Findings;
using document::Report;

struct Paragraph {
    std::string text{};
    bool emphasised = false;
};
struct BulletList {
    std::vector<std::string> items{};
};
/// Names and values, a line each.
struct Facts {
    std::vector<std::pair<std::string, std::string>> items{};
};
struct Table {
    std::string caption{};  ///< empty: what stands before it says what it is
    std::vector<std::string> titles{};
    std::vector<std::vector<std::string>> rows{};  ///< as many fields as titles
};
/// A drawing, with the numbers it was made from unless another table of the report has them.
struct Figure {
    std::string caption{};
    std::string svg{};
    std::optional<Table> table{};
};
struct CodeLine {
    std::string text{};
};
/// Room for names, dates and signatures.
struct SignOffBox {
    std::vector<std::string> roles{};
};
using Block = std::variant<Paragraph, BulletList, Facts, Table, Figure, CodeLine, SignOffBox>;

struct Section {
    std::string key{};  ///< unique in the report, fit for an address within it
    std::string title{};
    std::vector<Block> blocks{};
};

inline constexpr std::string_view kAppendixTitle = "Appendix";

/// A report for people, not yet in any format.
struct ReportContent {
    std::string title{};
    std::vector<Section> sections{};  ///< of a calibration the memo, one or two pages in words
    std::vector<Section> appendix{};  ///< what they rest on; begins on a page of its own
};

/// Fails as calibration::findingsOf.
///
/// hasAppendix  false: the memo alone
[[nodiscard]] Result<ReportContent> composeReport(const Report& report, bool hasAppendix = true);

}  // namespace epsilens::report
