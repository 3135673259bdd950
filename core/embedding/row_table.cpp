#include "core/embedding/row_table.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "core/base/numbers.h"

namespace epsilens::embedding {
namespace {

/// Buffers of the readers, which do not grow with the file.
constexpr double kFixedBytes = 64.0 * (1 << 20);
/// A word with its place in the vocabulary: text, end, slots of a table at most half full.
constexpr double kBytesPerWord = 40.0;
/// Bytes of text that these have room for.
constexpr std::size_t kUsualWordBytes = 16;
/// While the text of a vocabulary grows, it is there twice.
constexpr double kCopiesOfText = 2.0;

/// What can be done when only so many rows fit.
std::string remedyWhen(std::int64_t fitting) {
    return fmt::format("load {} or the words of a list",
                       fitting == 0 ? std::string("fewer rows")
                                    : fmt::format("the first {}", formatCount(fitting)));
}

/// What is wrong with a line of so many dimensions.
std::string numbersText(std::string_view line, Eigen::Index dimensions) {
    const std::int64_t numbers = countNumbers(line);
    const std::string expected = formatCount(dimensions);
    return numbers == 1 ? fmt::format("1 number, expected {}", expected)
                        : fmt::format("{} numbers, expected {}", formatCount(numbers), expected);
}

}  // namespace

double RowTable::bytesFor(std::int64_t rows) const {
    const double perRow = m_options.copies * static_cast<double>(m_dimensions) * sizeof(float);
    return kFixedBytes + m_longWordBytes + static_cast<double>(rows) * (perRow + kBytesPerWord);
}

std::int64_t RowTable::rowsThatFit(double otherBytes) const {
    const double left = m_budget.limit() - otherBytes - bytesFor(0);
    const double perRow = (bytesFor(1'000'000) - bytesFor(0)) / 1e6;
    // Something is needed besides, so not to the last row.
    const double rows = std::floor(0.9 * left / perRow);
    if (rows < 1.0) {
        return 0;
    }
    const double unit = std::pow(10.0, std::max(0.0, std::floor(std::log10(rows)) - 1.0));
    return static_cast<std::int64_t>(std::floor(rows / unit) * unit);
}

Result<float*> RowTable::makeRoom(std::int64_t rows, double otherBytes) {
    const std::int64_t kept = m_vocabulary.size();
    // Long words may have used up what was free when the matrix grew.
    const bool fits = bytesFor(kept + rows) <= m_budget.limit();
    if (kept + rows > m_vectors.rows() || otherBytes > 0.0 || !fits) {
        RETURN_IF_ERROR(grow(kept + rows, otherBytes));
    }
    return m_vectors.data() + kept * m_dimensions;
}

Result<void> RowTable::grow(std::int64_t rows, double otherBytes) {
    if (rows > std::numeric_limits<Row>::max()) {
        Error tooMany{ErrorCode::resourceLimit,
                      fmt::format("the file has more than {} rows; {}",
                                  formatCount(std::numeric_limits<Row>::max()), remedyWhen(0))};
        tooMany.remedy = Remedy::fewerRows;
        return tl::unexpected(std::move(tooMany));
    }
    std::int64_t expected = m_expectedRows;
    if (m_selection != nullptr) {
        expected = std::min(expected, m_selection->size());
    }
    if (m_options.limitRows > 0) {
        expected = std::min(expected, m_options.limitRows);
    }
    const std::int64_t sure = std::max(rows, expected);
    const auto what = [&](std::int64_t count) {
        return fmt::format("{} rows of {} values", formatCount(count), m_dimensions);
    };
    const std::int64_t fitting = rowsThatFit(otherBytes);
    RETURN_IF_ERROR(checkMemory(bytesFor(sure) + otherBytes, what(sure), fitting));
    // Memory that is not written to costs nothing, so growing by halves is only bounded by the
    // limit.
    const std::int64_t generous = std::max<std::int64_t>(sure, m_vectors.rows() / 2 * 3);
    const bool generousFits =
        m_budget.check(bytesFor(generous) + otherBytes, what(generous), {}).has_value();
    m_vectors.conservativeResize(generousFits ? generous : sure, m_dimensions);
    return {};
}

Result<void> RowTable::checkMemory(double bytes, std::string_view what,
                                   std::int64_t fitting) const {
    return m_budget.check(bytes, what, remedyWhen(fitting)).map_error([fitting](Error error) {
        error.rowsThatFit = fitting;
        error.remedy = Remedy::fewerRows;
        return error;
    });
}

Result<void> RowTable::checkBeforeRows(double bytes, std::string_view what) const {
    return checkMemory(kFixedBytes + bytes, what);
}

Result<void> RowTable::makeRoomForWord(std::string_view word) {
    if (word.size() <= kUsualWordBytes || m_vocabulary.find(word)) {
        return {};
    }
    m_longWordBytes += kCopiesOfText * static_cast<double>(word.size() - kUsualWordBytes);
    const std::int64_t rows = m_vocabulary.size() + 1;
    const double bytes = bytesFor(rows);
    if (bytes <= m_budget.limit()) {
        return {};
    }
    return checkMemory(bytes, fmt::format("the words of {} rows", formatCount(rows)));
}

Result<void> RowTable::commit(RowStatus status, std::string_view word, const float* values,
                              std::int64_t position) {
    if (status == RowStatus::blank) {
        return {};
    }
    if (m_options.limitRows > 0 && m_rowsSeen == m_options.limitRows) {
        m_report.limitedTo = m_options.limitRows;
        return {};
    }
    ++m_rowsSeen;
    switch (status) {
        case RowStatus::wrongLength:
            return skip(m_report.wrongLength,
                        m_options.strict ? numbersText(word, m_dimensions) : "", position);
        case RowStatus::emptyWord:
            return skip(m_report.emptyWords, "the word is empty", position);
        case RowStatus::invalidText:
            return skip(m_report.invalidText, "the word is not valid UTF-8", position);
        case RowStatus::controlCharacter:
            return skip(m_report.invalidText, "the word has a control character", position);
        case RowStatus::notFinite:
            return skip(m_report.notFinite, "a value is not a finite number", position);
        case RowStatus::usable:
        case RowStatus::blank:
            break;
    }
    if (!isSelected(word)) {
        return {};
    }
    RETURN_IF_ERROR(makeRoomForWord(word));
    const auto row = m_vocabulary.add(word);
    if (!row) {
        return skip(m_report.duplicates, fmt::format("the word \"{}\" is there again", word),
                    position);
    }
    float* const place = m_vectors.data() + std::int64_t{*row} * m_dimensions;
    if (place != values) {
        std::memmove(place, values, static_cast<std::size_t>(m_dimensions) * sizeof(float));
    }
    return {};
}

Result<void> RowTable::skip(SkippedRows& reason, std::string_view what, std::int64_t position) {
    reason.add(position);
    if (!m_options.strict) {
        return {};
    }
    // An error has a place for a line; who shows it names that.
    if (m_isText) {
        return tl::unexpected(Error{ErrorCode::badFile, std::string(what), {}, position});
    }
    return fail(ErrorCode::badFile, fmt::format("row {}: {}", formatCount(position), what));
}

Result<void> RowTable::finish(Embedding& embedding) {
    if (m_selection != nullptr) {
        m_report.vocabulary =
            LoadReport::Selection{m_vocabulary.size(), m_selection->size() - m_vocabulary.size()};
    }
    if (m_vocabulary.size() == 0) {
        const bool unselected = m_selection != nullptr && m_report.badLines() < m_rowsSeen;
        return fail(ErrorCode::badFile,
                    unselected
                        ? "none of the words asked for is in the file"
                        : fmt::format("no usable row is left: {} of {} rows are bad",
                                      formatCount(m_report.badLines()), formatCount(m_rowsSeen)));
    }
    m_vectors.conservativeResize(m_vocabulary.size(), m_dimensions);
    embedding.vocabulary = std::move(m_vocabulary);
    embedding.vectors = std::move(m_vectors);
    return {};
}

}  // namespace epsilens::embedding
