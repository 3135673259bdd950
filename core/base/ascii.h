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
[[nodiscard]] constexpr bool isAscii(std::string_view text) {
    return std::all_of(text.begin(), text.end(), [](char byte) { return isAscii(byte); });
}

}  // namespace epsilens
