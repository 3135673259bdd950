#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"

namespace epsilens::io {

enum class RecordFormat {
    automatic,  ///< by the ending of the file's name, else by the first line
    lines,      ///< a record a line
    tsv,        ///< columns between tabs, no quotes: a field holds neither tab nor line end
    tsvQuoted,  ///< columns between tabs, with the quotes of csv
    csv,  ///< RFC 4180: fields between commas, quoted where they hold commas, quotes, line ends
    jsonLines  ///< a JSON object a line
};

/// Reads the names of --data-format: auto, lines, tsv, tsv-quoted, csv, jsonl. Fails with
/// invalidArgument.
[[nodiscard]] Result<RecordFormat> parseRecordFormat(std::string_view name);
/// The name that parseRecordFormat reads.
[[nodiscard]] std::string_view recordFormatName(RecordFormat format);

/// The format that the ending of a file's name stands for, before an ending for compression;
/// automatic for other endings.
[[nodiscard]] RecordFormat formatOfName(std::string_view fileName);
/// So much of a text is enough to tell its format.
inline constexpr std::size_t kFirstLineBytes = std::size_t{1} << 20;
/// The format of a table without a name: jsonLines where it begins with {, tsv where its first line
/// has a tab, else csv.
[[nodiscard]] RecordFormat formatOfStart(std::string_view start);

/// Whether a column is named by its number, and not by the first record.
[[nodiscard]] bool isColumnNumber(std::string_view column);

/// Finds the records of a text that comes in pieces, and their fields, and keeps the bytes.
/// Byte order mark and empty lines belong to no record. Lines end with LF or CR LF.
class RecordScanner {
public:
    static constexpr std::size_t kLongestField = std::size_t{16} << 20;
    static constexpr std::size_t kLongestRecord = std::size_t{64} << 20;

    /// Places in text().
    struct Field {
        std::size_t begin = 0;
        std::size_t end = 0;
        bool isQuoted = false;  ///< the quotes are part of the field
    };
    struct Record {
        std::span<const Field> fields{};  ///< until the next call
        std::int64_t line = 0;            ///< in which it begins
        /// Why the fields cannot be trusted, with its line: quotes out of place, a carriage return
        /// that ends no line, or another number of fields than the first record has.
        std::optional<Error> problem{};
    };

    /// isGuessed  nobody named the format: a tsv field that looks as if it were quoted is a problem
    RecordScanner(RecordFormat format, bool isGuessed);

    void add(std::string_view text) { m_text += text; }
    /// Forgets the records given out and all between them.
    void forget();
    /// There is no more text: the last record needs no line end.
    void finish() { m_isFinished = true; }

    /// The next record that is whole; nothing where there is none as yet. Fails with badFile and
    /// the line for a field or record that is too long, and a quoted field without an end.
    [[nodiscard]] Result<std::optional<Record>> next();

    /// The bytes that are not forgotten.
    [[nodiscard]] std::string_view text() const { return m_text; }
    /// How many of them belong to records given out, or to none.
    [[nodiscard]] std::size_t given() const { return m_begin; }
    [[nodiscard]] std::string_view bytesOf(const Field& field) const {
        return text().substr(field.begin, field.end - field.begin);
    }
    /// The content of a field, without its quotes.
    [[nodiscard]] std::string contentOf(const Field& field) const;

private:
    enum class Place {
        fieldStart,
        plain,          ///< in a field without quotes
        quoted,         ///< between quotes
        closed,         ///< behind a quote that closes a field, unless another one follows
        carriageReturn  ///< behind one that is outside of quotes
    };

    void skipByteOrderMark();
    [[nodiscard]] bool take(char byte);
    void endField(std::size_t end);
    [[nodiscard]] std::optional<Record> endRecord();
    void doubt(std::string message, std::int64_t line);
    [[nodiscard]] Result<void> checkLength() const;

    RecordFormat m_format;
    bool m_isGuessed;
    bool m_hasColumns;
    bool m_hasQuotes;
    char m_separator;
    std::string m_text{};
    std::size_t m_begin = 0;  ///< of the record under construction
    std::size_t m_at = 0;     ///< the next byte
    std::size_t m_fieldBegin = 0;
    std::size_t m_longestField = 0;  ///< of the record under construction
    std::vector<Field> m_fields{};
    std::size_t m_width = 0;  ///< fields of the first record; 0: none came
    Place m_place = Place::fieldStart;
    std::optional<Error> m_problem{};  ///< of the record under construction
    bool m_isBegun = false;            ///< whether there is a byte order mark is known
    bool m_isFinished = false;
    std::int64_t m_line = 1;        ///< of the next byte
    std::int64_t m_recordLine = 1;  ///< in which the record began
    std::int64_t m_quoteLine = 1;   ///< in which the last quoted field began
};

/// A member of a JSON object.
struct JsonMember {
    std::string name{};
    std::string_view value{};  ///< as it stands in the text
};

/// The members of a JSON object in the order of the text; nothing where the text is no JSON object.
/// In time linear in the text.
[[nodiscard]] std::optional<std::vector<JsonMember>> membersOf(std::string_view text);

}  // namespace epsilens::io
