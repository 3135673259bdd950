#include "core/release/sanitize_stream.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/pass_on.h"
#include "core/text/characters.h"

namespace epsilens::release {
namespace {

/// A place near the end of text that goes on where a character begins that no earlier one needs:
/// neither a continuation byte nor a mark, which alone would pass for punctuation. The end itself
/// where there is none.
std::size_t placeToCut(std::string_view text) {
    constexpr std::size_t kFarthest = 256;
    const std::size_t farthest = text.size() - std::min(kFarthest, text.size() - 1);
    for (std::size_t at = text.size() - 1; at >= farthest; --at) {
        const bool begins = (static_cast<unsigned char>(text[at]) & 0xC0U) != 0x80U;
        if (begins &&
            text::characterClass(text::decode(text, at).codePoint) != text::CharacterClass::mark) {
            return at;
        }
    }
    return text.size();
}

std::string_view linesOf(std::string_view text) {
    return text.substr(0, text.rfind('\n') + 1);  // npos + 1 is 0
}

/// Text that has been read and not yet been released, at most a fixed number of bytes. Gives it out
/// in whole lines; only a line that does not fit is cut, behind its last blank, where no word can
/// go on, and one without a blank between two characters.
class PieceBuffer {
public:
    /// capacity  bytes, at least 16
    explicit PieceBuffer(std::size_t capacity) : m_bytes(capacity, '\0') {}

    /// Where the next bytes go, and how many fit: at least one after each take.
    [[nodiscard]] char* freeSpace() { return m_bytes.data() + m_size; }
    [[nodiscard]] std::size_t freeBytes() const { return m_bytes.size() - m_size; }
    void grow(std::size_t bytes) { m_size += bytes; }

    /// The whole lines that are there, perhaps none.
    [[nodiscard]] std::string_view wholeLines() const;
    struct Piece {
        std::string_view text{};
        bool cutsWord = false;
    };
    /// What to release when the buffer is full: its whole lines, or the part of a line up to a cut.
    [[nodiscard]] Piece fullPiece() const { return pieceOf(all()); }
    /// The same of text that goes on.
    [[nodiscard]] static Piece pieceOf(std::string_view text);
    /// All of it, at the end of the text.
    [[nodiscard]] std::string_view all() const { return {m_bytes.data(), m_size}; }
    /// Forgets the first bytes, which views then no longer hold.
    void drop(std::size_t bytes);

private:
    std::string m_bytes;
    std::size_t m_size = 0;
};

std::string_view PieceBuffer::wholeLines() const {
    return linesOf(all());
}

PieceBuffer::Piece PieceBuffer::pieceOf(std::string_view text) {
    if (const std::string_view lines = linesOf(text); !lines.empty()) {
        return {lines, false};
    }
    const std::size_t blank = text.find_last_of(" \t");
    if (blank != std::string_view::npos) {
        return {text.substr(0, blank + 1), false};
    }
    return {text.substr(0, placeToCut(text)), true};
}

void PieceBuffer::drop(std::size_t bytes) {
    std::copy(m_bytes.begin() + static_cast<std::ptrdiff_t>(bytes),
              m_bytes.begin() + static_cast<std::ptrdiff_t>(m_size), m_bytes.begin());
    m_size -= bytes;
}

class Stream {
public:
    Stream(TextInput& input, TextOutput& output, Sanitizer& sanitizer, const StreamOptions& options,
           const JobContext& job)
        : m_input(input),
          m_output(output),
          m_sanitizer(sanitizer),
          m_options(options),
          m_job(job),
          m_buffer(options.batchBytes) {
        if (!options.table.columns.empty()) {
            m_table.emplace(options.table, input.name());
        }
    }

    /// To the end of the text. Fails with cancelled when stopped.
    [[nodiscard]] Result<void> run() {
        while (true) {
            if (m_job.stopRequested()) {
                return fail(ErrorCode::cancelled, "cancelled");
            }
            const auto read =
                m_input.read(m_buffer.freeSpace(), m_buffer.freeBytes(), m_options.idleMs);
            if (!read) {
                return failBehindWholeLines(read.error());
            }
            m_buffer.grow(read->bytes);
            auto released = release(read->state);
            if (!released || read->state == TextInput::State::end) {
                return released && m_table ? finishTable() : released;
            }
        }
    }

