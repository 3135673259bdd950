#include "core/release/sanitize_stream.h"

#include <algorithm>
#include <string>
#include <utility>

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
                return tl::unexpected(read.error());
            }
            m_buffer.grow(read->bytes);
            auto released = release(read->state);
            if (!released || read->state == TextInput::State::end) {
                return released;
            }
        }
    }

    /// Makes the output of an interrupted text end with a whole line, if that can be done.
    [[nodiscard]] Result<StreamEnd> close(bool interrupted) {
        StreamEnd end{interrupted, interrupted && m_sanitizer.withinLine(),
                      m_sanitizer.counts().lines};
        if (end.withinLine) {
            --end.wholeLines;
            if (m_output.isRevocable()) {
                if (const auto kept = m_output.keepOnly(m_wholeBytes); !kept) {
                    return tl::unexpected(kept.error());
                }
                end.withinLine = false;
            }
        }
        if (const auto finished = m_output.finish(); !finished) {
            return tl::unexpected(finished.error());
        }
        return end;
    }

private:
    /// Releases what is due after a read.
    [[nodiscard]] Result<void> release(TextInput::State state) {
        if (state == TextInput::State::end) {
            return releasePiece(m_buffer.all());
        }
        if (m_buffer.freeBytes() == 0) {
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
        const auto released = m_sanitizer.sanitize(piece, m_options.threads, m_job);
        if (!released) {
            return tl::unexpected(released.error());
        }
        if (auto written = m_output.write(*released); !written) {
            return written;
        }
        m_written += static_cast<std::int64_t>(released->size());
        // The output has the line ends of the input, in the same order.
        const std::size_t lineEnd = released->rfind('\n');
        if (lineEnd != std::string::npos) {
            m_wholeBytes = m_written - static_cast<std::int64_t>(released->size() - lineEnd - 1);
        }
        m_buffer.drop(piece.size());
        report();
        return {};
    }

    void report() const {
        if (const auto size = m_input.size(); size && *size > 0) {
            m_job.progress(
                static_cast<double>(m_sanitizer.counts().bytesRead) / static_cast<double>(*size),
                "Releasing");
        }
    }

    TextInput& m_input;
    TextOutput& m_output;
    Sanitizer& m_sanitizer;
    const StreamOptions& m_options;
    const JobContext& m_job;
    PieceBuffer m_buffer;
    std::int64_t m_written = 0;
    std::int64_t m_wholeBytes = 0;
};

}  // namespace

Result<StreamEnd> sanitizeStream(TextInput& input, TextOutput& output, Sanitizer& sanitizer,
                                 const StreamOptions& options, const JobContext& job) {
    Stream stream(input, output, sanitizer, options, job);
    const auto done = stream.run();
    if (!done && (done.error().code != ErrorCode::cancelled || !options.keepPartial)) {
        return tl::unexpected(done.error());
    }
    return stream.close(!done);
}

}  // namespace epsilens::release
