#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "core/base/numbers.h"
#include "core/base/parallel.h"
#include "core/base/pass_on.h"
#include "core/embedding/row_readers.h"
#include "core/embedding/text_line.h"
#include "core/io/read_ahead.h"

namespace epsilens::embedding {
namespace {

/// Text that one task parses: large against the cost of a task, small against a block.
constexpr std::size_t kTextPieceBytes = std::size_t{128} << 10;

/// Some lines of a block. Nothing is kept of those that are no candidates: there can be one a byte.
struct Piece {
    std::string_view text{};
    std::vector<ParsedLine> parsed{};  ///< of the candidates
    std::int64_t candidates = 0;       ///< lines long enough to be rows
    std::int64_t firstCandidate = 0;   ///< place of the first one among those of the block
};

bool isBlank(std::string_view line) {
    return line.find_first_not_of(" \t\r") == std::string_view::npos;
}

/// Takes the first line off the text; without its line end.
std::string_view takeLine(std::string_view& text) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    return line;
}

/// Characters of the last number of a line, its sign left out.
std::size_t lastNumberLength(std::string_view line) {
    const std::size_t end = line.find_last_not_of(" \t\r") + 1;
    line = line.substr(0, end);
    const std::size_t begin = line.find_last_of(" \t") + 1;
    line.remove_prefix(begin);
    return line.size() - (line.starts_with('-') ? 1 : 0);
}

class TextReader {
public:
    TextReader(RowTable& table, int threads) : m_table(table), m_threads(threads) {}

    void startAtLine(std::int64_t line) { m_line = line; }

    /// Whether the last line has no line end and too few numbers.
    [[nodiscard]] bool endsWithinRow() const { return m_endsWithinRow; }
    /// Whether the last line has no line end, and a last number that is shorter than is usual in
    /// its column: cut off, it would pass for a number.
    [[nodiscard]] bool endsWithinNumber() const {
        if (m_openNumber == 0 || m_lastLengths.empty()) {
            return false;
        }
        std::vector<std::size_t> lengths = m_lastLengths;
        const auto middle = lengths.begin() + static_cast<std::ptrdiff_t>(lengths.size() / 2);
        std::nth_element(lengths.begin(), middle, lengths.end());
        return m_openNumber < *middle;
    }
    [[nodiscard]] std::int64_t lastLine() const { return m_line - 1; }

    Result<void> readBlock(std::string_view block) {
        measureLastNumbers(block);
        split(block);
        parallelFor(pieceCount(), m_threads, [this](std::int64_t i) { countCandidates(piece(i)); });
        ASSIGN_OR_RETURN(const auto values, m_table.makeRoom(placeCandidates()));
        parallelFor(pieceCount(), m_threads,
                    [&](std::int64_t i) { parseCandidates(piece(i), values); });
        return commitAll(values);
    }

private:
    [[nodiscard]] std::int64_t pieceCount() const {
        return static_cast<std::int64_t>(m_pieces.size());
    }
    Piece& piece(std::int64_t index) { return m_pieces[static_cast<std::size_t>(index)]; }

    /// Whether a line is long enough to hold all numbers; others take no place in the matrix, or
    /// short lines could make it much larger than the file.
    [[nodiscard]] bool isCandidate(std::string_view line) const {
        return static_cast<std::int64_t>(line.size()) >= 2 * m_table.dimensions() && !isBlank(line);
    }

