#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"
#include "core/io/byte_source.h"
#include "core/io/text_decoder.h"

namespace epsilens::io {

enum class RecordFormat {
    automatic,  ///< by the name's ending, else by the first line; see RecordOptions
    lines,      ///< a record a line
    tsv,        ///< columns between tabs, no quotes: a field holds neither tab nor line end
    csv,  ///< RFC 4180: fields between commas, quoted where they hold commas, quotes, line ends
    jsonLines  ///< a JSON object a line; the members of the first one name the columns
};

/// Reads the names of --data-format: auto, lines, tsv, csv, jsonl. Fails with
/// invalidArgument.
[[nodiscard]] Result<RecordFormat> parseRecordFormat(std::string_view name);
/// The name that parseRecordFormat reads.
[[nodiscard]] std::string_view recordFormatName(RecordFormat format);

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

/// Reads the text of one record after the other. A mark of the byte order at the begin, line ends
/// as CR LF and lines without anything are passed over.
class RecordReader {
public:
    static constexpr std::size_t kLongestRecord = std::size_t{64} << 20;

    /// Fails with badFile, cancelled, and with invalidArgument for a column that is not there, or
    /// when one of several columns has to be chosen: the message names them.
    [[nodiscard]] static Result<RecordReader> open(const RecordOptions& options,
                                                   std::stop_token stop = {});

    /// Replaces the text with that of the next record; false at the end. Fails with badFile, also
    /// for bytes that are no UTF-8, a quoted field without its end and for a record longer than
    /// kLongestRecord, and with cancelled.
    [[nodiscard]] Result<bool> next(std::string& text);

    /// The same for whole records: the column does not matter, and automatic goes on as it does
    /// with a column. The first record may hold names; of jsonLines it always does.
    [[nodiscard]] static Result<RecordReader> openFields(const RecordOptions& options,
                                                         std::stop_token stop = {});
    /// The fields of the next record, until the call after; nothing at the end. A line that is no
    /// JSON object has no fields, and a member that is missing is an empty field. Fails as next.
    [[nodiscard]] Result<std::optional<std::span<const std::string>>> nextFields();
    /// automatic is decided.
    [[nodiscard]] RecordFormat format() const { return m_format; }

    /// Records so far that are too short to have the column.
    [[nodiscard]] std::int64_t skipped() const { return m_skipped; }
    /// As ByteSource::fractionRead.
    [[nodiscard]] double fractionRead() const { return m_source->fractionRead(); }

private:
    RecordReader(std::unique_ptr<io::ByteSource> source, TextDecoder decoder);

    [[nodiscard]] static Result<RecordReader> create(const RecordOptions& options,
                                                     std::stop_token stop);
    [[nodiscard]] Result<void> skipByteOrderMark();
    [[nodiscard]] Result<void> decideFormat(const RecordOptions& options, bool hasColumns);
    [[nodiscard]] Result<void> decideColumn(const std::string& column);
    /// Splits the next record into m_fields; false at the end.
    [[nodiscard]] Result<bool> readFields();
    [[nodiscard]] Result<bool> readSeparated();
    [[nodiscard]] Result<void> nameMembers();
    void splitObject();
    [[nodiscard]] Result<bool> refill();
    [[nodiscard]] bool addByte(char byte);
    void endField();

    /// Where in a record the reader stands.
    enum class Place { fieldStart, plain, quoted, quoteInQuoted };

    std::unique_ptr<io::ByteSource> m_source;
    RecordFormat m_format = RecordFormat::lines;
    std::size_t m_column = 0;
    bool m_keepsFirst =
        false;  ///< the first record was read to decide and is still to be given out
    TextDecoder m_decoder;
    std::vector<char> m_buffer{};
    bool m_isEnd = false;  ///< of the source
    std::string m_text{};  ///< decoded from the buffer
    std::size_t m_at = 0;
    std::vector<std::string> m_fields{};  ///< the first m_fieldCount are of the present record
    std::size_t m_fieldCount = 0;
    std::vector<std::string> m_members{};        ///< names of the columns of jsonLines
    std::optional<std::string> m_firstObject{};  ///< named them and is still to be given out
    std::size_t m_recordBytes = 0;
    Place m_place = Place::fieldStart;
    std::int64_t m_line = 1;
    std::int64_t m_quoteLine = 0;  ///< in which the quoted field began
    std::int64_t m_skipped = 0;
};

}  // namespace epsilens::io
