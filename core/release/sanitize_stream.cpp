#include "core/release/sanitize_stream.h"

#include <algorithm>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <unistd.h>

#include "core/base/ascii.h"
#include "core/base/error.h"
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
        if (!continuesCharacter(text[at]) &&
            text::characterClass(text::decode(text, at).codePoint) != text::CharacterClass::mark) {
            return at;
        }
    }
    return text.size();
}

std::string_view linesOf(std::string_view text) {
    return text.substr(0, text.rfind('\n') + 1);  // npos + 1 is 0
}

struct Piece {
    std::string_view text{};
    bool cutsWord = false;
};

/// What to release first of text that goes on, at most so many bytes: its whole lines. A line that
/// is longer is cut behind its last blank, where no word can go on, and one without a blank between
/// two characters.
Piece pieceOf(std::string_view text, std::size_t most) {
    while (most < text.size() && continuesCharacter(text[most])) {
        --most;
    }
    text = text.substr(0, most);
    if (const std::string_view lines = linesOf(text); !lines.empty()) {
        return {lines, false};
    }
    const std::size_t blank = text.find_last_of(" \t");
    if (blank != std::string_view::npos) {
        return {text.substr(0, blank + 1), false};
    }
    return {text.substr(0, placeToCut(text)), true};
}

std::int64_t lineEndsOf(std::string_view text) {
    return std::ranges::count(text, '\n');
}

class Stream {
public:
    Stream(TextInput& input, io::Output& output, Sanitizer& sanitizer, const StreamOptions& options,
           const JobContext& job)
        : m_input(input), m_output(output), m_sanitizer(sanitizer), m_options(options), m_job(job) {
        if (!options.table.columns.empty()) {
            m_table.emplace(options.table, input.name(), input.fractionRead(0).has_value());
        }
    }

    /// To the end of the text. Fails with cancelled when stopped.
    [[nodiscard]] Result<void> run() {
        for (auto state = TextInput::State::data; state != TextInput::State::end;) {
            RETURN_IF_ERROR(m_job.checkStop());
            const auto read = m_input.read(m_text, m_options.idleMs);
            if (!read) {
                return failBehindWholeLines(read.error());
            }
            state = *read;
            while (m_text.size() >= m_options.batchBytes) {
                const Piece piece = pieceOf(m_text, m_options.batchBytes);
                RETURN_IF_ERROR(release(piece.text));
                if (piece.cutsWord && !m_table) {
                    m_sanitizer.countCut();
                }
            }
            if (state != TextInput::State::data) {
                RETURN_IF_ERROR(release(state == TextInput::State::end ? m_text : linesOf(m_text)));
            }
        }
        if (!m_table) {
            return {};
        }
        ASSIGN_OR_RETURN(const auto last, m_table->finish(m_replaceFields));
        return write(last);
    }

    /// How the text ended. Makes the output of an interrupted one end with a whole line, if that
    /// can be done.
    [[nodiscard]] Result<StreamEnd> end(bool isWhole) {
        StreamEnd end{.interrupted = !isWhole,
                      .withinLine = !isWhole && m_withinLine,
                      .wholeLines = m_lineEnds + (isWhole && m_withinLine ? 1 : 0),
                      .counts = m_sanitizer.counts(),
                      .unchanged = m_sanitizer.unchanged(),
                      .decoding = m_input.decoding(),
                      .table = m_options.table};
        if (end.withinLine && m_output.isRevocable()) {
            RETURN_IF_ERROR(m_output.keepOnly(m_whole.bytesWritten));
            end.withinLine = false;
            end.counts = m_whole;
            end.unchanged = m_unchangedInWhole;
        }
        end.counts.bytesWritten = m_output.written();
        end.counts.invalidReplaced = m_input.replaced();
        if (m_table) {
            end.table.format = m_table->format();
            end.records = m_table->records();
        }
        return end;
    }

private:
    /// Releases fields of a table: as lines of one text, each with the record that it belongs to.
    [[nodiscard]] Result<std::vector<std::string>> replaceFields(const TableText::Fields& fields) {
        std::string joined;
        std::vector<std::int64_t> records;  // of each line
        for (std::size_t i = 0; i < fields.texts.size(); ++i) {
            joined += fields.texts[i] + '\n';
            records.resize(
                records.size() + static_cast<std::size_t>(lineEndsOf(fields.texts[i]) + 1),
                fields.records[i]);
        }
        ASSIGN_OR_RETURN(const std::string released, replaceLines(joined, records));
        std::vector<std::string> texts;
        std::size_t begin = 0;
        for (const std::string& field : fields.texts) {
            std::size_t end = begin;
            for (std::int64_t lines = lineEndsOf(field) + 1; lines > 0; --lines) {
                end = released.find('\n', end) + 1;
            }
            std::string& text = texts.emplace_back(released, begin, end - 1 - begin);
            // What a spreadsheet would run.
            if (m_table->format() != io::RecordFormat::jsonLines && io::isFormula(text) &&
                !m_sanitizer.keepsStart(field)) {
                text.insert(0, 1, '\'');
            }
            begin = end;
        }
        return texts;
    }

