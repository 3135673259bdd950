#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <sys/types.h>

namespace epsilens::test {

/// An empty folder that goes away, with everything in it, at the end.
class TemporaryFolder {
public:
    TemporaryFolder();
    ~TemporaryFolder();
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;

    [[nodiscard]] std::string path(std::string_view name) const { return (m_path / name).string(); }
    /// Writes a file, and the folders it lies in, and returns its path.
    std::string file(std::string_view name, std::string_view content) const;
    /// Names of what is in the folder, sorted.
    [[nodiscard]] std::vector<std::string> names() const;

private:
    std::filesystem::path m_path;
};

/// Bytes of a file. Throws when it cannot be read, so that a test of a file that moved fails.
[[nodiscard]] std::string contentOf(const std::string& path);

[[nodiscard]] std::string repeated(std::string_view text, std::size_t times);

/// Whether the first thread of a process waits for something.
[[nodiscard]] bool isAsleep(pid_t process);
void waitUntilAsleep(pid_t process);

}  // namespace epsilens::test
