#include "core/io/utf8.h"

#include <algorithm>
#include <cstddef>

namespace epsilens::io {
namespace {

bool isBetween(char byte, unsigned char lowest, unsigned char highest) {
    const auto value = static_cast<unsigned char>(byte);
    return value >= lowest && value <= highest;
}

/// Bytes of the character that `text` begins with; 0 if it is not well-formed. The ranges of the
/// second byte exclude overlong forms, surrogates and numbers above U+10FFFF (Unicode 15, table
/// 3-7).
std::size_t characterLength(std::string_view text) {
    const auto lead = static_cast<unsigned char>(text.front());
    if (lead < 0x80) {
        return 1;
    }
    if (lead < 0xC2 || lead > 0xF4) {
        return 0;
    }
    const std::size_t length = lead < 0xE0 ? 2 : (lead < 0xF0 ? 3 : 4);
    const unsigned char lowest = lead == 0xE0 ? 0xA0 : (lead == 0xF0 ? 0x90 : 0x80);
    const unsigned char highest = lead == 0xED ? 0x9F : (lead == 0xF4 ? 0x8F : 0xBF);
    if (text.size() < length || !isBetween(text[1], lowest, highest)) {
        return 0;
    }
    const std::string_view rest = text.substr(2, length - 2);
    const bool good =
        std::all_of(rest.begin(), rest.end(), [](char c) { return isBetween(c, 0x80, 0xBF); });
    return good ? length : 0;
}

}  // namespace

bool isValidUtf8(std::string_view text) {
    while (!text.empty()) {
        const std::size_t length = characterLength(text);
        if (length == 0) {
            return false;
        }
        text.remove_prefix(length);
    }
    return true;
}

bool hasControlCharacter(std::string_view text) {
    return std::any_of(text.begin(), text.end(),
                       [](char c) { return (isBetween(c, 0, 0x1F) && c != '\t') || c == '\x7f'; });
}

}  // namespace epsilens::io
