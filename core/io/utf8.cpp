#include "core/io/utf8.h"

#include <algorithm>

namespace epsilens::io {
namespace {

bool isBetween(char byte, unsigned char lowest, unsigned char highest) {
    const auto value = static_cast<unsigned char>(byte);
    return value >= lowest && value <= highest;
}

}  // namespace

/// The ranges of the second byte exclude overlong forms, surrogates and numbers above U+10FFFF
/// (Unicode 15, table 3-7).
Utf8Step firstCharacter(std::string_view text) {
    const auto lead = static_cast<unsigned char>(text.front());
    if (lead < 0x80) {
        return {1, true};
    }
    if (lead < 0xC2 || lead > 0xF4) {
        return {1};
    }
    const std::size_t length = lead < 0xE0 ? 2 : (lead < 0xF0 ? 3 : 4);
    unsigned char lowest = lead == 0xE0 ? 0xA0 : (lead == 0xF0 ? 0x90 : 0x80);
    unsigned char highest = lead == 0xED ? 0x9F : (lead == 0xF4 ? 0x8F : 0xBF);
    for (std::size_t at = 1; at < length; ++at) {
        if (at == text.size() || !isBetween(text[at], lowest, highest)) {
            return {at, false, at == text.size()};
        }
        lowest = 0x80;
        highest = 0xBF;
    }
    return {length, true};
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
    return std::any_of(text.begin(), text.end(),
                       [](char c) { return (isBetween(c, 0, 0x1F) && c != '\t') || c == '\x7f'; });
}

}  // namespace epsilens::io
