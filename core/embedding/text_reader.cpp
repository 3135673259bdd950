#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include <fast_float/fast_float.h>
#include <fmt/format.h>

#include "core/base/numbers.h"
#include "core/base/parallel.h"
#include "core/embedding/row_readers.h"
#include "core/io/read_ahead.h"
#include "core/io/text_decoder.h"

namespace epsilens::embedding {
namespace {

bool isBlank(char c) {
    return c == ' ' || c == '\t';
}

std::string_view withoutEnd(std::string_view line) {
    return line.substr(0, line.find_last_not_of(" \t\r") + 1);
}

/// Reads a decimal number without exponent and with at most seven digits after leading zeros, as
/// most files have; returns its end, or nullptr for all others.
///
/// The digits are below 2^24 and the power of ten is at most 10^10, so both are exact in float32
/// and the one division rounds correctly (Clinger 1990). Twice as fast as the general way.
const char* readShortDecimal(const char* at, const char* end, float& value) {
    constexpr std::array kPowersOfTen{1e0F, 1e1F, 1e2F, 1e3F, 1e4F, 1e5F,
                                      1e6F, 1e7F, 1e8F, 1e9F, 1e10F};
    const bool negative = at != end && *at == '-';
    at += negative ? 1 : 0;
    const char* const first = at;
    const char* point = nullptr;
    std::uint32_t digits = 0;
    int significant = 0;
    for (; at != end && !isBlank(*at); ++at) {
        const auto digit = static_cast<std::uint32_t>(*at - '0');
        if (digit < 10) {
            digits = 10 * digits + digit;
            significant += digits != 0 ? 1 : 0;
        } else if (*at == '.' && point == nullptr) {
            point = at;
        } else {
            return nullptr;
        }
    }
    const auto decimals = point == nullptr ? 0 : static_cast<std::size_t>(at - point) - 1;
    const bool onlyPoint = at - first == (point == nullptr ? 0 : 1);
    if (onlyPoint || significant > 7 || decimals >= kPowersOfTen.size()) {
        return nullptr;
    }
    const float size = static_cast<float>(digits) / kPowersOfTen[decimals];
    value = negative ? -size : size;
    return at;
}

/// Reads the number that begins at `at`; returns its end, or nullptr if there is none.
const char* readNumber(const char* at, const char* end, float& value) {
    if (const char* const stop = readShortDecimal(at, end, value)) {
        return stop;
    }
    if (at != end && *at == '+') {
        ++at;
        if (at != end && *at == '-') {
            return nullptr;
        }
    }
    const auto [stop, status] = fast_float::from_chars(at, end, value);
    // Beyond the range some versions report an error and some do not; both set the value to
    // infinity.
    const bool read = status == std::errc{} || status == std::errc::result_out_of_range;
    return read && (stop == end || isBlank(*stop)) ? stop : nullptr;
}

bool isNumber(std::string_view token) {
    float value = 0.0F;
    return readNumber(token.data(), token.data() + token.size(), value) ==
           token.data() + token.size();
}

/// Splits the last token off a text that does not end in a blank; `rest` keeps what is before it,
/// without blanks at its end.
std::string_view takeLastToken(std::string_view& rest) {
    const std::size_t begin = rest.find_last_of(" \t") + 1;
    const std::string_view token = rest.substr(begin);
    rest = withoutEnd(rest.substr(0, begin));
    return token;
}

/// Reads exactly `dimensions` numbers that fill [at, end).
bool readNumbers(const char* at, const char* end, std::int64_t dimensions, float* values) {
    for (std::int64_t i = 0; i < dimensions; ++i) {
        while (at != end && isBlank(*at)) {
            ++at;
        }
        at = readNumber(at, end, values[i]);
        if (at == nullptr) {
            return false;
        }
    }
    return at == end;
}

/// Numbers from the last one backwards, for words of several parts.
ParsedLine parseBackwards(std::string_view line, std::int64_t dimensions, float* values) {
    std::string_view rest = line;
    for (std::int64_t i = dimensions - 1; i >= 0; --i) {
        const std::string_view token = takeLastToken(rest);
        const char* const tokenEnd = token.data() + token.size();
        if (token.empty() || readNumber(token.data(), tokenEnd, values[i]) != tokenEnd ||
            token.data() == line.data()) {
            return {RowStatus::wrongLength, line};
        }
    }
    rest.remove_prefix(std::min(rest.find_first_not_of(" \t"), rest.size()));
    std::string_view before = rest;
    const std::string_view last = takeLastToken(before);
    const bool lastMayBeWord = before.empty() && !isBlank(line.front());
    if (!last.empty() && !lastMayBeWord && isNumber(last)) {
        return {RowStatus::wrongLength, line};
    }
    return {judgeRow(rest, values, dimensions), rest};
}

/// Text that one task parses: large against the cost of a task, small against a block.
constexpr std::size_t kTextPieceBytes = std::size_t{128} << 10;

/// Some lines of a block. Nothing is kept of those that are no candidates: there can be one a byte.
struct Piece {
    std::string_view text{};
    std::vector<ParsedLine> parsed{};  ///< of the candidates
    std::int64_t candidates = 0;       ///< lines long enough to be rows
    std::int64_t firstCandidate = 0;   ///< place of the first one among those of the block
};

class TextReader {
public:
    /// line  number of the first one
    TextReader(RowTable& table, std::int64_t line, int threads)
        : m_table(table), m_threads(threads), m_line(line) {}

