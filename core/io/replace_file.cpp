#include "core/io/replace_file.h"

#include <cerrno>
#include <filesystem>
#include <system_error>

#include "core/base/pass_on.h"

namespace epsilens::io {

Result<void> checkReplaceable(const std::string& path) {
    std::error_code error;
    if (std::filesystem::is_directory(path, error)) {
        return cannotWrite(path, EISDIR);
    }
    return PendingFile::create(path).map([](const PendingFile& /*probe*/) {});
}

Result<void> replaceFile(const std::string& path, std::string_view bytes, FileAccess access) {
    ASSIGN_OR_RETURN(auto file, PendingFile::create(path));
    if (Result<void> written = writeAll(file.descriptor(), bytes, path); !written) {
        return written;
    }
    return file.appear(access);
}

}  // namespace epsilens::io
