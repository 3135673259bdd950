#include "core/io/replace_file.h"

#include <cerrno>
#include <filesystem>
#include <system_error>

namespace epsilens::io {

Result<void> checkReplaceable(const std::string& path) {
    std::error_code error;
    if (std::filesystem::is_directory(path, error)) {
        return cannotWrite(path, EISDIR);
    }
    return PendingFile::create(path).map([](const PendingFile& /*probe*/) {});
}

Result<void> replaceFile(const std::string& path, std::string_view bytes, FileAccess access) {
    auto file = PendingFile::create(path);
    if (!file) {
        return tl::unexpected(file.error());
    }
    if (Result<void> written = writeAll(file->descriptor(), bytes, path); !written) {
        return written;
    }
    return file->appear(access);
}

}  // namespace epsilens::io
