#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

namespace epsilens::embedding {

/// Visits the bucket numbers, in [0, buckets), of the character n-grams of a word as fastText
/// numbers them: all runs of `shortest` to `longest` UTF-8 characters of "<word>" but "<" and ">"
/// alone, by place and then by length, each hashed with 32-bit FNV-1a whose bytes are taken as
/// signed.
///
/// buckets  > 0
/// visit    false ends it: a word of 64 KiB may have millions of them
void visitFasttextNgrams(std::string_view word, std::int32_t shortest, std::int32_t longest,
                         std::uint32_t buckets, const std::function<bool(std::uint32_t)>& visit);

}  // namespace epsilens::embedding
