#pragma once

#include <string_view>

namespace epsilens::io {

/// Whether the text is well-formed UTF-8: no stray or missing bytes, overlong forms or surrogates.
[[nodiscard]] bool isValidUtf8(std::string_view text);

/// Whether the text has a control character of ASCII: below U+0020, or U+007F. A tab is none here,
/// as it separates like a blank.
[[nodiscard]] bool hasControlCharacter(std::string_view text);

}  // namespace epsilens::io
