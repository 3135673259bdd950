#include "core/release/text_output.h"

#include <cerrno>
#include <climits>
#include <filesystem>
#include <system_error>
#include <utility>

#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/pass_on.h"
#include "core/io/direct_output.h"

namespace epsilens::release {
namespace {

constexpr int kPatienceMs = 200;

/// In place of a descriptor.
constexpr int kNowhere = -1;

/// So many bytes a pipe takes whole or not at all, and without waiting once poll calls it writable.
constexpr std::size_t kWholeWrite = PIPE_BUF;

bool isRegularFile(int descriptor) {
    struct stat status {};
    return fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode);
}

/// Waits a little for the other end; false when it takes nothing so far.
bool takesBytes(int descriptor) {
    pollfd place{descriptor, POLLOUT, 0};
    const int ready = ::poll(&place, 1, kPatienceMs);
    // A signal that ends the wait says nothing of the other end; another error shows in writing.
    return ready > 0 || (ready < 0 && errno != EINTR);
}

/// Whole lines that are written in one step, or a part of a line that is too long for that.
std::string_view nextLines(std::string_view bytes) {
    const std::string_view start = bytes.substr(0, kWholeWrite);
    const std::size_t lineEnd = start.rfind('\n');
    return lineEnd == std::string_view::npos ? start : start.substr(0, lineEnd + 1);
}

}  // namespace

Result<TextOutput> TextOutput::toFile(const std::string& path, const std::stop_token& stop) {
    std::error_code error;
    if (std::filesystem::is_directory(path, error)) {
        return io::cannotWrite(path, EISDIR);
    }
    if (io::isWrittenDirectly(path)) {
        return io::openDirectly(path, stop).map([&](int descriptor) {
            return TextOutput(descriptor, true, path);
        });
    }
    ASSIGN_OR_RETURN(auto pending, io::PendingFile::create(path));
    TextOutput output(pending.descriptor(), false, path);
    output.m_pending.emplace(std::move(pending));
    return output;
}

TextOutput TextOutput::toDescriptor(int descriptor, std::string name) {
    return {descriptor, false, std::move(name)};
}

TextOutput TextOutput::nowhere() {
    return {kNowhere, false, {}};
}

TextOutput::TextOutput(int descriptor, bool owned, std::string name)
    : m_descriptor(descriptor),
      m_owned(owned),
      m_name(std::move(name)),
      m_mayWait(!isRegularFile(descriptor)) {}

TextOutput::~TextOutput() {
    if (m_owned) {
        close(m_descriptor);
    }
}

TextOutput::TextOutput(TextOutput&& other) noexcept
    : m_descriptor(other.m_descriptor),
      m_owned(std::exchange(other.m_owned, false)),
      m_name(std::move(other.m_name)),
      m_mayWait(other.m_mayWait),
      m_written(other.m_written),
      m_pending(std::move(other.m_pending)) {}

Result<void> TextOutput::write(std::string_view bytes, const std::stop_token& stop) {
    if (m_descriptor == kNowhere) {
        m_written += static_cast<std::int64_t>(bytes.size());
        return {};
    }
    while (!bytes.empty()) {
        if (m_mayWait && !takesBytes(m_descriptor)) {
            if (stop.stop_requested()) {
                return fail(ErrorCode::cancelled, "cancelled");
            }
            continue;
        }
        ASSIGN_OR_RETURN(const auto taken,
                         io::writeSome(m_descriptor, m_mayWait ? nextLines(bytes) : bytes, m_name));
        m_written += static_cast<std::int64_t>(taken);
        bytes.remove_prefix(taken);
    }
    return {};
}

Result<void> TextOutput::keepOnly(std::int64_t bytes) {
    if (ftruncate(m_descriptor, bytes) != 0) {
        return io::cannotWrite(m_name, errno);
    }
    m_written = bytes;
    return {};
}

Result<void> TextOutput::flush() {
    return m_pending ? m_pending->flush() : Result<void>();
}

Result<void> TextOutput::finish() {
    if (!m_pending) {
        return {};
    }
    Result<void> appeared = m_pending->appear(io::FileAccess::byUmask);
    if (appeared) {
        m_pending.reset();
    }
    return appeared;
}

Result<ReleaseOutputs> ReleaseOutputs::open(TextOutput text, const std::string& sidecarPath,
                                            const std::stop_token& stop) {
    ReleaseOutputs outputs{std::move(text)};
    if (sidecarPath.empty()) {
        return Result<ReleaseOutputs>(std::move(outputs));
    }
    return TextOutput::toFile(sidecarPath, stop).map([&](TextOutput opened) {
        outputs.sidecar.emplace(std::move(opened));
        return std::move(outputs);
    });
}

Result<void> ReleaseOutputs::finish(std::string_view sidecarText, const std::stop_token& stop) {
    if (!sidecar) {
        return text.finish();
    }
    return text.flush()
        .and_then([&] { return sidecar->write(sidecarText, stop); })
        .and_then([&] { return sidecar->finish(); })
        .and_then([&] { return text.finish(); });
}

}  // namespace epsilens::release
