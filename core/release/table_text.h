#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"

namespace epsilens::release {

enum class TableFormat {
    automatic,  ///< JSON Lines where the text begins with {, TSV where its first line has a tab,
                ///< CSV
    csv,        ///< RFC 4180
    tsv,        ///< columns between tabs, no quotes
    jsonLines   ///< a JSON object a line
};

/// Reads the names of --data-format: auto, csv, tsv, jsonl. Fails with invalidArgument.
[[nodiscard]] Result<TableFormat> parseTableFormat(std::string_view name);
/// The name that parseTableFormat reads.
[[nodiscard]] std::string_view tableFormatName(TableFormat format);
/// The format that the ending of a file stands for; automatic for other endings.
[[nodiscard]] TableFormat tableFormatOfName(std::string_view fileName);

/// Which fields of a table are released.
struct TableOptions {
    /// Names that stand in the first record, which is then no record itself, or numbers from 1, and
    /// every record counts. Of JSON Lines the names of members. Empty: the text is no table.
    std::vector<std::string> columns{};
    TableFormat format = TableFormat::automatic;
};

/// A table on its way through a release: some fields of each record are replaced, and all other
/// bytes stay as they are. Holds one record at a time.
class TableText {
public:
    static constexpr std::size_t kLongestRecord = std::size_t{64} << 20;

    /// Some fields of whole records.
    struct Fields {
        std::vector<std::string> texts{};     ///< without quotes and escapes
        std::vector<std::int64_t> records{};  ///< the record of each, counted from 0
    };
    /// Gives as many new texts as there are fields, in their order.
    using Replace = std::function<Result<std::vector<std::string>>(const Fields& fields)>;

    explicit TableText(TableOptions options) : m_options(std::move(options)) {}

    /// Takes the next characters and returns all records that are whole by now, released. Quotes
    /// stay, and are put where a new text needs them; a tab within a new text of a TSV becomes a
    /// blank. null in JSON Lines stays. Fails with badFile and the line for a record that is
    /// broken, too long, or without one of the columns, with invalidArgument for a column that the
    /// first line does not have, and as `replace` does.
    [[nodiscard]] Result<std::string> add(std::string_view text, const Replace& replace);
    /// The same for the last record, which may have no line end.
    [[nodiscard]] Result<std::string> finish(const Replace& replace);

    [[nodiscard]] std::int64_t records() const { return m_records; }
    /// Known once a character has come.
    [[nodiscard]] TableFormat format() const { return m_options.format; }

private:
    /// Where a field lies in the text that is held.
    struct Range {
        std::size_t begin = 0;
        std::size_t end = 0;
        bool isQuoted = false;  ///< the quotes are part of the range
    };
    using Ranges = std::vector<Range>;

    enum class Place {
        fieldStart,
        plain,   ///< in a field without quotes
        quoted,  ///< between quotes
        closed   ///< behind a quote that closes a field, unless another one follows
    };

    [[nodiscard]] Place placeBehind(char byte) const;
    void decideFormat();
    [[nodiscard]] Result<std::string> release(std::size_t end, const Replace& replace);
    [[nodiscard]] Result<std::size_t> endOfRecord(std::size_t begin, std::size_t end,
                                                  Ranges& fields);
    [[nodiscard]] Result<Ranges> chosenFields(std::size_t begin, std::size_t end,
                                              const Ranges& fields);
    [[nodiscard]] Result<Ranges> chosenMembers(std::string_view line, std::size_t begin) const;
    [[nodiscard]] Result<void> decideColumns(const Ranges& fields);
    [[nodiscard]] std::string decoded(const Range& range) const;
    [[nodiscard]] std::string encoded(const Range& range, std::string text) const;
    [[nodiscard]] tl::unexpected<Error> broken(std::string message) const;

    TableOptions m_options;
    std::string m_held{};
    std::size_t m_scanned = 0;             ///< bytes of m_held in which no record ends
    Place m_place = Place::fieldStart;     ///< of the byte behind them; of CSV only
    std::vector<std::size_t> m_columns{};  ///< of CSV and TSV, once the first record was read
    bool m_hasColumns = false;
    std::int64_t m_line = 1;  ///< in which the next record begins
    std::int64_t m_records = 0;
};

}  // namespace epsilens::release
