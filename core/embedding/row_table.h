#pragma once

#include <cstdint>
#include <limits>
#include <string_view>

#include "core/base/error.h"
#include "core/embedding/load.h"
#include "core/io/memory_limit.h"

namespace epsilens::embedding {

/// What a row of an embedding file is good for.
enum class RowStatus : std::uint8_t {
    usable,
    blank,
    wrongLength,
    emptyWord,
    invalidText,
    controlCharacter,
    notFinite
};

struct ParsedLine {
    RowStatus status = RowStatus::blank;
    std::string_view word{};  ///< part of the line; all of it when its length is wrong
};

/// Splits a line into its word and its last `dimensions` numbers.
///
/// Numbers are separated by blanks or tabs; blanks and a carriage return at the end do not count.
/// The first token is part of the word unless the line begins with a blank; the word is everything
/// before the numbers and may hold blanks. A line with further numbers between them has the wrong
/// length, as a word of several parts that ends in a number is less likely than a shifted row.
///
/// line    without its line end
/// values  room for `dimensions` numbers; undefined unless the status is usable
[[nodiscard]] ParsedLine parseLine(std::string_view line, std::int64_t dimensions, float* values);

/// Status of a row of a word and `dimensions` values: usable, emptyWord, invalidText,
/// controlCharacter or notFinite.
[[nodiscard]] RowStatus judgeRow(std::string_view word, const float* values,
                                 std::int64_t dimensions);

/// Numbers at the end of a line, read as parseLine does.
[[nodiscard]] std::int64_t countNumbers(std::string_view line);

/// Rows that are read between two reports of progress.
inline constexpr std::int64_t kRowsPerReport = 4'096;

/// The rows of an embedding while they are read: keeps the usable ones, counts the others.
///
/// Readers write values straight into the matrix: makeRoom gives place for candidates behind the
/// kept rows, and commit, called for each candidate in file order, keeps or overwrites them.
class RowTable {
public:
    /// selection  only these words are kept; null keeps all
    /// isText     positions are lines, else rows
    /// All must outlive the table.
    RowTable(const LoadOptions& options, Eigen::Index dimensions, const Vocabulary* selection,
             bool isText, LoadReport& report)
        : m_options(options),
          m_dimensions(dimensions),
          m_selection(selection),
          m_isText(isText),
          m_report(report) {}

    /// For formats that tell their dimension late; before the first row.
    void setDimensions(Eigen::Index dimensions) { m_dimensions = dimensions; }

    /// How many rows are to come, as far as known; only to take memory in one piece.
    void expectRows(std::int64_t rows) { m_expectedRows = rows; }

    /// Room for `rows` further candidates; returns the first value of the first. Pointers of
    /// earlier calls end. Fails with resourceLimit.
    ///
    /// otherBytes  that the reader will need beside the rows
    [[nodiscard]] Result<float*> makeRoom(std::int64_t rows, double otherBytes = 0.0);

    /// Whether `bytes` that the reader needs before the rows fit. Fails with resourceLimit.
    ///
    /// what  needs them, for the message
    [[nodiscard]] Result<void> checkBeforeRows(double bytes, std::string_view what) const;

    /// Takes over or counts the next row of the file.
    ///
    /// word      the whole line when its length is wrong
    /// values    in the room given, not before the place of the rows kept so far; only read when
    ///           the status is usable
    /// position  1-based line or row, for the report
    /// Fails with badFile when strict and the row cannot be used, with resourceLimit when the word
    /// is too long for what is left.
    [[nodiscard]] Result<void> commit(RowStatus status, std::string_view word, const float* values,
                                      std::int64_t position);

    /// Whether the file ends within a row, for the report.
    void noteEnd(bool withinRow) { m_report.endsWithinRow = withinRow; }

    /// Whether the limit of rows is reached and a further row was refused.
    [[nodiscard]] bool isCut() const { return m_report.limitedTo.has_value(); }
    /// Rows of the file committed so far, bad ones included.
    [[nodiscard]] std::int64_t rowsSeen() const { return m_rowsSeen; }
    /// Rows that may still be committed, bad ones included.
    [[nodiscard]] std::int64_t rowsLeft() const {
        return m_options.limitRows > 0 ? m_options.limitRows - m_rowsSeen
                                       : std::numeric_limits<std::int64_t>::max();
    }
    [[nodiscard]] Eigen::Index dimensions() const { return m_dimensions; }
    [[nodiscard]] const LoadOptions& options() const { return m_options; }
    /// Whether a word is kept, as far as a list decides.
    [[nodiscard]] bool isSelected(std::string_view word) const {
        return m_selection == nullptr || m_selection->find(word);
    }

    /// Moves words and vectors out. Fails with badFile when no row was kept.
    [[nodiscard]] Result<void> finish(Embedding& embedding);

private:
    [[nodiscard]] Result<void> skip(SkippedRows& reason, std::string_view what,
                                    std::int64_t position);
    /// Charges a word for what it has beyond a usual one.
    [[nodiscard]] Result<void> makeRoomForWord(std::string_view word);
    [[nodiscard]] double bytesFor(std::int64_t rows) const;
    /// How many rows the memory suffices for, rounded down to two digits; 0 when for none.
    [[nodiscard]] std::int64_t rowsThatFit(double otherBytes) const;
    [[nodiscard]] Result<void> grow(std::int64_t rows, double otherBytes);
    /// The check of the budget, which fewer rows may help against.
    ///
    /// fitting  first rows that would fit, 0 when unknown
    [[nodiscard]] Result<void> checkMemory(double bytes, std::string_view what,
                                           std::int64_t fitting = 0) const;

    const LoadOptions& m_options;
    Eigen::Index m_dimensions;
    const Vocabulary* m_selection;
    bool m_isText;
    LoadReport& m_report;
    io::MemoryBudget m_budget{m_options.memoryLimit};
    Vocabulary m_vocabulary{};
    RowMatrixF m_vectors{};
    double m_longWordBytes = 0.0;  ///< of words kept, beyond what each row has for its word
    std::int64_t m_expectedRows = 0;
    std::int64_t m_rowsSeen = 0;
};

}  // namespace epsilens::embedding
