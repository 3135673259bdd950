#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/calibration/run.h"
#include "core/document/report_document.h"

/// Texts of commands and reports as pages of blocks, not yet in any format. Empty paragraphs, facts
/// without a value and columns without any are left out by the renderers.
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

enum class Align { left, right };

/// Numbers stand at the right of their column, words at the left.
struct Column {
    std::string title{};
    Align align = Align::right;

    Column(std::string text, Align side = Align::right) : title(std::move(text)), align(side) {}
    Column(const char* text, Align side = Align::right) : Column(std::string(text), side) {}
    bool operator==(const Column&) const = default;
};

/// Stands in a table for a value that does not exist.
inline constexpr const char* kAbsent = "–";

struct Table {
    std::string caption{};  ///< empty: what stands before it says what it is
    std::vector<Column> columns{};
    std::vector<std::vector<std::string>> rows{};  ///< as many fields as columns
    bool isForm = false;  ///< to be filled in by hand: columns without a value stay

    /// The first column says what a row is about.
    [[nodiscard]] bool isLeft(std::size_t column) const {
        return column == 0 || isForm || columns[column].align == Align::left;
    }
};
struct Figure {
    std::string caption{};
    std::string svg{};
};
struct CodeLine {
    std::string text{};
};
using Block = std::variant<Paragraph, BulletList, Facts, Table, Figure, CodeLine>;

struct Section {
    std::string key{};  ///< unique in the report, fit for an address within it
    std::string title{};
    std::vector<Block> blocks{};

    void say(std::string text, bool isEmphasised = false) {
        blocks.emplace_back(Paragraph{std::move(text), isEmphasised});
    }
};

inline constexpr std::string_view kAppendixTitle = "Appendix";

/// A report for people, not yet in any format.
struct ReportContent {
    std::string title{};
    std::vector<Section> sections{};  ///< of a calibration the memo, one or two pages in words
    std::vector<Section> appendix{};  ///< what they rest on; begins on a page of its own
};

/// Without what the renderers leave out.
[[nodiscard]] ReportContent tidied(ReportContent content);

/// A tidy report. Fails as calibration::findingsOf.
///
/// hasAppendix  false: the memo alone
[[nodiscard]] Result<ReportContent> composeReport(const Report& report, bool hasAppendix = true);

/// A calibration for a terminal: the run, N_w and S_w, the guarantee of every setting; of a few
/// settings every statistic. A cancelled run says so first.
[[nodiscard]] ReportContent calibrationPage(const calibration::Run& run);

/// A page as plain text, UTF-8, that no word of a file steers: titles are underlined, columns are
/// aligned, drawings are left out but for their captions.
[[nodiscard]] std::string reportText(const ReportContent& content);

/// A report as one HTML file that needs nothing else: styles and drawings are inside, there are no
/// scripts. Light, also on dark desktops, and arranged for A4 paper. It is well-formed XML.
[[nodiscard]] std::string reportHtml(const ReportContent& content);

}  // namespace epsilens::report
