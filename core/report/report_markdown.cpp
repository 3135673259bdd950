#include "core/report/report_markdown.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/report/markup_text.h"

namespace epsilens::report {
namespace {

/// A drawing would be a line of ten thousands of letters here, which buries the text that people
/// read and compare, and which many viewers do not show.
constexpr std::string_view kWhereDrawingsAre =
    "The drawings of this section are in the report as HTML or PDF; their captions are given "
    "here.\n";

std::string tableRow(const std::vector<std::string>& fields) {
    std::string row = "|";
    for (const std::string& field : fields) {
        row += fmt::format(" {} |", markdownText(field));
    }
    return row + "\n";
}

/// Writes each kind of block.
struct MarkdownBlock {
    std::string operator()(const Paragraph& paragraph) const {
        const std::string text = markdownText(paragraph.text);
        return paragraph.emphasised ? fmt::format("**{}**\n", text) : text + "\n";
    }
    std::string operator()(const BulletList& list) const {
        std::string text;
        for (const std::string& item : list.items) {
            text += fmt::format("- {}\n", markdownText(item));
        }
        return text;
    }
    std::string operator()(const Facts& facts) const {
        std::string text;
        for (const auto& [name, value] : facts.items) {
            text += fmt::format("- **{}:** {}\n", markdownText(name), markdownText(value));
        }
        return text;
    }
    std::string operator()(const Table& table) const {
        std::string text =
            table.caption.empty() ? "" : fmt::format("*{}*\n\n", markdownText(table.caption));
        text += tableRow(table.titles);
        text += "|";
        for (std::size_t i = 0; i < table.titles.size(); ++i) {
            text += " --- |";
        }
        text += "\n";
        for (const auto& row : table.rows) {
            text += tableRow(row);
        }
        return text;
    }
    std::string operator()(const Figure& figure) const {
        const std::string caption = markdownText(figure.caption) + "\n";
        return figure.table ? caption + "\n" + (*this)(*figure.table) : caption;
    }
    std::string operator()(const CodeLine& code) const {
        return fmt::format("    {}\n", code.text);
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
        text += fmt::format("\n## {}\n", markdownText(section.title));
        if (hasFigures(section)) {
            text += fmt::format("\n{}", kWhereDrawingsAre);
        }
        for (const Block& block : section.blocks) {
            text += "\n" + std::visit(MarkdownBlock{}, block);
        }
    }
    return text;
}

}  // namespace

std::string reportMarkdown(const ReportContent& content) {
    std::string text =
        fmt::format("# {}\n", markdownText(content.title)) + sectionsText(content.sections);
    if (!content.appendix.empty()) {
        text += fmt::format("\n# {}\n", kAppendixTitle) + sectionsText(content.appendix);
    }
    return text;
}

}  // namespace epsilens::report