    /// The end of the whole text.
    [[nodiscard]] StreamEnd end() const {
        StreamEnd end;
        end.counts = m_sanitizer.counts();
        end.unchanged = m_sanitizer.unchanged();
        end.wholeLines = m_table ? m_lineEnds + (m_withinLine ? 1 : 0) : end.counts.lines;
        end.counts.bytesWritten = m_output.written();
        addDecoding(end);
        return end;
    }

    /// Makes the output of an interrupted text end with a whole line, if that can be done.
    [[nodiscard]] Result<StreamEnd> endEarly() {
        StreamEnd end{true, m_withinLine, m_lineEnds, m_sanitizer.counts(),
                      m_sanitizer.unchanged()};
        if (end.withinLine && m_output.isRevocable()) {
            RETURN_IF_ERROR(m_output.keepOnly(m_whole.bytesWritten));
            end.withinLine = false;
            end.counts = m_whole;
            end.unchanged = m_unchangedInWhole;
        }
        end.counts.bytesWritten = m_output.written();
        addDecoding(end);
        return end;
    }

private:
    void addDecoding(StreamEnd& end) const {
        end.decoding = m_input.decoding();
        end.counts.invalidReplaced = m_input.replaced();
        end.table = m_options.table;
        if (m_table) {
            end.table.format = m_table->format();
            end.records = m_table->records();
        }
    }

    /// Releases fields of a table, a line or more each: neighbouring short ones at once, long ones
    /// in pieces.
    [[nodiscard]] Result<std::vector<std::string>> replaceFields(const TableText::Fields& fields) {
        std::vector<std::string> texts;
        const auto isLong = [&](std::size_t i) {
            return fields.texts[i].size() > m_options.batchBytes;
        };
        while (texts.size() < fields.texts.size()) {
            std::size_t end = texts.size();
            if (isLong(end)) {
                ASSIGN_OR_RETURN(texts.emplace_back(),
                                 replaceLong(fields.texts[end], fields.records[end]));
                continue;
            }
            while (end < fields.texts.size() && !isLong(end)) {
                ++end;
            }
            RETURN_IF_ERROR(replaceShort(fields, end, texts));
        }
        for (std::size_t i = 0; isForSpreadsheets() && i < texts.size(); ++i) {
            if (io::isFormula(texts[i]) && !m_sanitizer.keepsStart(fields.texts[i])) {
                texts[i].insert(0, 1, '\'');
            }
        }
        return texts;
    }

    [[nodiscard]] bool isForSpreadsheets() const {
        return m_table->format() != io::RecordFormat::jsonLines;
    }

    /// The fields from those that are replaced up to `end`.
    [[nodiscard]] Result<void> replaceShort(const TableText::Fields& fields, std::size_t end,
                                            std::vector<std::string>& replaced) {
        std::string joined;
        std::vector<std::int64_t> documents;
        std::vector<std::int64_t> lineEnds;
        for (std::size_t i = replaced.size(); i < end; ++i) {
            const std::string& text = fields.texts[i];
            lineEnds.push_back(std::count(text.begin(), text.end(), '\n') + 1);
            documents.insert(documents.end(), static_cast<std::size_t>(lineEnds.back()),
                             fields.records[i]);
            joined += text + '\n';
        }
        ASSIGN_OR_RETURN(const auto released,
                         m_sanitizer.sanitize(joined, documents, m_options.threads, m_job));
        std::size_t begin = 0;
        for (const std::int64_t count : lineEnds) {
            std::size_t lastEnd = begin;
            for (std::int64_t i = 0; i < count; ++i) {
                lastEnd = released.find('\n', lastEnd) + 1;
            }
            replaced.push_back(released.substr(begin, lastEnd - 1 - begin));
            begin = lastEnd;
        }
        return {};
    }

    [[nodiscard]] Result<std::string> replaceLong(std::string_view text, std::int64_t record) {
        std::string replaced;
        const auto release = [&](std::string_view piece) -> Result<void> {
            const auto lines =
                static_cast<std::size_t>(std::count(piece.begin(), piece.end(), '\n'));
            const std::vector<std::int64_t> documents(lines + 1, record);
            ASSIGN_OR_RETURN(const auto released,
                             m_sanitizer.sanitize(piece, documents, m_options.threads, m_job));
            replaced += released;
            return {};
        };
        while (text.size() > m_options.batchBytes) {
            const auto piece = PieceBuffer::pieceOf(text.substr(0, m_options.batchBytes));
            RETURN_IF_ERROR(release(piece.text));
            if (piece.cutsWord) {
                m_sanitizer.countCut();
            }
            text.remove_prefix(piece.text.size());
        }
        RETURN_IF_ERROR(release(std::string(text) + '\n'));
        replaced.pop_back();
        return replaced;
    }

