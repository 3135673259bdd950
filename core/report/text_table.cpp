#include "core/report/text_table.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace epsilens::report {
namespace {

void appendAligned(std::string& line, std::string_view field, std::size_t width,
                   TextTable::Align align) {
    const std::string padding(width - std::min(width, displayWidth(field)), ' ');
    line += align == TextTable::Align::right ? padding : std::string();
    line += field;
    line += align == TextTable::Align::left ? padding : std::string();
}

}  // namespace

std::size_t displayWidth(std::string_view utf8) {
    return static_cast<std::size_t>(std::count_if(utf8.begin(), utf8.end(), [](char byte) {
        return (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U;
    }));
}

std::string printable(std::string_view utf8) {
    std::string text;
    text.reserve(utf8.size());
    for (std::size_t i = 0; i < utf8.size(); ++i) {
        const auto byte = static_cast<unsigned char>(utf8[i]);
        const auto next = static_cast<unsigned char>(i + 1 < utf8.size() ? utf8[i + 1] : '\0');
        if (byte < 0x20U || byte == 0x7FU) {
            text += kReplacement;
        } else if (byte == 0xC2U && next >= 0x80U && next < 0xA0U) {  // U+0080 to U+009F
            text += kReplacement;
            ++i;
        } else {
            text += utf8[i];
        }
    }
    return text;
}

TextTable::TextTable(std::vector<Column> columns) : m_columns(std::move(columns)) {}

void TextTable::addRow(std::vector<std::string> fields) {
    assert(fields.size() == m_columns.size());
    m_rows.push_back(std::move(fields));
}

std::string TextTable::render() const {
    std::vector<std::string> titles;
    std::vector<std::size_t> widths;
    for (std::size_t column = 0; column < m_columns.size(); ++column) {
        titles.push_back(m_columns[column].title);
        widths.push_back(displayWidth(titles.back()));
        for (const auto& row : m_rows) {
            widths[column] = std::max(widths[column], displayWidth(row[column]));
        }
    }
    std::string text;
    const auto appendRow = [&](const std::vector<std::string>& row) {
        std::string line;
        for (std::size_t column = 0; column < row.size(); ++column) {
            line += column == 0 ? "" : "  ";
            appendAligned(line, row[column], widths[column], m_columns[column].align);
        }
        line.erase(line.find_last_not_of(' ') + 1);
        text += line + '\n';
    };
    appendRow(titles);
    std::for_each(m_rows.begin(), m_rows.end(), appendRow);
    return text;
}

}  // namespace epsilens::report
