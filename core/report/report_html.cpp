#include "core/report/report_html.h"

#include <string_view>

#include <fmt/format.h>

#include "core/report/markup_text.h"

// Ends of the style sheet that resources/report/report.S puts into the program.
extern "C" {
extern const char kEpsilensReportStyleBegin[];
extern const char kEpsilensReportStyleEnd[];
}

namespace epsilens::report {
namespace {

std::string cellHtml(std::string_view element, const Table& table, std::size_t column,
                     const std::string& field) {
    return fmt::format("<{0}{1}>{2}</{0}>", element,
                       column > 0 && table.isLeft(column) ? " class=\"text\"" : "",
                       htmlText(field));
}

std::string tableHtml(const Table& table, std::string_view attributes = {}) {
    std::string text = fmt::format(
        "<div class=\"wide\"><table{}>\n{}<thead>\n<tr>", attributes,
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
        return fmt::format("<figure>\n{}<figcaption>{}</figcaption>\n</figure>\n{}", figure.svg,
                           htmlText(figure.caption),
                           figure.table ? tableHtml(*figure.table) : std::string());
    }
    std::string operator()(const CodeLine& code) const {
        return fmt::format("<pre>{}</pre>\n", xmlText(code.text));
    }
    std::string operator()(const SignOffBox& box) const {
        return tableHtml(signOffTable(box), " class=\"signoff\"");
    }
};

/// The sections of the appendix: the memo is short enough to be read from its top.
std::string contentsList(const std::vector<Section>& sections) {
    std::string text = "<nav><ol>\n";
    for (const Section& section : sections) {
        text +=
            fmt::format("<li><a href=\"#{}\">{}</a></li>\n", section.key, htmlText(section.title));
    }
    return text + "</ol></nav>\n";
}

std::string sectionsHtml(const std::vector<Section>& sections) {
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

std::string reportHtml(const ReportContent& content) {
    const ReportContent tidy = tidied(content);
    std::string text = fmt::format(
        "<!DOCTYPE html>\n<html xmlns=\"http://www.w3.org/1999/xhtml\" lang=\"en\">\n<head>\n"
        "<meta charset=\"utf-8\"/>\n<meta name=\"viewport\" content=\"width=device-width\"/>\n"
        "<title>{0}</title>\n<style>\n{1}</style>\n</head>\n<body>\n<h1>{0}</h1>\n{2}",
        xmlText(tidy.title), std::string_view(kEpsilensReportStyleBegin, kEpsilensReportStyleEnd),
        sectionsHtml(tidy.sections));
    if (!tidy.appendix.empty()) {
        text += fmt::format("<div class=\"appendix\">\n<h1>{}</h1>\n{}{}</div>\n", kAppendixTitle,
                            contentsList(tidy.appendix), sectionsHtml(tidy.appendix));
    }
    return text + "</body>\n</html>\n";
}

}  // namespace epsilens::report
