#pragma once

#include <string>
#include <string_view>

#include "core/base/error.h"

namespace epsilens {

/// Who may read a file that is written.
enum class FileAccess {
    byUmask,   ///< as the process leaves it for new files
    ownerOnly  ///< mode 0600
};

/// Fails with ioFailed: the name and what the system says.
[[nodiscard]] tl::unexpected<Error> cannotWrite(std::string_view name, int systemError);

/// Writes all bytes to an open descriptor. Fails with ioFailed and the system's reason.
[[nodiscard]] Result<void> writeAll(int descriptor, std::string_view bytes, std::string_view name);

/// Whether a file could be put at this place, tried by making one beside it. Fails with ioFailed.
[[nodiscard]] Result<void> checkReplaceable(const std::string& path);

/// Puts bytes at a path so that a reader sees the old file or the new one, never a part: written
/// beside its name, flushed to the disk and renamed. A link is followed. Fails with ioFailed, and
/// then the old file is untouched.
[[nodiscard]] Result<void> replaceFile(const std::string& path, std::string_view bytes,
                                       FileAccess access = FileAccess::byUmask);

}  // namespace epsilens
