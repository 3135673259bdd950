#include "app/cli/output.h"

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <system_error>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>

namespace epsilens::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kStandardOutput = "standard output";

tl::unexpected<Error> cannotWrite(std::string_view name, int systemError) {
    return fail(ErrorCode::ioFailed, fmt::format("cannot write {}: {}", name,
                                                 std::generic_category().message(systemError)));
}

mode_t processUmask() {
    const mode_t mask = umask(0);
    umask(mask);
    return mask;
}

bool isDirectTarget(const fs::path& path) {
    std::error_code error;
    const fs::file_status status = fs::status(path, error);
    return fs::exists(status) && !fs::is_regular_file(status);
}

fs::path withoutLinks(const fs::path& path) {
    std::error_code error;
    fs::path real = fs::weakly_canonical(path, error);
    return error || real.empty() ? path : real;
}

/// A new file beside its final name, removed again unless it is renamed.
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
    int renameTo(const fs::path& target) {
        const mode_t mode = 0666U & ~processUmask();
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

Result<void> writeDirectly(const std::string& path, std::string_view text) {
    const int descriptor = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
    if (descriptor < 0) {
        return cannotWrite(path, errno);
    }
    Result<void> result = writeAll(descriptor, text, path);
    close(descriptor);
    return result;
}

}  // namespace

void reserveStandardStreams() {
    // The wrong direction on purpose: reading descriptor 0 or writing the others then fails.
    for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
        if (fcntl(descriptor, F_GETFD) == -1) {
            [[maybe_unused]] const int opened =
                ::open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY);
        }
    }
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

Result<Output> Output::open(std::string path) {
    if (path.empty()) {
        const int flags = fcntl(STDOUT_FILENO, F_GETFL);
        if (flags == -1 || (flags & O_ACCMODE) == O_RDONLY) {
            return cannotWrite(kStandardOutput, EBADF);
        }
        return Output(std::move(path));
    }
    std::error_code error;
    if (fs::is_directory(path, error)) {
        return cannotWrite(path, EISDIR);
    }
    if (!isDirectTarget(path)) {
        const TemporaryFile probe(withoutLinks(path));
        if (probe.error() != 0) {
            return cannotWrite(path, probe.error());
        }
    }
    return Output(std::move(path));
}

Result<void> Output::write(std::string_view text) const {
    if (m_path.empty()) {
        return writeAll(STDOUT_FILENO, text, kStandardOutput);
    }
    if (isDirectTarget(m_path)) {
        return writeDirectly(m_path, text);
    }
    const fs::path target = withoutLinks(m_path);
    TemporaryFile file(target);
    if (file.error() != 0) {
        return cannotWrite(m_path, file.error());
    }
    if (Result<void> written = writeAll(file.descriptor(), text, m_path); !written) {
        return written;
    }
    if (const int problem = file.renameTo(target); problem != 0) {
        return cannotWrite(m_path, problem);
    }
    return {};
}

}  // namespace epsilens::cli
