#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace epsilens::fuzz {

/// What a reader may take: enough for every file a fuzzer makes up, little enough that announced
/// sizes, and the windows that few compressed bytes ask for, reach it.
inline constexpr std::uint64_t kMemoryLimit = std::uint64_t{96} << 20;

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
