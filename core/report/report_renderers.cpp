#include <algorithm>
#include <string_view>

#include <fmt/format.h>

#include "core/report/markup_text.h"
#include "core/report/report_model.h"

// Ends of the style sheet that resources/report/report.S puts into the program.
extern "C" {
extern const char kEpsilensReportStyleBegin[];
extern const char kEpsilensReportStyleEnd[];
}

// A page as text and as HTML.

namespace epsilens::report {
namespace {

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
        std::vector<std::vector<std::string>> lines(1);
        for (const Column& column : table.columns) {
            lines.front().push_back(column.title);
        }
        lines.insert(lines.end(), table.rows.begin(), table.rows.end());
        for (std::vector<std::string>& line : lines) {
            if (table.isForm) {
                std::ranges::replace(line, std::string(), std::string(16, '_'));
            }
        }
        return (table.caption.empty() ? "" : oneLine(table.caption) + "\n") +
               aligned(std::move(lines),
                       [&table](std::size_t column) { return table.isLeft(column); });
    }
    std::string operator()(const Figure& figure) const {
        return fmt::format("Drawing, in HTML and PDF: {}\n", oneLine(figure.caption));
    }
    std::string operator()(const CodeLine& code) const {
        return fmt::format("    {}\n", oneLine(code.text));
    }
};

std::string textSections(const std::vector<Section>& sections) {
    std::string text;
    for (const Section& section : sections) {
        text += section.title.empty() ? "" : "\n" + titleText(section.title, '-');
        for (const Block& block : section.blocks) {
            text += "\n" + std::visit(TextBlock{}, block);
        }
    }
    return text;
}

std::string cellHtml(std::string_view element, const Table& table, std::size_t column,
                     const std::string& field) {
    return fmt::format("<{0}{1}>{2}</{0}>", element,
                       column > 0 && table.isLeft(column) ? " class=\"text\"" : "",
                       htmlText(field));
}

std::string tableHtml(const Table& table) {
    std::string text = fmt::format(
        "<div class=\"wide\"><table{}>\n{}<thead>\n<tr>", table.isForm ? " class=\"signoff\"" : "",
        table.caption.empty() ? ""
                              : fmt::format("<caption>{}</caption>\n", htmlText(table.caption)));
    for (std::size_t column = 0; column < table.columns.size(); ++column) {
        text += cellHtml("th", table, column, table.columns[column].title);
    }
    text += "</tr>\n</thead>\n<tbody>\n";
    for (const auto& row : table.rows) {
        text += "<tr>";
        for (std::size_t column = 0; column < row.size(); ++column) {
            text += cellHtml("td", table, column, row[column]);
        }
        text += "</tr>\n";
    }
    return text + "</tbody>\n</table></div>\n";
}

/// Writes each kind of block.
struct HtmlBlock {
    std::string operator()(const Paragraph& paragraph) const {
        return fmt::format("<p{}>{}</p>\n", paragraph.emphasised ? " class=\"strong\"" : "",
                           htmlText(paragraph.text));
    }
    std::string operator()(const BulletList& list) const {
        std::string text = "<ul>\n";
        for (const std::string& item : list.items) {
            text += fmt::format("<li>{}</li>\n", htmlText(item));
        }
        return text + "</ul>\n";
    }
    std::string operator()(const Facts& facts) const {
        std::string text = "<dl>\n";
        for (const auto& [name, value] : facts.items) {
            text += fmt::format("<dt>{}</dt><dd>{}</dd>\n", htmlText(name), htmlText(value));
        }
        return text + "</dl>\n";
    }
    std::string operator()(const Table& table) const { return tableHtml(table); }
    std::string operator()(const Figure& figure) const {
        return fmt::format("<figure>\n{}<figcaption>{}</figcaption>\n</figure>\n", figure.svg,
                           htmlText(figure.caption));
    }
    std::string operator()(const CodeLine& code) const {
        return fmt::format("<pre>{}</pre>\n", xmlText(code.text));
    }
};

std::string htmlSections(const std::vector<Section>& sections) {
    std::string text;
    for (const Section& section : sections) {
        text +=
            fmt::format("<section id=\"{}\">\n<h2>{}</h2>\n", section.key, htmlText(section.title));
        for (const Block& block : section.blocks) {
            text += std::visit(HtmlBlock{}, block);
        }
        text += "</section>\n";
    }
    return text;
}

}  // namespace

std::string reportText(const ReportContent& content) {
    const ReportContent tidy = tidied(content);
    std::string text = titleText(tidy.title, '=') + textSections(tidy.sections);
    if (!tidy.appendix.empty()) {
        text += "\n" + titleText(kAppendixTitle, '=') + textSections(tidy.appendix);
    }
    return text;
}

std::string reportHtml(const ReportContent& content) {
    const ReportContent tidy = tidied(content);
    std::string text = fmt::format(
        "<!DOCTYPE html>\n<html xmlns=\"http://www.w3.org/1999/xhtml\" lang=\"en\">\n<head>\n"
        "<meta charset=\"utf-8\"/>\n<meta name=\"viewport\" content=\"width=device-width\"/>\n"
        "<title>{0}</title>\n<style>\n{1}</style>\n</head>\n<body>\n<h1>{0}</h1>\n{2}",
        xmlText(tidy.title), std::string_view(kEpsilensReportStyleBegin, kEpsilensReportStyleEnd),
        htmlSections(tidy.sections));
    if (!tidy.appendix.empty()) {
        text += fmt::format("<div class=\"appendix\">\n<h1>{}</h1>\n{}</div>\n", kAppendixTitle,
                            htmlSections(tidy.appendix));
    }
    return text + "</body>\n</html>\n";
}

}  // namespace epsilens::report
