#include "core/io/output.h"

#include <cerrno>
#include <chrono>
#include <climits>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>

namespace epsilens::io {
namespace {

namespace fs = std::filesystem;

/// In place of a descriptor.
constexpr int kNowhere = -1;

/// Where standard output goes, whatever it is.
constexpr const char* kStandardInput = "/dev/stdin";
constexpr const char* kStandardOutput = "/dev/stdout";

/// Nothing of what is not there. The standard streams are known where there is no /dev, too.
std::optional<struct stat> statusOf(const std::string& path) {
    struct stat status {};
    const int failed = path == kStandardInput    ? ::fstat(STDIN_FILENO, &status)
                       : path == kStandardOutput ? ::fstat(STDOUT_FILENO, &status)
                                                 : ::stat(path.c_str(), &status);
    return failed == 0 ? std::optional(status) : std::nullopt;
}

/// Whether bytes are written to what is there, instead of putting a new file in its place.
bool isWrittenDirectly(const std::string& path) {
    std::error_code error;
    const fs::file_status status = fs::status(path, error);
    return fs::exists(status) && !fs::is_directory(status) &&
           (!fs::is_regular_file(status) || isStandardOutput(path));
}

/// Opens such a place; waits for a pipe's reader until there is one.
Result<int> openDirectly(const std::string& path, const std::stop_token& stop) {
    constexpr std::chrono::milliseconds kBetweenTries{20};
    // Opened anew, a file would be written from its start, over what the caller has put there.
    if (isStandardOutput(path)) {
        const int copy = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0);
        return copy < 0 ? cannotWrite(path, errno) : Result<int>(copy);
    }
    while (true) {
        // Without O_NONBLOCK, opening a pipe waits for a reader and cannot be cancelled.
        const int descriptor = ::open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
        if (descriptor >= 0) {
            // With it, writing to a full pipe fails instead of waiting.
            fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) & ~O_NONBLOCK);
            return descriptor;
        }
        if (errno != ENXIO || !fs::is_fifo(path)) {
            return cannotWrite(path, errno);
        }
        if (stop.stop_requested()) {
            return fail(ErrorCode::cancelled, "cancelled");
        }
        std::this_thread::sleep_for(kBetweenTries);
    }
}

/// Mode of the file that takes the place of what is there.
mode_t modeFor(FileAccess access, const std::string& target) {
    if (access == FileAccess::ownerOnly) {
        return 0600U;
    }
    std::error_code error;
    if (const fs::file_status status = fs::status(target, error); fs::exists(status)) {
        return static_cast<mode_t>(status.permissions() & fs::perms::all);
    }
    const mode_t mask = umask(0);
    umask(mask);
    return 0666U & ~mask;
}

/// A file without a name in a folder, which the system removes even if this process is killed; -1
/// where the file system has none, or no name can be given to it later.
int namelessFile(const fs::path& folder) {
    constexpr const char* kOpenFiles = "/proc/self/fd";
    return access(kOpenFiles, X_OK) == 0
               ? open(folder.empty() ? "." : folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600)
               : -1;
}

/// Gives a nameless file a name beside a path; empty where the system refuses, which sets errno.
std::string nameBeside(const std::string& path, int descriptor) {
    const std::string own = fmt::format("/proc/self/fd/{}", descriptor);
    for (int number = 0;; ++number) {
        std::string name = fmt::format("{}.{}-{}", path, getpid(), number);
        if (linkat(AT_FDCWD, own.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) == 0) {
            return name;
        }
        if (errno != EEXIST) {
            return {};
        }
    }
}

/// Waits a little for the other end; false when it takes nothing so far.
bool takesBytes(int descriptor) {
    constexpr int kPatienceMs = 200;
    pollfd place{descriptor, POLLOUT, 0};
    const int ready = ::poll(&place, 1, kPatienceMs);
    // A signal that ends the wait says nothing of the other end; another error shows in writing.
    return ready > 0 || (ready < 0 && errno != EINTR);
}

/// Whole lines that are written in one step, or a part of a line that is too long for that: a pipe
/// takes so many bytes whole or not at all, and without waiting once poll calls it writable.
std::string_view nextLines(std::string_view bytes) {
    const std::string_view start = bytes.substr(0, PIPE_BUF);
    const std::size_t lineEnd = start.rfind('\n');
    return lineEnd == std::string_view::npos ? start : start.substr(0, lineEnd + 1);
}

}  // namespace

Output::Output(int descriptor, bool isOwned, std::string name)
    : m_descriptor(descriptor), m_isOwned(isOwned), m_name(std::move(name)) {
    struct stat status {};
    m_mayWait = fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode);
}

Output::~Output() {
    if (m_isOwned) {
        close(m_descriptor);
    }
    if (!m_temporary.empty()) {
        unlink(m_temporary.c_str());
    }
}

Output::Output(Output&& other) noexcept
    : m_descriptor(other.m_descriptor),
      m_isOwned(std::exchange(other.m_isOwned, false)),
      m_name(std::move(other.m_name)),
      m_mayWait(other.m_mayWait),
      m_written(other.m_written),
      m_target(std::move(other.m_target)),
      m_temporary(std::exchange(other.m_temporary, {})) {}

Output Output::toDescriptor(int descriptor, std::string name) {
    return {descriptor, false, std::move(name)};
}

Output Output::nowhere() {
    return {kNowhere, false, {}};
}

Result<Output> Output::toFile(const std::string& path, const std::stop_token& stop) {
    if (isWrittenDirectly(path)) {
        return openDirectly(path, stop).map([&](int descriptor) {
            return Output(descriptor, true, path);
        });
    }
    return beside(path);
}

