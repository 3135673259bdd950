#include "app/cli/output.h"

#include <cerrno>
#include <cstdint>

#include <fcntl.h>
#include <unistd.h>

#include <fmt/format.h>

#include "core/io/output.h"

namespace epsilens::cli {
namespace {

constexpr std::string_view kStandardOutput = "standard output";

/// What became of an output whose writing was stopped.
Error stopped(Error error, const std::string& name, std::int64_t written) {
    if (error.code == ErrorCode::cancelled) {
        error.message =
            written > 0
                ? fmt::format("interrupted while writing {}, which is incomplete", name)
                : fmt::format("interrupted while nothing read {}; nothing was written", name);
    }
    return error;
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

Result<void> checkOutput(const std::string& path) {
    if (path.empty()) {
        const int flags = fcntl(STDOUT_FILENO, F_GETFL);
        if (flags == -1 || (flags & O_ACCMODE) == O_RDONLY) {
            return io::cannotWrite(kStandardOutput, EBADF);
        }
        return {};
    }
    return io::Output::check(path);
}

Result<void> writeOutput(const std::string& path, std::string_view text,
                         const std::stop_token& stop) {
    const std::string name = path.empty() ? std::string(kStandardOutput) : path;
    Result<io::Output> output = path.empty() ? io::Output::toDescriptor(STDOUT_FILENO, name)
                                             : io::Output::toFile(path, stop);
    if (!output) {
        return tl::unexpected(stopped(output.error(), name, 0));
    }
    const std::stop_token whileWriting = stop.stop_requested() ? std::stop_token() : stop;
    if (auto written = output->write(text, whileWriting); !written) {
        return tl::unexpected(stopped(written.error(), name, output->written()));
    }
    return output->finish();
}

}  // namespace epsilens::cli