    Result<void> readBlock(std::string_view block) {
        split(block);
        parallelFor(pieceCount(), m_threads, [this](std::int64_t i) { countCandidates(piece(i)); });
        ASSIGN_OR_RETURN(const auto values, m_table.makeRoom(placeCandidates()));
        parallelFor(pieceCount(), m_threads,
                    [&](std::int64_t i) { parseCandidates(piece(i), values); });
        return commitAll(values);
    }

    /// Notes for the report that the file is probably cut off. Fails with badFile where rows were
    /// announced that are not there.
    Result<void> finish(const DetectedFormat& format) const {
        if (m_table.isCut()) {
            return {};
        }
        m_table.noteEnd(m_endsWithinRow);
        if (!format.announcedRows) {
            return {};
        }
        const std::int64_t announced = *format.announcedRows;
        if (m_endsWithinRow) {
            return fail(ErrorCode::badFile,
                        fmt::format("the file ends in row {} of {}; it may be cut off",
                                    formatCount(m_table.rowsSeen()), formatCount(announced)));
        }
        if (announced == m_table.rowsSeen()) {
            return {};
        }
        return fail(
            ErrorCode::badFile,
            fmt::format(
                "the header announces {} rows, but the file has {}; it may be cut off or damaged",
                formatCount(announced), formatCount(m_table.rowsSeen())));
    }

private:
    [[nodiscard]] std::int64_t pieceCount() const { return std::ssize(m_pieces); }
    Piece& piece(std::int64_t index) { return m_pieces[static_cast<std::size_t>(index)]; }

    /// Whether a line is long enough to hold all numbers; others take no place in the matrix, or
    /// short lines could make it much larger than the file.
    [[nodiscard]] bool isCandidate(std::string_view line) const {
        return std::ssize(line) >= 2 * m_table.dimensions() && !withoutEnd(line).empty();
    }

    void split(std::string_view block) {
        m_pieces.clear();
        while (!block.empty()) {
            std::size_t end = block.size();
            if (end > kTextPieceBytes) {
                end = std::min(block.find('\n', kTextPieceBytes), block.size() - 1) + 1;
            }
            m_pieces.emplace_back().text = block.substr(0, end);
            block.remove_prefix(end);
        }
    }

    void countCandidates(Piece& piece) const {
        std::string_view text = piece.text;
        while (!text.empty()) {
            piece.candidates += isCandidate(io::takeLine(text)) ? 1 : 0;
        }
    }

    /// Leaves out pieces that lie wholly behind the limit of rows: they would take memory.
    std::int64_t placeCandidates() {
        std::int64_t candidates = 0;
        for (auto piece = m_pieces.begin(); piece != m_pieces.end(); ++piece) {
            piece->firstCandidate = candidates;
            candidates += piece->candidates;
            if (candidates > m_table.rowsLeft()) {
                m_pieces.erase(piece + 1, m_pieces.end());
                break;
            }
        }
        return candidates;
    }

