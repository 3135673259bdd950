#include "core/release/sanitize_stream.h"

#include <algorithm>
#include <string>
#include <utility>

#include "core/base/pass_on.h"
#include "core/release/piece_buffer.h"

namespace epsilens::release {
namespace {

class Stream {
public:
    Stream(TextInput& input, TextOutput& output, Sanitizer& sanitizer, const StreamOptions& options,
           const JobContext& job)
        : m_input(input),
          m_output(output),
          m_sanitizer(sanitizer),
          m_options(options),
          m_job(job),
          m_buffer(options.batchBytes) {}

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
                return released;
            }
        }
    }

    /// The end of the whole text.
    [[nodiscard]] StreamEnd end() const {
        StreamEnd end;
        end.counts = m_sanitizer.counts();
        end.unchanged = m_sanitizer.unchanged();
        end.wholeLines = end.counts.lines;
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
                if (piece.cutsWord) {
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
        ASSIGN_OR_RETURN(const auto released,
                         m_sanitizer.sanitize(piece, m_options.threads, m_job));
        if (auto written = write(released); !written) {
            return written;
        }
        // A piece ends with a line or lies within one.
        if (!m_sanitizer.withinLine()) {
            m_whole = m_sanitizer.counts();
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
