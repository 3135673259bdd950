#pragma once

#include <string>
#include <string_view>

#include "core/base/error.h"
#include "core/io/replace_file.h"

namespace epsilens::cli {

/// Makes sure that descriptors 0, 1 and 2 exist, so that a file opened later never takes the place
/// of a stream the caller has closed; using such a stream then fails.
void reserveStandardStreams();

/// Where results go: standard output, or a file that appears whole or not at all.
class Output {
public:
    /// path  empty: standard output
    /// Fails with ioFailed when the place cannot be written to: before the work, not after it.
    [[nodiscard]] static Result<Output> open(std::string path);

    /// Puts the text in place. A regular file is written beside its name, flushed to the disk and
    /// renamed; a link is followed; devices and pipes are written to directly.
    [[nodiscard]] Result<void> write(std::string_view text) const;

private:
    explicit Output(std::string path) : m_path(std::move(path)) {}

    std::string m_path;
};

}  // namespace epsilens::cli