    void parseCandidates(Piece& piece, float* values) const {
        float* row = values + piece.firstCandidate * m_table.dimensions();
        piece.parsed.reserve(static_cast<std::size_t>(piece.candidates));
        std::string_view text = piece.text;
        while (!text.empty()) {
            if (const std::string_view line = io::takeLine(text); isCandidate(line)) {
                piece.parsed.push_back(parseLine(line, m_table.dimensions(), row));
                row += m_table.dimensions();
            }
        }
    }

    Result<void> commitAll(const float* values) {
        for (const Piece& piece : m_pieces) {
            const float* row = values + piece.firstCandidate * m_table.dimensions();
            auto parsed = piece.parsed.begin();
            for (std::string_view text = piece.text; !text.empty(); ++m_line) {
                const std::string_view line = io::takeLine(text);
                const bool candidate = isCandidate(line);
                const RowStatus otherwise =
                    withoutEnd(line).empty() ? RowStatus::blank : RowStatus::wrongLength;
                const ParsedLine found = candidate ? *parsed : ParsedLine{otherwise, line};
                auto done = m_table.commit(found.status, found.word, row, m_line);
                if (!done || m_table.isCut()) {
                    return done;
                }
                m_endsWithinRow = text.empty() && piece.text.back() != '\n' &&
                                  found.status == RowStatus::wrongLength &&
                                  countNumbers(line) < m_table.dimensions();
                parsed += candidate ? 1 : 0;
                row += candidate ? m_table.dimensions() : 0;
            }
        }
        return {};
    }

    RowTable& m_table;
    int m_threads;
    std::vector<Piece> m_pieces{};
    std::int64_t m_line;
    bool m_endsWithinRow = false;  ///< the last line has no line end and too few numbers
};

}  // namespace

RowStatus judgeRow(std::string_view word, const float* values, std::int64_t dimensions) {
    if (word.empty()) {
        return RowStatus::emptyWord;
    }
    if (!io::isValidUtf8(word)) {
        return RowStatus::invalidText;
    }
    if (io::hasControlCharacter(word)) {
        return RowStatus::controlCharacter;
    }
    const bool isFinite =
        std::all_of(values, values + dimensions, [](float value) { return std::isfinite(value); });
    return isFinite ? RowStatus::usable : RowStatus::notFinite;
}

ParsedLine parseLine(std::string_view line, std::int64_t dimensions, float* values) {
    line = withoutEnd(line);
    if (line.empty()) {
        return {};
    }
    const std::size_t wordEnd = std::min(line.find_first_of(" \t"), line.size());
    if (readNumbers(line.data() + wordEnd, line.data() + line.size(), dimensions, values)) {
        const std::string_view word = line.substr(0, wordEnd);
        return {judgeRow(word, values, dimensions), word};
    }
    return parseBackwards(line, dimensions, values);
}

std::int64_t countNumbers(std::string_view line) {
    std::string_view rest = withoutEnd(line);
    std::int64_t count = 0;
    while (!rest.empty()) {
        const std::string_view token = takeLastToken(rest);
        if (token.data() == line.data() || !isNumber(token)) {
            break;
        }
        ++count;
    }
    return count;
}

Result<void> readText(io::ByteSource& source, const DetectedFormat& format, RowTable& table,
                      int threads, const JobContext& job) {
    if (const auto left = source.bytesLeft(); left && format.bytesPerRow > 0.0) {
        constexpr double kReserve = 1.02;  // lines vary in length; growing later costs little
        table.expectRows(
            static_cast<std::int64_t>(kReserve * static_cast<double>(*left) / format.bytesPerRow));
    }
    std::vector<char> header(format.headerBytes);
    RETURN_IF_ERROR(source.read(header.data(), header.size()));
    TextReader reader(table, format.announcedRows ? 2 : 1, threads);
    io::ReadAhead blocks = io::lineBlocks(source);
    while (!table.isCut()) {
        ASSIGN_OR_RETURN(const auto block, blocks.next());
        if (block.empty()) {
            break;
        }
        RETURN_IF_ERROR(reader.readBlock(block));
        // The reading thread would notice it only after the blocks that are already waiting.
        RETURN_IF_ERROR(job.checkStop());
        job.progress(source.fractionRead(), "Reading the embedding");
    }
    return reader.finish(format);
}

}  // namespace epsilens::embedding
