#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/base/error.h"
#include "core/io/byte_source.h"
#include "core/io/text_decoder.h"

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
/// The place of a column that was asked for, by its name or by its number from 1. Fails with
/// invalidArgument.
///
/// first     record, which need not be one of names
/// hasNames  whether it is, and a number may be one of them
[[nodiscard]] Result<std::size_t> columnIn(std::span<const std::string> first,
                                           std::string_view column, bool hasNames);

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

/// Where the records of a data set are.
struct RecordOptions {
    std::string path{};  ///< plain or compressed as embeddings are
    /// A name that stands in the first record, which is then no record itself; or a number from 1,
    /// and every record counts. Empty: the only column.
    std::string column{};
    /// automatic: csv, tsv or jsonl where the name ends so (before an ending for compression).
    /// Otherwise lines without a column, and with one jsonl where the first line begins with {, tsv
    /// where it holds a tab, else csv.
    RecordFormat format = RecordFormat::automatic;
};

/// Reads the text of one record after the other, as RecordScanner finds them.
class RecordReader {
public:
    /// Fails with badFile, cancelled, and with invalidArgument for a column that is not there, or
    /// when one of several columns has to be chosen.
    [[nodiscard]] static Result<RecordReader> open(const RecordOptions& options,
                                                   std::stop_token stop = {});

    /// Replaces the text with that of the next record; false at the end. Bad records are skipped.
    /// Fails with badFile, also for bytes that are no UTF-8, where the first record is bad, and as
    /// RecordScanner::next does; and with cancelled.
    [[nodiscard]] Result<bool> next(std::string& text);

    /// The same for whole records: the column does not matter, and automatic goes on as it does
    /// with a column. The first record may hold names; of jsonLines it always does.
    [[nodiscard]] static Result<RecordReader> openFields(const RecordOptions& options,
                                                         std::stop_token stop = {});
    /// The fields of the next record, until the call after; nothing at the end. There are as many
    /// as the first record has, or none in a bad record: one with a problem, or a line that is no
    /// JSON object. A member that is missing is an empty field. Fails as next.
    [[nodiscard]] Result<std::optional<std::span<const std::string>>> nextFields();
    /// automatic is decided.
    [[nodiscard]] RecordFormat format() const { return m_format; }

    /// Bad records so far.
    [[nodiscard]] std::int64_t skipped() const { return m_skipped; }
    /// As ByteSource::fractionRead.
    [[nodiscard]] double fractionRead() const { return m_source->fractionRead(); }

private:
    using Fields = std::span<const std::string>;

    RecordReader(std::unique_ptr<ByteSource> source, TextDecoder decoder, RecordFormat format,
                 bool isGuessed);

    [[nodiscard]] static Result<RecordReader> create(const RecordOptions& options, bool hasColumns,
                                                     std::stop_token stop);
    [[nodiscard]] Result<void> decideColumn(const std::string& column);
    [[nodiscard]] Result<std::optional<RecordScanner::Record>> scan();
    [[nodiscard]] std::vector<std::string> valuesOf(const std::vector<JsonMember>& members) const;

    std::unique_ptr<ByteSource> m_source;
    TextDecoder m_decoder;
    RecordFormat m_format;
    RecordScanner m_scanner;
    std::vector<char> m_buffer;
    bool m_isEnd = false;   ///< of the source
    bool m_isFirst = true;  ///< no record was read
    std::size_t m_column = 0;
    std::vector<std::string> m_fields{};               ///< of the last record
    std::optional<std::vector<std::string>> m_next{};  ///< to be given out before all others
    std::unordered_map<std::string, std::size_t> m_members{};  ///< columns of jsonLines by name
    std::int64_t m_skipped = 0;
};

}  // namespace epsilens::io
