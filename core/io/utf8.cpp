#include "core/io/utf8.h"

#include <algorithm>
#include <cstdint>

#include <unicode/utf8.h>

namespace epsilens::io {

Utf8Step firstCharacter(std::string_view text) {
    constexpr std::size_t kLongestCharacter = 4;
    const auto length = static_cast<std::int32_t>(std::min(text.size(), kLongestCharacter));
    std::int32_t bytes = 0;
    UChar32 codePoint = 0;
    // The macro of ICU narrows int to uint8_t inside.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
    U8_NEXT(text.data(), bytes, length, codePoint);
#pragma GCC diagnostic pop
    Utf8Step step{static_cast<std::size_t>(bytes)};
    step.isValid = codePoint >= 0;
    step.codePoint = step.isValid ? static_cast<char32_t>(codePoint) : U'\0';
    step.isCut = !step.isValid && step.bytes == text.size() && U8_IS_LEAD(text.front());
    return step;
}

bool isValidUtf8(std::string_view text) {
    while (!text.empty()) {
        const Utf8Step step = firstCharacter(text);
        if (!step.isValid) {
            return false;
        }
        text.remove_prefix(step.bytes);
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
