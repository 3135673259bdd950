#include "app/cli/output.h"

#include <cerrno>
#include <filesystem>
#include <system_error>

#include <fcntl.h>
#include <unistd.h>

namespace epsilens::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kStandardOutput = "standard output";

bool isDirectTarget(const fs::path& path) {
    std::error_code error;
    const fs::file_status status = fs::status(path, error);
    return fs::exists(status) && !fs::is_regular_file(status);
}

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

Result<Output> Output::open(std::string path) {
    if (path.empty()) {
        const int flags = fcntl(STDOUT_FILENO, F_GETFL);
        if (flags == -1 || (flags & O_ACCMODE) == O_RDONLY) {
            return cannotWrite(kStandardOutput, EBADF);
        }
        return Output(std::move(path));
    }
    std::error_code error;
    if (!isDirectTarget(path) || fs::is_directory(path, error)) {
        if (const auto possible = checkReplaceable(path); !possible) {
            return tl::unexpected(possible.error());
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
    return replaceFile(m_path, text);
}

}  // namespace epsilens::cli
