#include "core/report/report_text.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/report/markup_text.h"

namespace epsilens::report {
namespace {

constexpr std::string_view kWhereDrawingsAre =
    "The drawings of this section are in the report as HTML or PDF; their captions are given "
    "here.\n";

std::string titleText(std::string_view title, char line) {
    const std::string shown = oneLine(title);
    return fmt::format("{}\n{}\n", shown, std::string(displayWidth(shown), line));
}

/// Fields in columns.
template <typename IsLeft>
std::string aligned(std::vector<std::vector<std::string>> lines, IsLeft isLeft) {
    std::vector<std::size_t> widths;
    for (std::vector<std::string>& line : lines) {
        widths.resize(line.size());
        for (std::size_t column = 0; column < line.size(); ++column) {
            line[column] = oneLine(line[column]);
            widths[column] = std::max(widths[column], displayWidth(line[column]));
        }
    }
    std::string text;
    for (const std::vector<std::string>& line : lines) {
        for (std::size_t column = 0; column < line.size(); ++column) {
            const std::string padding(widths[column] - displayWidth(line[column]), ' ');
            text += column == 0 ? "" : "  ";
            text += isLeft(column) ? line[column] + padding : padding + line[column];
        }
        text.erase(text.find_last_not_of(' ') + 1);
        text += '\n';
    }
    return text;
}

/// Writes each kind of block.
struct TextBlock {
    std::string operator()(const Paragraph& paragraph) const {
        return oneLine(paragraph.text) + "\n";
    }
    std::string operator()(const BulletList& list) const {
        std::string text;
        for (const std::string& item : list.items) {
            text += fmt::format("- {}\n", oneLine(item));
        }
        return text;
    }
    std::string operator()(const Facts& facts) const {
        std::vector<std::vector<std::string>> lines;
        for (const auto& [name, value] : facts.items) {
            lines.push_back({name, value});
        }
        return aligned(std::move(lines), [](std::size_t) { return true; });
    }
    std::string operator()(const Table& table) const {
        return (table.caption.empty() ? "" : oneLine(table.caption) + "\n") + tableText(table);
    }
    std::string operator()(const Figure& figure) const {
        const std::string caption = oneLine(figure.caption) + "\n";
        return figure.table ? caption + "\n" + (*this)(*figure.table) : caption;
    }
    std::string operator()(const CodeLine& code) const {
        return fmt::format("    {}\n", oneLine(code.text));
    }
    std::string operator()(const SignOffBox& box) const { return (*this)(signOffTable(box)); }
};

std::string sectionsText(const std::vector<Section>& sections) {
    std::string text;
    for (const Section& section : sections) {
        text += section.title.empty() ? "" : "\n" + titleText(section.title, '-');
        const bool hasFigures = std::ranges::any_of(section.blocks, [](const Block& block) {
            return std::holds_alternative<Figure>(block);
        });
        text += hasFigures ? fmt::format("\n{}", kWhereDrawingsAre) : "";
        for (const Block& block : section.blocks) {
            text += "\n" + std::visit(TextBlock{}, block);
        }
    }
    return text;
}

}  // namespace

std::string tableText(const Table& table) {
    std::vector<std::vector<std::string>> lines(1);
    for (const Column& column : table.columns) {
        lines.front().push_back(column.title);
    }
    lines.insert(lines.end(), table.rows.begin(), table.rows.end());
    return aligned(std::move(lines), [&table](std::size_t column) { return table.isLeft(column); });
}

std::string reportText(const ReportContent& content) {
    const ReportContent tidy = tidied(content);
    std::string text = titleText(tidy.title, '=') + sectionsText(tidy.sections);
    if (!tidy.appendix.empty()) {
        text += "\n" + titleText(kAppendixTitle, '=') + sectionsText(tidy.appendix);
    }
    return text;
}

}  // namespace epsilens::report
