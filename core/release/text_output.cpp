#include "core/release/text_output.h"

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

namespace epsilens::release {
namespace {

namespace fs = std::filesystem;

tl::unexpected<Error> cannotWrite(std::string_view name, int systemError) {
    return fail(ErrorCode::ioFailed, fmt::format("cannot write {}: {}", name,
                                                 std::generic_category().message(systemError)));
}

mode_t modeOfNewFiles() {
    const mode_t mask = umask(0);
    umask(mask);
    return 0666U & ~mask;
}

fs::path withoutLinks(const fs::path& path) {
    std::error_code error;
    fs::path real = fs::weakly_canonical(path, error);
    return error || real.empty() ? path : real;
}

}  // namespace

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
    const std::string target = withoutLinks(path).string();
    std::string temporary = target + ".XXXXXX";
    const int descriptor = mkostemp(temporary.data(), O_CLOEXEC);
    if (descriptor < 0) {
        return cannotWrite(path, errno);
    }
    TextOutput output(descriptor, true, path);
    output.m_target = target;
    output.m_temporary = temporary;
    return output;
}

TextOutput TextOutput::toDescriptor(int descriptor, std::string name) {
    return {descriptor, false, std::move(name)};
}

TextOutput::~TextOutput() {
    if (m_owned) {
        close(m_descriptor);
    }
    if (!m_temporary.empty()) {
        unlink(m_temporary.c_str());
    }
}

TextOutput::TextOutput(TextOutput&& other) noexcept
    : m_descriptor(other.m_descriptor),
      m_owned(std::exchange(other.m_owned, false)),
      m_name(std::move(other.m_name)),
      m_target(std::move(other.m_target)),
      m_temporary(std::exchange(other.m_temporary, {})) {}

Result<void> TextOutput::write(std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t written = ::write(m_descriptor, bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR) {
            continue;
        }
        if (written < 0) {
            return cannotWrite(m_name, errno);
        }
        bytes.remove_prefix(static_cast<std::size_t>(written));
    }
    return {};
}

Result<void> TextOutput::keepOnly(std::int64_t bytes) {
    if (ftruncate(m_descriptor, bytes) != 0) {
        return cannotWrite(m_name, errno);
    }
    return {};
}

Result<void> TextOutput::finish() {
    if (m_temporary.empty()) {
        return {};
    }
    if (fchmod(m_descriptor, modeOfNewFiles()) != 0 || fsync(m_descriptor) != 0 ||
        std::rename(m_temporary.c_str(), m_target.c_str()) != 0) {
        return cannotWrite(m_name, errno);
    }
    m_temporary.clear();
    return {};
}

}  // namespace epsilens::release
