#include "tests/support/random_table.h"

#include <algorithm>
#include <iterator>
#include <random>
#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace epsilens::test {
namespace {

using io::RecordFormat;
using Cells = std::vector<std::string>;

class Writer {
public:
    Writer(RecordFormat format, std::uint64_t seed) : m_random(seed) {
        m_table.format = format;
        m_table.isNamed = format != RecordFormat::tsvQuoted && chance(2);
        m_isJson = format == RecordFormat::jsonLines;
        m_hasQuotes = format == RecordFormat::csv || format == RecordFormat::tsvQuoted;
        m_separator = format == RecordFormat::csv ? "," : "\t";
        m_lineEnd = chance(2) ? "\n" : "\r\n";
        m_width = 1 + below(4);
        for (std::size_t i = 0; i < m_width; ++i) {
            m_isReleased.push_back(i == m_width - 1 || chance(4));
        }
        std::shuffle(m_isReleased.begin(), m_isReleased.end(), m_random);
    }

    RandomTable write() {
        const bool hasNames = m_isJson || chance(2);
        for (std::size_t i = 0; i < m_width; ++i) {
            if (m_isReleased[i]) {
                m_table.columns.push_back(hasNames ? nameOf(i) : std::to_string(i + 1));
            }
        }
        same(chance(4) ? "\xEF\xBB\xBF" : "");
        if (hasNames) {
            Cells names;
            for (std::size_t i = 0; i < m_width; ++i) {
                names.push_back(nameOf(i));
            }
            if (m_isJson) {
                m_table.cells.push_back(names);
            } else {
                writeRecord(names);
            }
        }
        const std::size_t records = 1 + below(6);
        const std::size_t broken = chance(3) ? below(records) : records;
        for (std::size_t i = 0; i < records; ++i) {
            same(i > 0 && chance(6) ? m_lineEnd : "");
            // What the other records are held against has none.
            if (i == broken && (i > 0 || hasNames)) {
                breakRecord(i + 1 == records);
            } else {
                writeRecord(randomCells());
            }
        }
        if (chance(3) && m_table.defect == RandomTable::Defect::none) {
            for (std::string* text : {&m_table.bytes, &m_table.released}) {
                text->resize(text->size() - m_lineEnd.size());
            }
        }
        return std::move(m_table);
    }

private:
    std::size_t below(std::size_t count) { return m_random() % count; }
    bool chance(std::size_t of) { return below(of) == 0; }
    static std::string nameOf(std::size_t column) { return fmt::format("N{}", column); }

    void same(std::string_view text) {
        m_table.bytes += text;
        m_table.released += text;
    }
    void spelled(const std::string& raw, bool isReleased) {
        m_table.bytes += raw;
        m_table.released += isReleased ? withoutSecrets(raw) : raw;
    }
    void endLine() { same(m_lineEnd); }

    std::string randomText(std::size_t column) {
        std::string text;
        for (std::size_t pieces = below(8); pieces > 0; --pieces) {
            const std::string letter(
                1, static_cast<char>((m_isReleased[column] ? 'A' : 'n') + below(13)));
            // Letters more often than what parts and quotes fields.
            const std::vector<std::string> others{"\"", "\"\"", ",", ", ", "\t", "\n", "\r\n", "\r",
                                                  " ",  "'",    ";", "\\", "=",  "é",  "漢"};
            text += chance(2) ? others[below(others.size())] : letter;
        }
        return text;
    }

    /// A cell that the format can hold.
    std::string randomCell(std::size_t column) {
        std::string text = randomText(column);
        if (m_table.format == RecordFormat::tsv) {
            std::erase_if(text,
                          [](char byte) { return byte == '\t' || byte == '\n' || byte == '\r'; });
            if (text.starts_with('"') && std::ranges::count(text, '"') % 2 == 1 &&
                m_table.isNamed) {
                text.insert(0, " ");
            }
            text += text.empty() && m_width == 1 ? " " : "";
        }
        return text;
    }

    Cells randomCells() {
        Cells cells;
        for (std::size_t i = 0; i < m_width; ++i) {
            cells.push_back(randomCell(i));
        }
        return cells;
    }

    std::string quoted(const std::string& text) {
        std::string raw = "\"";
        for (const char byte : text) {
            raw += byte == '"' ? "\"\"" : std::string(1, byte);
        }
        return raw + '"';
    }

    /// A cell as the format asks for, or with quotes it does not need.
    std::string rawCell(const std::string& text) {
        const bool needsQuotes = text.find_first_of(m_separator + "\"\r\n") != std::string::npos ||
                                 (text.empty() && m_width == 1);
        return m_hasQuotes && (needsQuotes || chance(4)) ? quoted(text) : text;
    }

    void writeRecord(const Cells& cells) {
        m_table.cells.push_back(cells);
        if (m_isJson) {
            writeObject(cells, m_width);
            return;
        }
        for (std::size_t i = 0; i < m_width; ++i) {
            same(i > 0 ? m_separator : "");
            spelled(rawCell(cells[i]), m_isReleased[i]);
        }
        endLine();
    }

    /// As RFC 8259 has strings: only what must be escaped, or any character.
    std::string jsonString(const std::string& text, bool isPlain) {
        std::string raw = "\"";
        for (const char byte : text) {
            const std::string_view escaped = "\"\\\n\r\t";
            const std::size_t place = escaped.find(byte);
            if (place != std::string_view::npos) {
                raw += {'\\', "\"\\nrt"[place]};
            } else if (!isPlain && static_cast<unsigned char>(byte) < 0x80 && chance(8)) {
                raw += fmt::format("\\u{:04x}", static_cast<int>(byte));
            } else {
                raw += byte;
            }
        }
        return raw + '"';
    }

