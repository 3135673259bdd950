#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "core/base/error.h"

namespace epsilens::io {

/// Who may read a file that is written.
enum class FileAccess {
    byUmask,   ///< as the file that was there; new ones as the process leaves them
    ownerOnly  ///< mode 0600
};

/// Fails with ioFailed: the name and what the system says.
[[nodiscard]] tl::unexpected<Error> cannotWrite(std::string_view name, int systemError);

/// Writes what the system takes in one step, and returns how much that was: nothing when a signal
/// came first. Fails with ioFailed and the system's reason.
[[nodiscard]] Result<std::size_t> writeSome(int descriptor, std::string_view bytes,
                                            std::string_view name);

/// Writes all bytes to an open descriptor. Fails with ioFailed and the system's reason.
[[nodiscard]] Result<void> writeAll(int descriptor, std::string_view bytes, std::string_view name);

/// The absolute path at which a file is written: links are followed, except round in a circle.
[[nodiscard]] std::string withoutLinks(const std::string& path);

/// A new file beside the place it is meant for, removed again unless it is put there: where the
/// file system can, also when the process is killed. Only its owner may read it until then.
class PendingFile {
public:
    /// path  where the file is to appear; a link is followed
    /// Fails with ioFailed where no file can be made, or for links that lead round.
    [[nodiscard]] static Result<PendingFile> create(const std::string& path);

    ~PendingFile();
    PendingFile(PendingFile&& other) noexcept;
    PendingFile& operator=(PendingFile&& other) = delete;

    [[nodiscard]] int descriptor() const { return m_descriptor; }
    /// Flushes the file to the disk, so that a full one is noticed before anything appears. Fails
    /// with ioFailed.
    [[nodiscard]] Result<void> flush();
    /// Flushes the file to the disk and puts it in place of what was there, in one step. Fails with
    /// ioFailed, and then the old file is untouched.
    [[nodiscard]] Result<void> appear(FileAccess access);

private:
    PendingFile(std::string target, std::string name);

    int m_descriptor = -1;
    std::string m_temporary{};  ///< empty: the file has no name
    std::string m_target;
    std::string m_name;  ///< of the place, as given
};

/// Whether a file could be put at this place, tried by making one beside it. Fails with ioFailed.
[[nodiscard]] Result<void> checkReplaceable(const std::string& path);

/// Puts bytes at a path so that a reader sees the old file or the new one, never a part: written
/// beside its name, flushed to the disk and renamed. A link is followed. Fails with ioFailed, and
/// then the old file is untouched.
[[nodiscard]] Result<void> replaceFile(const std::string& path, std::string_view bytes,
                                       FileAccess access = FileAccess::byUmask);

}  // namespace epsilens::io
