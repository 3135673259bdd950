#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"
#include "core/io/csv.h"
#include "core/io/record_reader.h"

namespace epsilens::release {

/// Which fields of a table are released.
struct TableOptions {
    /// Names that stand in the first record, which is then no record itself, or numbers from 1, and
    /// every record counts. Of JSON Lines the names of members. Empty: the text is no table.
    std::vector<std::string> columns{};
    io::RecordFormat format = io::RecordFormat::automatic;  ///< not lines
};

/// A table on its way through a release: some fields of each record are replaced, and all other
/// bytes stay as they are. Holds one record at a time.
class TableText {
public:
    /// Some fields of whole records.
    struct Fields {
        std::vector<std::string> texts{};     ///< without quotes and escapes
        std::vector<std::int64_t> records{};  ///< the record of each, counted from 0
    };
    /// Gives as many new texts as there are fields, in their order.
    using Replace = std::function<Result<std::vector<std::string>>(const Fields& fields)>;

    /// fileName  where the format is automatic, its ending decides before the first line does
    /// isFile    nobody waits for the text: where the format is automatic, the first MiB of a table
    ///           with tabs shows what its quotes are
    explicit TableText(TableOptions options, std::string_view fileName = {}, bool isFile = false);

    /// Takes the next characters and returns all records that are whole by now, released. Quotes
    /// stay, and are put where a new text needs them; a tab within a new text of a TSV becomes a
    /// blank. null in JSON Lines stays. Fails with badFile and the line for a record that has a
    /// problem, is too long (RecordScanner) or lacks one of the columns, with invalidArgument for a
    /// column that the first line does not have, and as `replace` does.
    [[nodiscard]] Result<std::string> add(std::string_view text, const Replace& replace);
    /// The same for the last record, which may have no line end.
    [[nodiscard]] Result<std::string> finish(const Replace& replace);

    [[nodiscard]] std::int64_t records() const { return m_records; }
    /// Known once a character has come.
    [[nodiscard]] io::RecordFormat format() const { return m_format; }

private:
    using Field = io::RecordScanner::Field;
    using Record = io::RecordScanner::Record;

    void begin();
    [[nodiscard]] Result<std::string> release(const Replace& replace);
    [[nodiscard]] Result<std::vector<Field>> chosenFields(const Record& record);
    [[nodiscard]] Result<std::vector<Field>> chosenMembers(const Record& record) const;
    [[nodiscard]] Result<void> decideColumns(std::span<const Field> fields);
    [[nodiscard]] std::string decoded(const Field& field) const;
    [[nodiscard]] std::string encoded(const Field& field, std::string text) const;

    TableOptions m_options;
    io::RecordFormat m_format;
    bool m_isFile;
    std::string m_start{};  ///< until the format is known
    std::optional<io::RecordScanner> m_scanner{};
    std::vector<std::size_t> m_columns{};  ///< not of JSON Lines, once the first record was read
    std::int64_t m_records = 0;
};

}  // namespace epsilens::release
