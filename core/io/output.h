#pragma once

#include <cstdint>
#include <stop_token>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include <sys/types.h>

#include "core/base/error.h"

namespace epsilens::io {

/// Who may read a file that is written.
enum class FileAccess {
    byUmask,   ///< as the file that was there; new ones as the process leaves them
    ownerOnly  ///< mode 0600
};

/// Where bytes go, piece by piece: an open descriptor, or a file that appears whole at the end and
/// not before. Until then only its owner may read it, and it is removed unless it appears: where
/// the file system can, also when the process is killed.
class Output {
public:
    /// A regular file is written beside its name; a link is followed. Devices, pipes, and the file
    /// that standard output goes to, are written to directly. Fails with ioFailed when the place
    /// cannot be written to, cancelled when stopped while it waits for a pipe's reader.
    [[nodiscard]] static Result<Output> toFile(const std::string& path,
                                               const std::stop_token& stop = {});
    /// The same, but that whatever is there is replaced.
    [[nodiscard]] static Result<Output> beside(const std::string& path);
    /// Whether bytes could be written to a place, tried by making a file beside it unless it is
    /// written to directly. Fails with ioFailed.
    [[nodiscard]] static Result<void> check(const std::string& path);
    /// Not closed; `name` is for messages.
    [[nodiscard]] static Output toDescriptor(int descriptor, std::string name);
    /// Counts the bytes and drops them.
    [[nodiscard]] static Output nowhere();

    ~Output();
    Output(Output&& other) noexcept;
    Output& operator=(Output&& other) = delete;

    /// Hands all bytes to the system, line by line where the other end may be slow. Fails with
    /// ioFailed and the system's reason, or cancelled when stopped while the other end takes
    /// nothing; written() then tells how far it came, to the byte.
    [[nodiscard]] Result<void> write(std::string_view bytes, const std::stop_token& stop = {});
    /// Bytes handed to the system in all, without what was taken back.
    [[nodiscard]] std::int64_t written() const { return m_written; }
    /// Whether bytes can be taken back: a file that has not appeared yet.
    [[nodiscard]] bool isRevocable() const { return !m_target.empty(); }
    /// Takes back what was written behind the first `bytes`. Only where isRevocable.
    [[nodiscard]] Result<void> keepOnly(std::int64_t bytes);
    /// Flushes a file that has not appeared to the disk, so that a full one is noticed before
    /// anything appears. Fails with ioFailed.
    [[nodiscard]] Result<void> flush();
    /// Flushes the file and puts it in place of what was there, in one step. Fails with ioFailed,
    /// and then the old file is untouched. Without it the file never appears.
    [[nodiscard]] Result<void> finish(FileAccess access = FileAccess::byUmask);

private:
    Output(int descriptor, bool isOwned, std::string name);

    int m_descriptor;
    bool m_isOwned;
    std::string m_name;
    bool m_mayWait = true;  ///< writing may wait for somebody who reads
    std::int64_t m_written = 0;
    std::string m_target{};     ///< of a file that has not appeared
    std::string m_temporary{};  ///< its name until then; empty: it has none
};

/// Puts bytes at a path so that a reader sees the old file or the new one, never a part. Fails as
/// Output::beside and finish, and with ioFailed for a device or pipe.
[[nodiscard]] Result<void> replaceFile(const std::string& path, std::string_view bytes,
                                       FileAccess access = FileAccess::byUmask);

/// Writes all bytes to an open descriptor. Fails with ioFailed and the system's reason.
[[nodiscard]] Result<void> writeAll(int descriptor, std::string_view bytes, std::string_view name);

/// Fails with ioFailed: the name and what the system says.
[[nodiscard]] tl::unexpected<Error> cannotWrite(std::string_view name, int systemError);

/// The absolute path at which a file is written: links are followed, except round in a circle.
[[nodiscard]] std::string withoutLinks(const std::string& path);

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

}  // namespace epsilens::io
