#include "core/release/text_output.h"

#include <cerrno>
#include <filesystem>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

namespace epsilens::release {

namespace fs = std::filesystem;

Result<TextOutput> TextOutput::toFile(const std::string& path) {
    std::error_code error;
    const fs::file_status status = fs::status(path, error);
    if (fs::is_directory(status)) {
        return cannotWrite(path, EISDIR);
    }
    if (fs::exists(status) && !fs::is_regular_file(status)) {
        const int descriptor = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
        if (descriptor < 0) {
            return cannotWrite(path, errno);
        }
        return TextOutput(descriptor, true, path);
    }
    auto pending = PendingFile::create(path);
    if (!pending) {
        return tl::unexpected(pending.error());
    }
    TextOutput output(pending->descriptor(), false, path);
    output.m_pending.emplace(std::move(*pending));
    return output;
}

TextOutput TextOutput::toDescriptor(int descriptor, std::string name) {
    return {descriptor, false, std::move(name)};
}

TextOutput::~TextOutput() {
    if (m_owned) {
        close(m_descriptor);
    }
}

TextOutput::TextOutput(TextOutput&& other) noexcept
    : m_descriptor(other.m_descriptor),
      m_owned(std::exchange(other.m_owned, false)),
      m_name(std::move(other.m_name)),
      m_pending(std::move(other.m_pending)) {}

Result<void> TextOutput::write(std::string_view bytes) {
    return writeAll(m_descriptor, bytes, m_name);
}

Result<void> TextOutput::keepOnly(std::int64_t bytes) {
    if (ftruncate(m_descriptor, bytes) != 0) {
        return cannotWrite(m_name, errno);
    }
    return {};
}

Result<void> TextOutput::finish() {
    if (!m_pending) {
        return {};
    }
    Result<void> appeared = m_pending->appear(FileAccess::byUmask);
    if (appeared) {
        m_pending.reset();
    }
    return appeared;
}

}  // namespace epsilens::release
