#include "core/report/report_html.h"

#include <string_view>

#include <fmt/format.h>

#include "core/report/markup_text.h"
#include "core/report/table_columns.h"

namespace epsilens::report {
namespace {

constexpr std::string_view kStyle = R"(
:root { color-scheme: light; }
body { margin: 2em auto; padding: 0 1.5em; max-width: 60em; background: #FFFFFF; color: #1A1A1A;
  font: 15px/1.5 "DejaVu Sans", "Noto Sans", Arial, sans-serif; }
h1 { font-size: 1.7em; line-height: 1.2; border-bottom: 3px solid #0072B2; padding-bottom: 0.3em; }
h2 { font-size: 1.25em; margin: 2em 0 0.5em; }
div.appendix { margin-top: 4em; }
nav ol { columns: 2; padding-left: 1.2em; list-style: none; }
a { color: #005A8C; }
p.strong { font-weight: bold; }
dl { display: grid; grid-template-columns: 14em 1fr; gap: 0.25em 1em; }
dt { color: #595959; }
dd { margin: 0; overflow-wrap: anywhere; }
div.wide { overflow-x: auto; margin: 1em 0; }
table { border-collapse: collapse; font-size: 0.8em; font-variant-numeric: tabular-nums; }
caption { text-align: left; color: #595959; padding: 0.3em 0; }
th, td { padding: 0.2em 0.55em; border-bottom: 1px solid #D0D0D0; text-align: right;
  white-space: nowrap; }
th { border-bottom: 2px solid #767676; }
td:first-child, th:first-child, td.text, th.text { text-align: left; }
figure { margin: 1.5em 0; }
svg { max-width: 100%; height: auto; border: 1px solid #E0E0E0; }
pre { background: #F4F4F4; border: 1px solid #D0D0D0; padding: 0.7em; white-space: pre-wrap;
  overflow-wrap: anywhere; }
table.signoff { width: 100%; font-size: 1em; }
table.signoff th { text-align: left; }
table.signoff td { height: 3em; border: 1px solid #767676; text-align: left; }
@media print {
  @page { size: A4; margin: 16mm; }
  body { margin: 0; padding: 0; max-width: none; font-size: 10pt; line-height: 1.35; }
  h1 { font-size: 1.5em; margin: 0 0 0.5em; }
  h2 { font-size: 1.15em; margin: 1em 0 0.3em; }
  p, ul, dl { margin: 0.4em 0; }
  div.wide, figure { margin: 0.5em 0; }
  svg { max-height: 62mm; }
  table.signoff td { height: 2.2em; }
  h2, caption { break-after: avoid; }
  figure, tr, dl, pre, table.signoff { break-inside: avoid; }
  div.appendix { break-before: page; }
  div.wide { overflow: visible; }
  table { font-size: 8pt; }
  th, td { padding: 0.15em 0.35em; white-space: normal; }
  nav { display: none; }
}
)";

std::string tableRow(std::string_view element, const std::vector<std::string>& fields,
                     const Table& table) {
    std::string row = "<tr>";
    for (std::size_t column = 0; column < fields.size(); ++column) {
        row += fmt::format("<{0}{1}>{2}</{0}>", element,
                           column > 0 && isSetLeft(table, column) ? " class=\"text\"" : "",
                           htmlText(fields[column]));
    }
    return row + "</tr>\n";
}

std::string tableText(const Table& table, std::string_view attributes = {}) {
    std::string text = fmt::format(
        "<div class=\"wide\"><table{}>\n{}<thead>\n{}</thead>\n"
        "<tbody>\n",
        attributes,
        table.caption.empty() ? ""
                              : fmt::format("<caption>{}</caption>\n", htmlText(table.caption)),
        tableRow("th", table.titles, table));
    for (const auto& row : table.rows) {
        text += tableRow("td", row, table);
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
    std::string operator()(const Table& table) const { return tableText(table); }
    std::string operator()(const Figure& figure) const {
        return fmt::format("<figure>\n{}<figcaption>{}</figcaption>\n</figure>\n{}", figure.svg,
                           htmlText(figure.caption),
                           figure.table ? tableText(*figure.table) : std::string());
    }
    std::string operator()(const CodeLine& code) const {
        return fmt::format("<pre>{}</pre>\n", xmlText(code.text));
    }
    std::string operator()(const SignOffBox& box) const {
        Table table{"Seen and agreed", {"role", "name", "date", "signature"}, {}};
        for (const std::string& role : box.roles) {
            table.rows.push_back({role, "", "", ""});
        }
        return tableText(table, " class=\"signoff\"");
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

std::string sectionsText(const std::vector<Section>& sections) {
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
    std::string text = fmt::format(
        "<!DOCTYPE html>\n<html xmlns=\"http://www.w3.org/1999/xhtml\" lang=\"en\">\n<head>\n"
        "<meta charset=\"utf-8\"/>\n<meta name=\"viewport\" content=\"width=device-width\"/>\n"
        "<title>{0}</title>\n<style>{1}</style>\n</head>\n<body>\n<h1>{0}</h1>\n{2}",
        xmlText(content.title), kStyle, sectionsText(content.sections));
    if (!content.appendix.empty()) {
        text += fmt::format("<div class=\"appendix\">\n<h1>{}</h1>\n{}{}</div>\n", kAppendixTitle,
                            contentsList(content.appendix), sectionsText(content.appendix));
    }
    return text + "</body>\n</html>\n";
}

}  // namespace epsilens::report
