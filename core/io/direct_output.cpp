#include "core/io/direct_output.h"

#include <cerrno>
#include <chrono>
#include <filesystem>
#include <optional>
#include <string_view>
#include <system_error>
#include <thread>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>

#include "core/io/pending_file.h"

namespace epsilens::io {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::milliseconds kBetweenTries{20};

std::optional<struct stat> statusOf(const std::string& path) {
    struct stat status {};
    return ::stat(path.c_str(), &status) == 0 ? std::optional(status) : std::nullopt;
}

/// The file behind a place to write to (empty: standard output) or to read from ("-": standard
/// input); nothing for all that is no regular file.
std::optional<struct stat> regularFile(const std::string& path, std::string_view stream,
                                       int descriptor) {
    struct stat status {};
    const bool found =
        path == stream ? fstat(descriptor, &status) == 0 : ::stat(path.c_str(), &status) == 0;
    return found && S_ISREG(status.st_mode) ? std::optional(status) : std::nullopt;
}

bool isOneFile(const struct stat& a, const struct stat& b) {
    return a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

/// Without it, writing to a full pipe fails instead of waiting.
void makeBlocking(int descriptor) {
    const int flags = fcntl(descriptor, F_GETFL);
    fcntl(descriptor, F_SETFL, flags & ~O_NONBLOCK);
}

}  // namespace

FileIdentity fileIdentity(const std::string& path) {
    const auto status = statusOf(path);
    return status ? FileIdentity(status->st_dev, status->st_ino, {})
                  : FileIdentity(0, 0, withoutLinks(path));
}

bool isSameFile(const std::string& a, const std::string& b) {
    return !a.empty() && !b.empty() && fileIdentity(a) == fileIdentity(b);
}

bool isStandardOutput(const std::string& path) {
    struct stat output {};
    const auto status = statusOf(path);
    return status && fstat(STDOUT_FILENO, &output) == 0 && isOneFile(*status, output);
}

Result<void> checkIsNoInput(const std::string& place, const std::vector<std::string>& inputs) {
    const auto written = regularFile(place, "", STDOUT_FILENO);
    for (const std::string& input : inputs) {
        const auto read = regularFile(input, "-", STDIN_FILENO);
        if (written && read && isOneFile(*written, *read)) {
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

bool isWrittenDirectly(const std::string& path) {
    const auto status = statusOf(path);
    return status && !S_ISDIR(status->st_mode) &&
           (!S_ISREG(status->st_mode) || isStandardOutput(path));
}

Result<int> openDirectly(const std::string& path, const std::stop_token& stop) {
    // Opened anew, a file would be written from its start, over what the caller has put there.
    if (isStandardOutput(path)) {
        const int copy = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0);
        return copy < 0 ? cannotWrite(path, errno) : Result<int>(copy);
    }
    while (true) {
        // Without O_NONBLOCK, opening a pipe waits for a reader and cannot be cancelled.
        const int descriptor = ::open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
        if (descriptor >= 0) {
            makeBlocking(descriptor);
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

}  // namespace epsilens::io