Result<Output> Output::beside(const std::string& path) {
    std::error_code error;
    if (fs::is_directory(path, error)) {
        return cannotWrite(path, EISDIR);
    }
    // All memory is taken before the file is made: nobody would remove it if that failed after.
    Output file(kNowhere, false, path);
    file.m_target = withoutLinks(path);
    file.m_mayWait = false;
    if (fs::is_symlink(file.m_target, error)) {
        return cannotWrite(path, ELOOP);
    }
    std::string temporary = file.m_target + ".XXXXXX";
    file.m_descriptor = namelessFile(fs::path(file.m_target).parent_path());
    if (file.m_descriptor < 0) {
        file.m_descriptor = mkostemp(temporary.data(), O_CLOEXEC);
        if (file.m_descriptor < 0) {
            return cannotWrite(path, errno);
        }
        file.m_temporary = std::move(temporary);
    }
    file.m_isOwned = true;
    return file;
}

Result<void> Output::write(std::string_view bytes, const std::stop_token& stop) {
    if (m_descriptor == kNowhere) {
        m_written += std::ssize(bytes);
        return {};
    }
    while (!bytes.empty()) {
        if (m_mayWait && !takesBytes(m_descriptor)) {
            if (stop.stop_requested()) {
                return fail(ErrorCode::cancelled, "cancelled");
            }
            continue;
        }
        const std::string_view part = m_mayWait ? nextLines(bytes) : bytes;
        const ssize_t taken = ::write(m_descriptor, part.data(), part.size());
        if (taken >= 0) {
            m_written += taken;
            bytes.remove_prefix(static_cast<std::size_t>(taken));
        } else if (errno != EINTR) {
            return cannotWrite(m_name, errno);
        }
    }
    return {};
}

Result<void> Output::keepOnly(std::int64_t bytes) {
    if (ftruncate(m_descriptor, bytes) != 0) {
        return cannotWrite(m_name, errno);
    }
    m_written = bytes;
    return {};
}

Result<void> Output::flush() {
    return !isRevocable() || fsync(m_descriptor) == 0 ? Result<void>() : cannotWrite(m_name, errno);
}

Result<void> Output::finish(FileAccess access) {
    if (!isRevocable()) {
        return {};
    }
    if (fchmod(m_descriptor, modeFor(access, m_target)) != 0 || fsync(m_descriptor) != 0) {
        return cannotWrite(m_name, errno);
    }
    if (m_temporary.empty()) {
        m_temporary = nameBeside(m_target, m_descriptor);
    }
    if (m_temporary.empty() || std::rename(m_temporary.c_str(), m_target.c_str()) != 0) {
        return cannotWrite(m_name, errno);
    }
    m_temporary.clear();
    m_target.clear();
    return {};
}

Result<void> Output::check(const std::string& path) {
    return isWrittenDirectly(path) ? Result<void>()
                                   : beside(path).map([](const Output& /*probe*/) {});
}

Result<void> replaceFile(const std::string& path, std::string_view bytes, FileAccess access) {
    std::error_code error;
    if (fs::is_other(fs::status(path, error))) {
        return cannotWrite(path, EOPNOTSUPP);
    }
    ASSIGN_OR_RETURN(auto file, Output::beside(path));
    RETURN_IF_ERROR(file.write(bytes));
    return file.finish(access);
}

Result<void> writeAll(int descriptor, std::string_view bytes, std::string_view name) {
    return Output::toDescriptor(descriptor, std::string(name)).write(bytes);
}

tl::unexpected<Error> cannotWrite(std::string_view name, int systemError) {
    return fail(ErrorCode::ioFailed, fmt::format("cannot write {}: {}", name,
                                                 std::generic_category().message(systemError)));
}

std::string withoutLinks(const std::string& path) {
    constexpr int kMostLinks = 40;  // as many as the system follows
    std::error_code error;
    fs::path place = fs::absolute(path, error);
    if (error) {
        return path;
    }
    // weakly_canonical does not follow a link to what is not there yet.
    for (int links = 0; fs::is_symlink(place, error) && !fs::exists(place, error); ++links) {
        const fs::path target = fs::read_symlink(place, error);
        if (error || links == kMostLinks) {
            return path;
        }
        place = place.parent_path() / target;
    }
    const fs::path real = fs::weakly_canonical(place, error);
    return error || real.empty() ? place.lexically_normal().string() : real.string();
}

FileIdentity fileIdentity(const std::string& path) {
    const auto status = statusOf(path);
    return status ? FileIdentity(status->st_dev, status->st_ino, {})
                  : FileIdentity(0, 0, withoutLinks(path));
}

bool isSameFile(const std::string& a, const std::string& b) {
    return !a.empty() && !b.empty() && fileIdentity(a) == fileIdentity(b);
}

bool isStandardOutput(const std::string& path) {
    return isSameFile(path, kStandardOutput);
}

Result<void> checkIsNoInput(const std::string& place, const std::vector<std::string>& inputs) {
    for (const std::string& input : inputs) {
        const std::string read = input == "-" ? kStandardInput : input;
        const auto status = statusOf(read);
        if (status && S_ISREG(status->st_mode) &&
            isSameFile(place.empty() ? kStandardOutput : place, read)) {
            return fail(
                ErrorCode::invalidArgument,
                place.empty()
                    ? "standard output goes to a file that is read; choose another place"
                    : fmt::format("{} is read and must not be written to; choose another place",
                                  place));
        }
    }
    return {};
}

}  // namespace epsilens::io