    [[nodiscard]] Result<std::string> replaceLines(std::string_view lines,
                                                   std::span<const std::int64_t> records) {
        std::string released;
        while (!lines.empty()) {
            const Piece piece = lines.size() > m_options.batchBytes
                                    ? pieceOf(lines, m_options.batchBytes)
                                    : Piece{lines};
            ASSIGN_OR_RETURN(const auto text,
                             m_sanitizer.sanitize(piece.text, records, m_options.threads, m_job));
            released += text;
            if (piece.cutsWord) {
                m_sanitizer.countCut();
            }
            records = records.subspan(static_cast<std::size_t>(lineEndsOf(piece.text)));
            lines.remove_prefix(piece.text.size());
        }
        return released;
    }

    /// Where reading fails, the lines before that place are released, unless they would be taken
    /// back.
    [[nodiscard]] Result<void> failBehindWholeLines(const Error& error) {
        if (error.code == ErrorCode::badFile && !m_output.isRevocable()) {
            RETURN_IF_ERROR(release(linesOf(m_text)));
        }
        return tl::unexpected(error);
    }

    /// The first characters of m_text.
    [[nodiscard]] Result<void> release(std::string_view piece) {
        if (piece.empty()) {
            return {};
        }
        ASSIGN_OR_RETURN(const auto released,
                         m_table ? m_table->add(piece, m_replaceFields)
                                 : m_sanitizer.sanitize(piece, m_options.threads, m_job));
        RETURN_IF_ERROR(write(released));
        // A piece ends with a line or lies within one.
        if (!m_sanitizer.withinLine()) {
            m_whole = m_sanitizer.counts();
            m_whole.bytesWritten = m_output.written();
            m_unchangedInWhole = m_sanitizer.unchanged();
        }
        m_text.erase(0, piece.size());
        if (const auto fraction = m_input.fractionRead(m_text.size())) {
            m_job.progress(*fraction, "Releasing");
        }
        return {};
    }

    /// Keeps count of what came out, also when writing stops halfway.
    [[nodiscard]] Result<void> write(std::string_view released) {
        const std::int64_t before = m_output.written();
        auto result = m_output.write(released, m_job.stop);
        const std::string_view out =
            released.substr(0, static_cast<std::size_t>(m_output.written() - before));
        m_lineEnds += lineEndsOf(out);
        m_withinLine = out.empty() ? m_withinLine : out.back() != '\n';
        return result;
    }

    TextInput& m_input;
    io::Output& m_output;
    Sanitizer& m_sanitizer;
    const StreamOptions& m_options;
    const JobContext& m_job;
    std::string m_text{};  ///< that has been read and not yet been released
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

Result<StreamEnd> sanitizeStream(TextInput& input, io::Output& output, Sanitizer& sanitizer,
                                 const StreamOptions& options, const JobContext& job) {
    Stream stream(input, output, sanitizer, options, job);
    const auto done = stream.run();
    if (done) {
        return stream.end(true);
    }
    const bool keepsPartial = done.error().code == ErrorCode::cancelled && options.keepPartial;
    if (!keepsPartial && (output.isRevocable() || output.written() == 0)) {
        return tl::unexpected(done.error());
    }
    auto end = stream.end(false);
    if (end && !keepsPartial) {
        end->failure = done.error();
    }
    return end;
}

Result<ReleaseOutputs> ReleaseOutputs::open(const std::string& textPath,
                                            const std::string& sidecarPath,
                                            const std::stop_token& stop) {
    ASSIGN_OR_RETURN(auto text, textPath.empty()
                                    ? io::Output::toDescriptor(STDOUT_FILENO, "standard output")
                                    : io::Output::toFile(textPath, stop));
    ReleaseOutputs outputs{std::move(text)};
    if (!sidecarPath.empty()) {
        ASSIGN_OR_RETURN(auto sidecar, io::Output::toFile(sidecarPath, stop));
        outputs.sidecar.emplace(std::move(sidecar));
    }
    return Result<ReleaseOutputs>(std::move(outputs));
}

Result<void> ReleaseOutputs::finish(std::string_view sidecarText, const std::stop_token& stop) {
    if (sidecar) {
        RETURN_IF_ERROR(text.flush());
        RETURN_IF_ERROR(sidecar->write(sidecarText, stop));
        RETURN_IF_ERROR(sidecar->finish());
    }
    return text.finish();
}

}  // namespace epsilens::release
