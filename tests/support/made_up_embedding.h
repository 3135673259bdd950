#pragma once

#include <cstdint>
#include <string>

namespace epsilens::test {

/// GloVe text with words "w0", "w1", … and standard normal numbers, of four decimals, times
/// 1 / (1 + column), so that the principal axes differ.
[[nodiscard]] std::string madeUpGlove(int words, int dimensions, std::uint64_t seed);

}  // namespace epsilens::test
