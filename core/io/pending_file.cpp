#include "core/io/pending_file.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>

#include "core/base/pass_on.h"

namespace epsilens::io {
namespace {

namespace fs = std::filesystem;

/// Mode of the file that takes the place of what is there.
mode_t modeFor(FileAccess access, const std::string& target) {
    if (access == FileAccess::ownerOnly) {
        return 0600U;
    }
    struct stat status {};
    if (::stat(target.c_str(), &status) == 0) {
        return status.st_mode & 0777U;
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

}  // namespace

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

tl::unexpected<Error> cannotWrite(std::string_view name, int systemError) {
    return fail(ErrorCode::ioFailed, fmt::format("cannot write {}: {}", name,
                                                 std::generic_category().message(systemError)));
}

Result<std::size_t> writeSome(int descriptor, std::string_view bytes, std::string_view name) {
    const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
    if (written >= 0) {
        return static_cast<std::size_t>(written);
    }
    return errno == EINTR ? Result<std::size_t>(0) : cannotWrite(name, errno);
}

Result<void> writeAll(int descriptor, std::string_view bytes, std::string_view name) {
    while (!bytes.empty()) {
        ASSIGN_OR_RETURN(const auto written, writeSome(descriptor, bytes, name));
        bytes.remove_prefix(written);
    }
    return {};
}

Result<PendingFile> PendingFile::create(const std::string& path) {
    // All memory is taken before the file is made: nobody would remove it if that failed after.
    PendingFile file(withoutLinks(path), path);
    std::error_code error;
    if (fs::is_symlink(file.m_target, error)) {
        return cannotWrite(path, ELOOP);
    }
    std::string temporary = file.m_target + ".XXXXXX";
    file.m_descriptor = namelessFile(fs::path(file.m_target).parent_path());
    if (file.m_descriptor >= 0) {
        return file;
    }
    file.m_descriptor = mkostemp(temporary.data(), O_CLOEXEC);
    if (file.m_descriptor < 0) {
        return cannotWrite(path, errno);
    }
    file.m_temporary = std::move(temporary);
    return file;
}

PendingFile::PendingFile(std::string target, std::string name)
    : m_target(std::move(target)), m_name(std::move(name)) {}

PendingFile::~PendingFile() {
    if (m_descriptor >= 0) {
        close(m_descriptor);
    }
    if (!m_temporary.empty()) {
        unlink(m_temporary.c_str());
    }
}

PendingFile::PendingFile(PendingFile&& other) noexcept
    : m_descriptor(std::exchange(other.m_descriptor, -1)),
      m_temporary(std::exchange(other.m_temporary, {})),
      m_target(std::move(other.m_target)),
      m_name(std::move(other.m_name)) {}

Result<void> PendingFile::flush() {
    return fsync(m_descriptor) == 0 ? Result<void>() : cannotWrite(m_name, errno);
}

Result<void> PendingFile::appear(FileAccess access) {
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
    return {};
}

Result<void> checkReplaceable(const std::string& path) {
    std::error_code error;
    if (std::filesystem::is_directory(path, error)) {
        return cannotWrite(path, EISDIR);
    }
    return PendingFile::create(path).map([](const PendingFile& /*probe*/) {});
}

Result<void> replaceFile(const std::string& path, std::string_view bytes, FileAccess access) {
    ASSIGN_OR_RETURN(auto file, PendingFile::create(path));
    if (Result<void> written = writeAll(file.descriptor(), bytes, path); !written) {
        return written;
    }
    return file.appear(access);
}

}  // namespace epsilens::io
