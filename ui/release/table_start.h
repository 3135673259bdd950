#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <vector>

#include <QString>

#include "core/io/record_reader.h"

namespace epsilens::ui {

/// The first records of a table: they show which columns are released, and what is wrong with the
/// columns that were typed.
class TableStart {
public:
    TableStart() = default;
    /// Reads some records of a regular file; none of other files, of text in another encoding than
    /// UTF-8, and of text without columns.
    ///
    /// isAskedFor  it is a table, whatever its name and first line look like
    [[nodiscard]] static TableStart read(const QString& path, bool isAskedFor,
                                         io::RecordFormat format = io::RecordFormat::automatic);

    [[nodiscard]] bool isTable() const { return !m_records.empty(); }
    /// Why the file does not have such columns; empty if it has, or nothing is known of the file.
    ///
    /// columns  names, or numbers from 1
    [[nodiscard]] QString problemOf(const std::vector<std::string>& columns) const;
    /// The first two rows as rich text, with what happens to each column and the format that is
    /// written. Empty where there is no table, or a problem with the columns.
    ///
    /// columns  to be released; none: all of the text is
    [[nodiscard]] QString previewOf(const std::vector<std::string>& columns) const;

private:
    using Record = std::vector<std::string>;

    [[nodiscard]] bool looksLikeHeader() const;
    [[nodiscard]] QString problemOfName(const std::string& name) const;
    [[nodiscard]] std::size_t longestColumn() const;
    [[nodiscard]] std::set<std::size_t> releasedOf(const std::vector<std::string>& columns) const;
    [[nodiscard]] QString namesText() const;

    std::vector<Record> m_records{};  ///< of JSON Lines the first one holds the names
    bool m_hasHeader = false;
    io::RecordFormat m_format = io::RecordFormat::automatic;
};

}  // namespace epsilens::ui
