#pragma once

#include <cstddef>
#include <string_view>

namespace epsilens::io {

/// One step through UTF-8 text.
struct Character {
    char32_t codePoint = 0;
    std::size_t end = 0;  ///< first byte after it
    bool valid = true;    ///< false: bytes that are no UTF-8; codePoint is then 0
};

/// The character that begins at a byte < text.size(). Bytes that are no UTF-8 are stepped over as
/// "maximal subparts" (Unicode 15, 3.9), as ICU's iterators do.
[[nodiscard]] Character decode(std::string_view text, std::size_t begin);

/// Whether the text is well-formed UTF-8: no stray or missing bytes, overlong forms or surrogates.
[[nodiscard]] bool isValidUtf8(std::string_view text);

/// Whether the text has a control character of ASCII: below U+0020, or U+007F. A tab is none here,
/// as it separates like a blank.
[[nodiscard]] bool hasControlCharacter(std::string_view text);

}  // namespace epsilens::io
