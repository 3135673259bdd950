#include "app/cli/output.h"

#include <cerrno>

#include <fcntl.h>
#include <unistd.h>

#include "core/base/pass_on.h"
#include "core/io/direct_output.h"

namespace epsilens::cli {
namespace {

constexpr std::string_view kStandardOutput = "standard output";

Result<void> writeDirectly(const std::string& path, std::string_view text) {
    return io::openDirectly(path).and_then([&](int descriptor) {
        Result<void> result = io::writeAll(descriptor, text, path);
        close(descriptor);
        return result;
    });
}

}  // namespace

void reserveStandardStreams() {
    // The opposite access mode makes reading descriptor 0 and writing descriptors 1 and 2 fail.
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
            return io::cannotWrite(kStandardOutput, EBADF);
        }
        return Output(std::move(path));
    }
    if (!io::isWrittenDirectly(path)) {
        RETURN_IF_ERROR(io::checkReplaceable(path));
    }
    return Output(std::move(path));
}

Result<void> Output::write(std::string_view text) const {
    if (m_path.empty()) {
        return io::writeAll(STDOUT_FILENO, text, kStandardOutput);
    }
    if (io::isWrittenDirectly(m_path)) {
        return writeDirectly(m_path, text);
    }
    return io::replaceFile(m_path, text);
}

}  // namespace epsilens::cli
