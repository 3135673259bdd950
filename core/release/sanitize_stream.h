#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>

#include "core/base/error.h"
#include "core/base/job_context.h"
#include "core/io/output.h"
#include "core/io/text_decoder.h"
#include "core/release/sanitizer.h"
#include "core/release/table_text.h"
#include "core/release/text_input.h"

namespace epsilens::release {

/// Text is released in batches of whole lines: as soon as so many bytes have come, or nothing more
/// for so long.
struct StreamOptions {
    std::size_t batchBytes = std::size_t{64} << 10;  ///< also the longest part of a line at once
    int idleMs = 50;
    int threads = 0;
    TableOptions table{};     ///< no columns: the text is no table
    bool keepPartial = true;  ///< a stopped text is finished with what it has, else cancelled
};

/// How a text ended.
struct StreamEnd {
    bool interrupted = false;  ///< there was more
    /// The output ends within a line, because it was interrupted in one too long to hold, and
    /// what was written could not be taken back.
    bool withinLine = false;
    std::int64_t wholeLines = 0;  ///< in the output
    ReleaseCounts counts{};       ///< of what is in the output; at least so many when interrupted
    std::int64_t unchanged = 0;   ///< as Sanitizer::unchanged, of the same text as the counts
    io::TextDecoding decoding{};  ///< of the input; the output is UTF-8
    TableOptions table{};         ///< with the format that was found
    std::int64_t records = 0;     ///< of the table
    std::optional<Error> failure{};  ///< what ended it after something was written for good
};

/// The text and, where it was asked for, the sidecar beside it.
struct ReleaseOutputs {
    io::Output text;
    std::optional<io::Output> sidecar{};

    /// Before the work, so that a place that cannot be written to is found before it.
    ///
    /// textPath     empty: standard output
    /// sidecarPath  empty: none
    /// Fails as io::Output::toFile.
    [[nodiscard]] static Result<ReleaseOutputs> open(const std::string& textPath,
                                                     const std::string& sidecarPath,
                                                     const std::stop_token& stop = {});
    /// Writes the sidecar and lets the files appear, the sidecar first, so that no file of text
    /// appears without it: neither does where the sidecar cannot be written or put in its place, or
    /// the text does not reach the disk. When after that the text alone cannot take its place (a
    /// folder is there by now, or what is there belongs to somebody else), the sidecar stands
    /// there without it. Fails as io::Output::write and finish.
    [[nodiscard]] Result<void> finish(std::string_view sidecarText,
                                      const std::stop_token& stop = {});
};

/// Releases a text to its end, in memory that does not depend on its size. A stop request is no
/// failure unless keepPartial is off: the output then holds whole lines, if it can. The caller
/// finishes the output, and may before say or keep what belongs to it.
/// Fails with badFile when reading fails, also at bytes that are not valid text: the lines before
/// them are then released where they cannot be taken back; ioFailed when writing does, cancelled
/// when stopped without keepPartial; but where something was already written that cannot be taken
/// back, that is the failure of the end, so that its counts are not lost.
[[nodiscard]] Result<StreamEnd> sanitizeStream(TextInput& input, io::Output& output,
                                               Sanitizer& sanitizer, const StreamOptions& options,
                                               const JobContext& job = {});

}  // namespace epsilens::release
