#pragma once

#include <string>
#include <string_view>

#include "core/io/pending_file.h"

namespace epsilens::io {

/// Whether a file could be put at this place, tried by making one beside it. Fails with ioFailed.
[[nodiscard]] Result<void> checkReplaceable(const std::string& path);

/// Puts bytes at a path so that a reader sees the old file or the new one, never a part: written
/// beside its name, flushed to the disk and renamed. A link is followed. Fails with ioFailed, and
/// then the old file is untouched.
[[nodiscard]] Result<void> replaceFile(const std::string& path, std::string_view bytes,
                                       FileAccess access = FileAccess::byUmask);

}  // namespace epsilens::io
