#pragma once

#include <string>
#include <string_view>

namespace epsilens::fuzz {

/// A regular file that lies in memory only, so that readers run as they do on disk.
class MemoryFile {
public:
    /// Throws std::runtime_error when the system gives no such file.
    explicit MemoryFile(std::string_view content);
    ~MemoryFile();
    MemoryFile(const MemoryFile&) = delete;
    MemoryFile& operator=(const MemoryFile&) = delete;

    [[nodiscard]] std::string path() const;

private:
    int m_descriptor;
};

}  // namespace epsilens::fuzz
