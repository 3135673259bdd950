#include "core/report/text_table.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "core/text/characters.h"

namespace epsilens::report {
namespace {

void appendAligned(std::string& line, std::string_view field, std::size_t width,
                   TextTable::Align align) {
    const std::string padding(width - std::min(width, displayWidth(field)), ' ');
    line += align == TextTable::Align::right ? padding : std::string();
    line += field;
    line += align == TextTable::Align::left ? padding : std::string();
}

/// Whether a character would steer a terminal, reorder or break the line, or is none.
bool steers(const text::Character& character) {
    const char32_t code = character.codePoint;
    const bool isControl = code < 0x20 || (code >= 0x7F && code < 0xA0);
    const bool breaksLine = code == 0x2028 || code == 0x2029;
    return !character.valid || isControl || breaksLine || text::isInvisibleLayout(code);
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
    for (std::size_t begin = 0; begin < utf8.size();) {
        const text::Character character = text::decode(utf8, begin);
        text += steers(character) ? kReplacement : utf8.substr(begin, character.end - begin);
        begin = character.end;
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
