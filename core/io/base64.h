#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace epsilens::io {

/// Bytes in the alphabet of RFC 4648, section 4, padded, in one line.
[[nodiscard]] std::string toBase64(std::span<const std::byte> bytes);

/// The bytes of such a text; nothing for any other text.
[[nodiscard]] std::optional<std::vector<std::byte>> fromBase64(std::string_view text);

}  // namespace epsilens::io