    [[nodiscard]] Result<std::string> releasedForm(std::string_view piece) {
        return m_table ? m_table->add(piece, m_replaceFields)
                       : m_sanitizer.sanitize(piece, m_options.threads, m_job);
    }

    [[nodiscard]] Result<void> finishTable() {
        return m_table->finish(m_replaceFields).and_then([&](const std::string& released) {
            return write(released);
        });
    }

    /// Where reading fails, the lines before that place are released, unless they would be taken
    /// back.
    [[nodiscard]] Result<void> failBehindWholeLines(const Error& error) {
        if (error.code == ErrorCode::badFile && !m_output.isRevocable()) {
            RETURN_IF_ERROR(releasePiece(m_buffer.wholeLines()));
        }
        return tl::unexpected(error);
    }

    /// Releases what is due after a read.
    [[nodiscard]] Result<void> release(TextInput::State state) {
        if (state == TextInput::State::end) {
            return releasePiece(m_buffer.all());
        }
        if (m_buffer.freeBytes() < TextInput::kLeastRead) {
            const PieceBuffer::Piece piece = m_buffer.fullPiece();
            return releasePiece(piece.text).map([&] {
                if (piece.cutsWord && !m_table) {
                    m_sanitizer.countCut();
                }
            });
        }
        return state == TextInput::State::idle ? releasePiece(m_buffer.wholeLines())
                                               : Result<void>();
    }

    [[nodiscard]] Result<void> releasePiece(std::string_view piece) {
        if (piece.empty()) {
            return {};
        }
        ASSIGN_OR_RETURN(const auto released, releasedForm(piece));
        if (auto written = write(released); !written) {
            return written;
        }
        // A piece ends with a line or lies within one.
        if (!m_sanitizer.withinLine()) {
            m_whole = m_sanitizer.counts();
            m_whole.bytesWritten = m_output.written();
            m_unchangedInWhole = m_sanitizer.unchanged();
        }
        m_buffer.drop(piece.size());
        report();
        return {};
    }

    /// Keeps count of what came out, also when writing stops halfway.
    [[nodiscard]] Result<void> write(std::string_view released) {
        const std::int64_t before = m_output.written();
        auto result = m_output.write(released, m_job.stop);
        const std::string_view out =
            released.substr(0, static_cast<std::size_t>(m_output.written() - before));
        m_lineEnds += std::count(out.begin(), out.end(), '\n');
        m_withinLine = out.empty() ? m_withinLine : out.back() != '\n';
        return result;
    }

    void report() const {
        if (const auto fraction = m_input.fractionRead()) {
            m_job.progress(*fraction, "Releasing");
        }
    }

    TextInput& m_input;
    TextOutput& m_output;
    Sanitizer& m_sanitizer;
    const StreamOptions& m_options;
    const JobContext& m_job;
    PieceBuffer m_buffer;
    std::optional<TableText> m_table{};
    const TableText::Replace m_replaceFields = [this](const TableText::Fields& fields) {
        return replaceFields(fields);
    };
    std::int64_t m_lineEnds = 0;  ///< in the output
    bool m_withinLine = false;    ///< the output so far
    ReleaseCounts m_whole{};      ///< up to the last whole line
    std::int64_t m_unchangedInWhole = 0;
};

}  // namespace

Result<StreamEnd> sanitizeStream(TextInput& input, TextOutput& output, Sanitizer& sanitizer,
                                 const StreamOptions& options, const JobContext& job) {
    Stream stream(input, output, sanitizer, options, job);
    const auto done = stream.run();
    if (done) {
        return stream.end();
    }
    const bool keepsPartial = done.error().code == ErrorCode::cancelled && options.keepPartial;
    if (!keepsPartial && (output.isRevocable() || output.written() == 0)) {
        return tl::unexpected(done.error());
    }
    auto end = stream.endEarly();
    if (end && !keepsPartial) {
        end->failure = done.error();
    }
    return end;
}

}  // namespace epsilens::release
