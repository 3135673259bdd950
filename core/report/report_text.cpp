#include "core/report/report_text.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "core/report/markup_text.h"
#include "core/report/table_columns.h"

namespace epsilens::report {
namespace {

constexpr std::string_view kWhereDrawingsAre =
    "The drawings of this section are in the report as HTML or PDF; their captions are given "
    "here.\n";

std::string titleText(const std::string& title, char line) {
    const std::string shown = oneLine(title);
    return fmt::format("{}\n{}\n", shown, std::string(displayWidth(shown), line));
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
        std::string text;
        for (const auto& [name, value] : facts.items) {
            text += fmt::format("- {}: {}\n", oneLine(name), oneLine(value));
        }
        return text;
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
    std::string operator()(const SignOffBox& box) const {
        Table table{"Seen and agreed", {"role", "name", "date", "signature"}, {}};
        for (const std::string& role : box.roles) {
            table.rows.push_back({role, "", "", ""});
        }
        return (*this)(table);
    }
};

bool hasFigures(const Section& section) {
    return std::any_of(section.blocks.begin(), section.blocks.end(),
                       [](const Block& block) { return std::holds_alternative<Figure>(block); });
}

std::string sectionsText(const std::vector<Section>& sections) {
    std::string text;
    for (const Section& section : sections) {
        text += "\n" + titleText(section.title, '-');
        if (hasFigures(section)) {
            text += fmt::format("\n{}", kWhereDrawingsAre);
        }
        for (const Block& block : section.blocks) {
            text += "\n" + std::visit(TextBlock{}, block);
        }
    }
    return text;
}

}  // namespace

std::string tableText(const Table& table) {
    std::vector<std::vector<std::string>> lines{table.titles};
    lines.insert(lines.end(), table.rows.begin(), table.rows.end());
    std::vector<std::size_t> widths(table.titles.size());
    for (std::vector<std::string>& line : lines) {
        for (std::size_t column = 0; column < line.size(); ++column) {
            line[column] = oneLine(line[column]);
            widths[column] = std::max(widths[column], displayWidth(line[column]));
        }
    }
    std::string text;
    for (const std::vector<std::string>& line : lines) {
        std::string shown;
        for (std::size_t column = 0; column < line.size(); ++column) {
            const std::string padding(widths[column] - displayWidth(line[column]), ' ');
            shown += column == 0 ? "" : "  ";
            shown += isSetLeft(table, column) ? line[column] + padding : padding + line[column];
        }
        shown.erase(shown.find_last_not_of(' ') + 1);
        text += shown + '\n';
    }
    return text;
}

std::string reportText(const ReportContent& content) {
    std::string text = titleText(content.title, '=') + sectionsText(content.sections);
    if (!content.appendix.empty()) {
        text += "\n" + titleText(std::string(kAppendixTitle), '=') + sectionsText(content.appendix);
    }
    return text;
}

}  // namespace epsilens::report
