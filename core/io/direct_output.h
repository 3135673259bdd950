#pragma once

#include <stop_token>
#include <string>
#include <tuple>
#include <vector>

#include <sys/types.h>

#include "core/base/error.h"

namespace epsilens::io {

/// Equal for all names of one file: its device and inode, or where there is no file yet, the path
/// without links at which it would appear.
using FileIdentity = std::tuple<dev_t, ino_t, std::string>;
[[nodiscard]] FileIdentity fileIdentity(const std::string& path);

/// Whether two paths name one file. An empty path names none.
[[nodiscard]] bool isSameFile(const std::string& a, const std::string& b);

/// Whether a path names the file that standard output goes to (/dev/stdout, or its own name).
[[nodiscard]] bool isStandardOutput(const std::string& path);

/// That writing to a place would leave alone the files that are read. Devices and pipes are no
/// files, but standard streams are the files that they were redirected to.
///
/// place   may be empty: standard output
/// inputs  paths; "-" is standard input, empty ones are no files
/// Fails with invalidArgument.
[[nodiscard]] Result<void> checkIsNoInput(const std::string& place,
                                          const std::vector<std::string>& inputs);

/// Whether bytes for this path are to be written to what is there, instead of putting a new file in
/// its place: devices, pipes, and the file that standard output goes to.
[[nodiscard]] bool isWrittenDirectly(const std::string& path);

/// Opens such a place for writing; the caller closes the descriptor. Waits for a pipe's reader
/// until there is one. Fails with ioFailed, or cancelled when stopped while it waits.
[[nodiscard]] Result<int> openDirectly(const std::string& path, const std::stop_token& stop = {});

}  // namespace epsilens::io
