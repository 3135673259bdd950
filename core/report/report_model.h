#pragma once

#include <cstddef>
#include <optional>
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

    /// The first column says what a row is about.
    [[nodiscard]] bool isLeft(std::size_t column) const {
        return column == 0 || columns[column].align == Align::left;
    }
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
[[nodiscard]] Table signOffTable(const SignOffBox& box);
using Block = std::variant<Paragraph, BulletList, Facts, Table, Figure, CodeLine, SignOffBox>;

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

}  // namespace epsilens::report
