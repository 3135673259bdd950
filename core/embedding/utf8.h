#pragma once

#include <string_view>

namespace epsilens::embedding {

/// Whether the text is well-formed UTF-8: no stray or missing bytes, overlong forms or surrogates.
[[nodiscard]] bool isValidUtf8(std::string_view text);

}  // namespace epsilens::embedding
