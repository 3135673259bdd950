#include "tests/fuzz/fuzz_target.h"

#include <cstdio>
#include <cstdlib>
#include <stdexcept>

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

namespace epsilens::fuzz {

std::vector<Target>& targets() {
    static std::vector<Target> all;
    return all;
}

void require(bool kept, std::string_view promise) {
    if (!kept) {
        std::fprintf(stderr, "broken promise: %.*s\n", static_cast<int>(promise.size()),
                     promise.data());
        std::abort();
    }
}

MemoryFile::MemoryFile(std::string_view content)
    : m_descriptor(memfd_create("input", MFD_CLOEXEC)) {
    while (m_descriptor >= 0 && !content.empty()) {
        const ssize_t written = write(m_descriptor, content.data(), content.size());
        if (written <= 0) {
            break;
        }
        content.remove_prefix(static_cast<std::size_t>(written));
    }
    if (m_descriptor < 0 || !content.empty()) {
        throw std::runtime_error("no file in memory");
    }
}

MemoryFile::~MemoryFile() {
    close(m_descriptor);
}

std::string MemoryFile::path() const {
    return fmt::format("/proc/self/fd/{}", m_descriptor);
}

}  // namespace epsilens::fuzz
