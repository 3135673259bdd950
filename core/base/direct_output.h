#pragma once

#include <stop_token>
#include <string>

#include "core/base/error.h"

namespace epsilens {

/// Whether two paths name one file, also by other names of it (links, device and inode); no file
/// need be there yet. An empty path names none.
[[nodiscard]] bool isSameFile(const std::string& a, const std::string& b);

/// Whether a path names the file that standard output goes to (/dev/stdout, or its own name).
[[nodiscard]] bool isStandardOutput(const std::string& path);

/// Whether bytes for this path are to be written to what is there, instead of putting a new file in
/// its place: devices, pipes, and the file that standard output goes to.
[[nodiscard]] bool isWrittenDirectly(const std::string& path);

/// Opens such a place for writing; the caller closes the descriptor. Waits for a pipe's reader
/// until there is one. Fails with ioFailed, or cancelled when stopped while it waits.
[[nodiscard]] Result<int> openDirectly(const std::string& path, const std::stop_token& stop = {});

}  // namespace epsilens
