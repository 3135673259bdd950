#pragma once

#include <algorithm>
#include <string_view>

namespace epsilens {

[[nodiscard]] constexpr bool isAscii(char byte) {
    return static_cast<unsigned char>(byte) < 0x80;
}
[[nodiscard]] constexpr bool isAsciiLetter(char byte) {
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z');
}
[[nodiscard]] constexpr bool isAsciiDigit(char byte) {
    return byte >= '0' && byte <= '9';
}
[[nodiscard]] constexpr char asciiLower(char byte) {
    return byte >= 'A' && byte <= 'Z' ? static_cast<char>(byte + ('a' - 'A')) : byte;
}
/// Whether a byte of UTF-8 is not the first of its character.
[[nodiscard]] constexpr bool continuesCharacter(char byte) {
    return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U;
}
[[nodiscard]] constexpr bool isAscii(std::string_view text) {
    return std::ranges::all_of(text, [](char byte) { return isAscii(byte); });
}

/// Text without the blanks, tabs and line ends at its ends.
[[nodiscard]] inline std::string_view trimmed(std::string_view text) {
    constexpr std::string_view kBlanks = " \t\r\n";
    const auto first = text.find_first_not_of(kBlanks);
    if (first == std::string_view::npos) {
        return {};
    }
    return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

}  // namespace epsilens
