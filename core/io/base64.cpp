#include "core/io/base64.h"

#include <algorithm>

#include <openssl/evp.h>

namespace epsilens::io {
namespace {

// The library counts in int; whole groups, so that only the last piece is padded.
constexpr std::size_t kGroups = std::size_t{1} << 20;
constexpr std::size_t kGroupBytes = 3;
constexpr std::size_t kGroupLetters = 4;

}  // namespace

std::string toBase64(std::span<const std::byte> bytes) {
    const std::size_t groups = (bytes.size() + kGroupBytes - 1) / kGroupBytes;
    // The library ends each piece with a zero.
    std::string text(groups * kGroupLetters + 1, '\0');
    for (std::size_t first = 0; first < groups; first += kGroups) {
        const auto piece =
            bytes.subspan(first * kGroupBytes,
                          std::min(kGroups * kGroupBytes, bytes.size() - first * kGroupBytes));
        EVP_EncodeBlock(reinterpret_cast<unsigned char*>(text.data() + first * kGroupLetters),
                        reinterpret_cast<const unsigned char*>(piece.data()),
                        static_cast<int>(piece.size()));
    }
    text.pop_back();
    return text;
}

std::optional<std::vector<std::byte>> fromBase64(std::string_view text) {
    if (text.size() % kGroupLetters != 0) {
        return std::nullopt;
    }
    const std::size_t letters = text.find_last_not_of('=') + 1;
    const std::size_t padding = text.size() - letters;
    if (padding > 2 || text.substr(0, letters).find('=') != std::string_view::npos) {
        return std::nullopt;
    }
    const std::size_t groups = text.size() / kGroupLetters;
    std::vector<std::byte> bytes(groups * kGroupBytes);
    for (std::size_t first = 0; first < groups; first += kGroups) {
        const std::size_t count = std::min(kGroups, groups - first);
        const int written = EVP_DecodeBlock(
            reinterpret_cast<unsigned char*>(bytes.data() + first * kGroupBytes),
            reinterpret_cast<const unsigned char*>(text.data() + first * kGroupLetters),
            static_cast<int>(count * kGroupLetters));
        // Also of blanks at its ends, which the library leaves out.
        if (written != static_cast<int>(count * kGroupBytes)) {
            return std::nullopt;
        }
    }
    bytes.resize(bytes.size() - padding);
    return bytes;
}

}  // namespace epsilens::io
