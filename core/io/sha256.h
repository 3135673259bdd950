#pragma once

#include <cstddef>
#include <string>

namespace epsilens::io {

/// SHA-256 of some bytes, as 64 lower-case hexadecimal digits.
[[nodiscard]] std::string sha256(const void* bytes, std::size_t size);

}  // namespace epsilens::io
