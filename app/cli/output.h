#pragma once

#include <stop_token>
#include <string>
#include <string_view>

#include "core/base/error.h"

namespace epsilens::cli {

/// Opens descriptors 0, 1 and 2 if the caller closed them, so that a file opened later never takes
/// their place. Using such a stream fails.
void reserveStandardStreams();

/// Fails with ioFailed if an output cannot be written, which is then known before the work.
///
/// path  empty: standard output
[[nodiscard]] Result<void> checkOutput(const std::string& path);

/// Writes the text to standard output, or a file that appears whole or not at all. A regular file
/// is written under a temporary name, flushed to the disk and renamed; a link is followed; devices
/// and pipes are written to directly. A stop ends the wait for a pipe whose other end is not there
/// or takes nothing; one that was requested before, which made the results partial, does not keep
/// them from being written. Fails with ioFailed, or cancelled, which says what was written.
///
/// path  empty: standard output
[[nodiscard]] Result<void> writeOutput(const std::string& path, std::string_view text,
                                       const std::stop_token& stop);

}  // namespace epsilens::cli
