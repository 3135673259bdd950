#include <algorithm>
#include <array>
#include <string>

#include "core/io/byte_source.h"
#include "tests/fuzz/fuzz_target.h"
#include "tests/fuzz/memory_file.h"

using epsilens::fuzz::require;
using epsilens::io::ByteSource;

namespace {

/// A few bytes may unpack to any number; the reader takes no more of them than its buffers.
constexpr std::size_t kEnoughBytes = std::size_t{4} << 20;

/// Reads in pieces of changing size, with a look ahead before each; true when the end was reached.
bool readThrough(ByteSource& source) {
    std::array<char, 5000> piece{};
    std::size_t total = 0;
    for (std::size_t size = 1; total < kEnoughBytes; size = size * 3 % 4999 + 1) {
        const auto peeked = source.peek(size / 2);
        if (!peeked) {
            return false;
        }
        const std::string ahead(*peeked);
        const auto got = source.read(piece.data(), size);
        if (!got) {
            return false;
        }
        require(*got <= size, "no more is read than asked for");
        require(std::string_view(piece.data(), *got).starts_with(ahead.substr(0, *got)),
                "what was looked at is what is read");
        total += *got;
        if (*got < size) {
            return true;
        }
    }
    return true;
}

}  // namespace

EPSILENS_FUZZ_TARGET(archive) {
    const epsilens::fuzz::MemoryFile file(input);
    const auto source = ByteSource::open(file.path());
    if (!source || !readThrough(**source)) {
        return;
    }
    const auto digest = (*source)->finish();
    require(digest.has_value() && digest->size() == 64, "a file that was read has a digest");
    require((*source)->storedBytesRead() == input.size(), "all stored bytes are hashed");
}
