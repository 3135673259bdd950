#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace epsilens::embedding {

/// Bucket numbers, in [0, buckets), of the character n-grams of a word as fastText numbers them:
/// all runs of `shortest` to `longest` UTF-8 characters of "<word>" but "<" and ">" alone, by place
/// and then by length, each hashed with 32-bit FNV-1a whose bytes are taken as signed.
///
/// buckets  > 0
[[nodiscard]] std::vector<std::uint32_t> fasttextNgrams(std::string_view word,
                                                        std::int32_t shortest, std::int32_t longest,
                                                        std::uint32_t buckets);

}  // namespace epsilens::embedding
