#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace epsilens::fuzz {

/// A function that takes any bytes; it must return, and abort where a promise is broken.
struct Target {
    std::string_view name;
    void (*run)(std::string_view input);
};

/// All targets.
[[nodiscard]] std::vector<Target>& targets();

struct TargetRegistration {
    explicit TargetRegistration(const Target& target) { targets().push_back(target); }
};

/// Aborts with the text, which a fuzzer reports as a crash, unless the promise is kept.
void require(bool kept, std::string_view promise);

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

/// Begins the body of a target: EPSILENS_FUZZ_TARGET(name) { … uses `input` … }
#define EPSILENS_FUZZ_TARGET(name)                                                              \
    static void name##Target(std::string_view input);                                           \
    static const epsilens::fuzz::TargetRegistration name##Registration({#name, &name##Target}); \
    static void name##Target([[maybe_unused]] std::string_view input)