    /// Notes the lengths of the last numbers of some lines at the end of a block.
    void measureLastNumbers(std::string_view block) {
        constexpr std::size_t kMeasured = 100;
        if (block.back() != '\n') {
            const std::size_t start = block.find_last_of('\n') + 1;
            const std::string_view line = block.substr(start);
            m_openNumber = isCandidate(line) ? lastNumberLength(line) : 0;
            block = block.substr(0, start);
        }
        if (!block.empty()) {
            m_lastLengths.clear();
        }
        while (!block.empty() && m_lastLengths.size() < kMeasured) {
            block.remove_suffix(1);
            const std::size_t start = block.find_last_of('\n') + 1;
            if (const std::string_view line = block.substr(start); isCandidate(line)) {
                m_lastLengths.push_back(lastNumberLength(line));
            }
            block = block.substr(0, start);
        }
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
            piece.candidates += isCandidate(takeLine(text)) ? 1 : 0;
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
            if (const std::string_view line = takeLine(text); isCandidate(line)) {
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
                const std::string_view line = takeLine(text);
                const bool candidate = isCandidate(line);
                const RowStatus otherwise =
                    isBlank(line) ? RowStatus::blank : RowStatus::wrongLength;
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
    std::int64_t m_line = 1;
    bool m_endsWithinRow = false;
    std::vector<std::size_t> m_lastLengths{};  ///< of last numbers of lines with a line end
    std::size_t m_openNumber = 0;  ///< length of the last number of a line without; 0: none
};

/// Notes for the report that the file is probably cut off. Fails with badFile when strict.
Result<void> noteEnd(const TextReader& reader, RowTable& table) {
    const bool withinNumber = !table.isCut() && reader.endsWithinNumber();
    table.noteEnd(reader.endsWithinRow() || withinNumber);
    if (!withinNumber || !table.isStrict()) {
        return {};
    }
    return tl::unexpected(
        Error{ErrorCode::badFile,
              "the file ends within a line, and the last number is shorter than is usual in its "
              "column, so it may be cut off; if it is whole, end it with a line end",
              {},
              reader.lastLine()});
}

Result<void> checkAnnounced(const DetectedFormat& format, const RowTable& table,
                            bool endsWithinRow) {
    if (!format.announcedRows || table.isCut()) {
        return {};
    }
    if (endsWithinRow) {
        return fail(ErrorCode::badFile,
                    fmt::format("the file ends in row {} of {}; it may be cut off",
                                formatCount(table.rowsSeen()), formatCount(*format.announcedRows)));
    }
    if (*format.announcedRows == table.rowsSeen()) {
        return {};
    }
    tl::unexpected<Error> wrong =
        fail(ErrorCode::badFile,
             fmt::format("the header announces {} rows, but the file has {}; it may be cut off "
                         "or damaged",
                         formatCount(*format.announcedRows), formatCount(table.rowsSeen())));
    if (format.dimensions == 1) {
        wrong.value().remedy = Remedy::givenFormat;  // the header may be a row itself
    }
    return wrong;
}

}  // namespace

Result<void> readText(io::ByteSource& source, const DetectedFormat& format, RowTable& table,
                      int threads, const JobContext& job) {
    if (const auto left = source.bytesLeft(); left && format.bytesPerRow > 0.0) {
        constexpr double kReserve = 1.02;  // lines vary in length; growing later costs little
        table.expectRows(
            static_cast<std::int64_t>(kReserve * static_cast<double>(*left) / format.bytesPerRow));
    }
    std::vector<char> header(format.headerBytes);
    RETURN_IF_ERROR(source.read(header.data(), header.size()));
    TextReader reader(table, threads);
    reader.startAtLine(format.announcedRows ? 2 : 1);
    io::LineBlocks blocks(source);
    while (!table.isCut()) {
        ASSIGN_OR_RETURN(const auto block, blocks.next());
        if (block.empty()) {
            break;
        }
        RETURN_IF_ERROR(reader.readBlock(block));
        // The reading thread would notice it only after the blocks that are already waiting.
        if (job.stopRequested()) {
            return fail(ErrorCode::cancelled, "loading was cancelled");
        }
        job.progress(source.fractionRead(), "Reading the embedding");
    }
    RETURN_IF_ERROR(noteEnd(reader, table));
    return checkAnnounced(format, table, reader.endsWithinRow());
}

}  // namespace epsilens::embedding