    std::string nameInJson(std::size_t column) {
        return chance(8) ? fmt::format("\"\\u004e{}\"", column) : "\"" + nameOf(column) + "\"";
    }

    /// missing  the member that is left out, if there is one with this number
    void writeObject(const Cells& cells, std::size_t missing) {
        same("{");
        for (std::size_t i = 0; i < m_width; ++i) {
            if (i == missing) {
                continue;
            }
            same(nameInJson(i) + (chance(2) ? ":" : " : "));
            if (cells[i].empty() && chance(2)) {
                same("null");
            } else if (m_isReleased[i]) {
                m_table.bytes += jsonString(cells[i], false);
                m_table.released += jsonString(withoutSecrets(cells[i]), true);
            } else {
                same(jsonString(cells[i], false));
            }
            same(chance(2) ? "," : ", ");
        }
        same("\"more\": [1, {\"N0\": \"x\\\"y\"}, true]}");
        endLine();
    }

    void breakObject() {
        const std::string secret = "\"ABC\"";
        switch (below(4)) {
            case 0:
                writeObject(randomCells(), firstReleased());
                break;
            case 1:
                m_table.bytes += "[" + secret + "]" + m_lineEnd;
                break;
            case 2:
                m_table.bytes += "{\"" + nameOf(firstReleased()) + "\": " + secret + m_lineEnd;
                break;
            default:
                m_table.bytes +=
                    "{\"" + nameOf(firstReleased()) + "\": [" + secret + "]}" + m_lineEnd;
        }
        m_table.defect = RandomTable::Defect::other;
    }

    std::size_t firstReleased() const {
        return static_cast<std::size_t>(std::ranges::find(m_isReleased, true) -
                                        m_isReleased.begin());
    }

    /// Writes fields as they are.
    void writeRaw(const Cells& fields) {
        m_table.bytes += fmt::format("{}{}", fmt::join(fields, m_separator), m_lineEnd);
    }

    void breakRecord(bool isLast) {
        if (m_isJson) {
            breakObject();
            return;
        }
        const Cells cells = randomCells();
        Cells fields;
        std::ranges::transform(cells, std::back_inserter(fields),
                               [&](const std::string& cell) { return rawCell(cell); });
        const std::size_t place = below(m_width);
        // A record of one empty field would be no record.
        fields[place] = m_isReleased[place] ? "AB" : "op";
        if (chance(2)) {
            breakCells(cells, std::move(fields), place);
            return;
        }
        // Each of them is refused by the quotes or the carriage return alone.
        std::vector<std::string> defects{"AB\rCD"};
        if (m_hasQuotes) {
            for (const char* defect :
                 {"AB\"CD", "AB\"CD\"", "\"AB\"CD", "\"AB\" ", " \"AB, CD\""}) {
                defects.emplace_back(defect);
            }
            if (isLast && place == m_width - 1) {
                defects.emplace_back("\"AB");
            }
        } else if (m_table.isNamed) {
            for (const char* defect :
                 {"\"AB\tCD\"", "\"AB\nCD\"", "\"A \"\"B\"\"\n\"", "\"AB\nCD\tEF\""}) {
                defects.emplace_back(defect);
            }
        }
        fields[place] = defects[below(defects.size())];
        if (!m_isReleased[place]) {
            fields[place] = withoutSecrets(fields[place]);
        }
        writeRaw(fields);
        m_table.defect = RandomTable::Defect::other;
    }

    /// A cell is missing, or there is one more, or a line end without quotes parts a record.
    void breakCells(const Cells& cells, Cells fields, std::size_t place) {
        m_table.defect = RandomTable::Defect::numberOfCells;
        const std::size_t kind = m_width == 1 ? 1 : below(3);
        if (kind == 2) {
            Cells before(fields.begin(), fields.begin() + static_cast<std::ptrdiff_t>(place) + 1);
            Cells after(fields.begin() + static_cast<std::ptrdiff_t>(place), fields.end());
            writeRaw(before);
            writeRaw(after);
            Cells whole = cells;
            whole[place] = fields[place];
            m_table.cells.push_back(before.size() == m_width ? whole : Cells());
            m_table.cells.push_back(after.size() == m_width ? whole : Cells());
            return;
        }
        if (kind == 0) {
            fields.erase(fields.begin() + static_cast<std::ptrdiff_t>(place == 0 ? 1 : place - 1));
        } else {
            fields.insert(fields.begin() + static_cast<std::ptrdiff_t>(place), "CD");
        }
        writeRaw(fields);
        m_table.cells.emplace_back();
    }

    std::mt19937_64 m_random;
    RandomTable m_table{};
    bool m_isJson = false;
    bool m_hasQuotes = false;
    std::string m_separator{};
    std::string m_lineEnd{};
    std::size_t m_width = 0;
    std::vector<bool> m_isReleased{};
};

}  // namespace

std::string withoutSecrets(std::string text) {
    std::replace_if(
        text.begin(), text.end(), [](char letter) { return letter >= 'A' && letter <= 'M'; }, 'x');
    return text;
}

RandomTable randomTable(RecordFormat format, std::uint64_t seed) {
    return Writer(format, seed).write();
}

}  // namespace epsilens::test
