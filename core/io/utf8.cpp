#include "core/io/utf8.h"

#include <algorithm>
#include <cstdint>

#include <unicode/utf8.h>

namespace epsilens::io {

Character decode(std::string_view text, std::size_t begin) {
    constexpr std::size_t kLongestCharacter = 4;
    const std::string_view bytes = text.substr(begin, kLongestCharacter);
    std::int32_t size = 0;
    UChar32 codePoint = 0;
    // The macro of ICU narrows int to uint8_t inside.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
    U8_NEXT(bytes.data(), size, static_cast<std::int32_t>(bytes.size()), codePoint);
#pragma GCC diagnostic pop
    return {static_cast<char32_t>(std::max(codePoint, 0)), begin + static_cast<std::size_t>(size),
            codePoint >= 0};
}

bool isValidUtf8(std::string_view text) {
    for (std::size_t at = 0; at < text.size();) {
        const Character character = decode(text, at);
        if (!character.valid) {
            return false;
        }
        at = character.end;
    }
    return true;
}

bool hasControlCharacter(std::string_view text) {
    return std::any_of(text.begin(), text.end(), [](char c) {
        const auto byte = static_cast<unsigned char>(c);
        return (byte < 0x20 && c != '\t') || c == '\x7f';
    });
}

}  // namespace epsilens::io
