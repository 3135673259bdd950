#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/base/error.h"
#include "core/io/byte_source.h"
#include "core/io/record_scanner.h"
#include "core/io/text_decoder.h"

namespace epsilens::io {

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

    RecordReader(std::unique_ptr<io::ByteSource> source, TextDecoder decoder, RecordFormat format,
                 bool isGuessed);

    [[nodiscard]] static Result<RecordReader> create(const RecordOptions& options, bool hasColumns,
                                                     std::stop_token stop);
    [[nodiscard]] Result<void> decideColumn(const std::string& column);
    [[nodiscard]] Result<std::optional<RecordScanner::Record>> scan();
    [[nodiscard]] Fields fieldsOf(const RecordScanner::Record& record);
    [[nodiscard]] Result<Fields> namesIn(const std::string& object, std::int64_t line);
    [[nodiscard]] Fields valuesIn(const std::string& object);

    std::unique_ptr<io::ByteSource> m_source;
    TextDecoder m_decoder;
    RecordFormat m_format;
    RecordScanner m_scanner;
    std::vector<char> m_buffer;
    bool m_isEnd = false;   ///< of the source
    bool m_isFirst = true;  ///< no record was read
    std::size_t m_column = 0;
    bool m_keepsFirst = false;            ///< the fields were read to decide, and are to be given
    std::vector<std::string> m_fields{};  ///< of the last record that was not bad
    std::unordered_map<std::string, std::size_t> m_members{};  ///< columns of jsonLines by name
    std::optional<std::string> m_firstObject{};  ///< named them and is still to be given out
    std::int64_t m_skipped = 0;
};

}  // namespace epsilens::io
