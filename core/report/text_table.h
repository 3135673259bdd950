#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace epsilens::report {

/// Characters of a UTF-8 text; what it takes up on a terminal unless it holds wide or combining
/// ones.
[[nodiscard]] std::size_t displayWidth(std::string_view utf8);

/// U+FFFD, in place of what cannot be shown.
inline constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

/// The text with U+FFFD for controls, marks of the writing direction, line separators, what is
/// unseen and bytes that are no UTF-8: words of a file must not steer a terminal or forge a line.
[[nodiscard]] std::string printable(std::string_view utf8);

/// Rows of text with aligned columns, two blanks between them.
class TextTable {
public:
    enum class Align { left, right };
    struct Column {
        std::string title{};
        Align align = Align::right;
    };

    explicit TextTable(std::vector<Column> columns);

    /// fields  one per column
    void addRow(std::vector<std::string> fields);
    /// All lines, the titles first, each with a line end and without trailing blanks.
    [[nodiscard]] std::string render() const;

private:
    std::vector<Column> m_columns;
    std::vector<std::vector<std::string>> m_rows;
};

}  // namespace epsilens::report
