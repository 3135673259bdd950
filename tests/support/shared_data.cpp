#include "tests/support/shared_data.h"

#include <filesystem>

namespace epsilens::test {

std::optional<std::string> sharedFile(std::string_view relativePath) {
    const std::filesystem::path path = std::filesystem::path(EPSILENS_SHARED) / relativePath;
    std::error_code ignored;
    if (!std::filesystem::exists(path, ignored)) {
        return std::nullopt;
    }
    return path.string();
}

}  // namespace epsilens::test
