#pragma once

#include <cstddef>
#include <string_view>

namespace epsilens::io {

/// What a text begins with.
struct Utf8Step {
    /// Of the character, or of the bytes that are none: a "maximal subpart" (Unicode 15, 3.9).
    std::size_t bytes = 0;
    bool isValid = false;
    char32_t codePoint = 0;  ///< of a valid character
    bool isCut = false;      ///< the text ends within what may be a character
};
/// text  not empty
[[nodiscard]] Utf8Step firstCharacter(std::string_view text);

/// Whether the text is well-formed UTF-8: no stray or missing bytes, overlong forms or surrogates.
[[nodiscard]] bool isValidUtf8(std::string_view text);

/// Whether the text has a control character of ASCII: below U+0020, or U+007F. A tab is none here,
/// as it separates like a blank.
[[nodiscard]] bool hasControlCharacter(std::string_view text);

}  // namespace epsilens::io
