#include "core/base/replace_file.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>

namespace epsilens {
namespace {

namespace fs = std::filesystem;

mode_t processUmask() {
    const mode_t mask = umask(0);
    umask(mask);
    return mask;
}

fs::path withoutLinks(const fs::path& path) {
    std::error_code error;
    fs::path real = fs::weakly_canonical(path, error);
    return error || real.empty() ? path : real;
}

/// A new file beside its final name, removed again unless it is renamed. Only its owner may read it
/// until then.
class TemporaryFile {
public:
    explicit TemporaryFile(const fs::path& target) : m_path(target.string() + ".XXXXXX") {
        m_descriptor = mkostemp(m_path.data(), O_CLOEXEC);
        m_error = m_descriptor < 0 ? errno : 0;
    }
    ~TemporaryFile() {
        if (m_descriptor >= 0) {
            close(m_descriptor);
        }
        if (m_error == 0 && !m_renamed) {
            unlink(m_path.c_str());
        }
    }
    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;

    [[nodiscard]] int error() const { return m_error; }
    [[nodiscard]] int descriptor() const { return m_descriptor; }
    /// 0 or the system's error number.
    int renameTo(const fs::path& target, FileAccess access) {
        const mode_t mode = access == FileAccess::ownerOnly ? 0600U : 0666U & ~processUmask();
        if (fchmod(m_descriptor, mode) != 0 || fsync(m_descriptor) != 0 ||
            std::rename(m_path.c_str(), target.c_str()) != 0) {
            return errno;
        }
        m_renamed = true;
        return 0;
    }

private:
    std::string m_path;
    int m_descriptor = -1;
    int m_error = 0;
    bool m_renamed = false;
};

}  // namespace

tl::unexpected<Error> cannotWrite(std::string_view name, int systemError) {
    return fail(ErrorCode::ioFailed, fmt::format("cannot write {}: {}", name,
                                                 std::generic_category().message(systemError)));
}

Result<void> writeAll(int descriptor, std::string_view bytes, std::string_view name) {
    while (!bytes.empty()) {
        const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR) {
            continue;
        }
        if (written < 0) {
            return cannotWrite(name, errno);
        }
        bytes.remove_prefix(static_cast<std::size_t>(written));
    }
    return {};
}

Result<void> checkReplaceable(const std::string& path) {
    std::error_code error;
    if (fs::is_directory(path, error)) {
        return cannotWrite(path, EISDIR);
    }
    const TemporaryFile probe(withoutLinks(path));
    if (probe.error() != 0) {
        return cannotWrite(path, probe.error());
    }
    return {};
}

Result<void> replaceFile(const std::string& path, std::string_view bytes, FileAccess access) {
    const fs::path target = withoutLinks(path);
    TemporaryFile file(target);
    if (file.error() != 0) {
        return cannotWrite(path, file.error());
    }
    if (Result<void> written = writeAll(file.descriptor(), bytes, path); !written) {
        return written;
    }
    if (const int problem = file.renameTo(target, access); problem != 0) {
        return cannotWrite(path, problem);
    }
    return {};
}

}  // namespace epsilens
