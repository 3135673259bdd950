#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

namespace epsilens::embedding {

/// Settings at the begin of a fastText model, in the order of the file.
struct FasttextSettings {
    std::int32_t dimensions = 0;
    std::int32_t window = 0;
    std::int32_t epochs = 0;
    std::int32_t fewestCount = 0;
    std::int32_t negatives = 0;
    std::int32_t wordNgrams = 0;
    std::int32_t loss = 0;
    std::int32_t model = 0;
    std::int32_t buckets = 0;
    std::int32_t shortestNgram = 0;
    std::int32_t longestNgram = 0;
    std::int32_t updateRate = 0;
    double samplingThreshold = 0.0;
};

inline constexpr std::int32_t kFasttextMagic = 793712314;
inline constexpr std::int32_t kNewestFasttextVersion = 12;
inline constexpr std::int32_t kSupervisedModel = 3;

/// Whether the settings are such as training can have written; all sizes are then positive and
/// small enough to calculate with.
[[nodiscard]] bool isPlausible(const FasttextSettings& settings);

/// Whether a file begins as a fastText model: with the magic number, or, in the layout before
/// version 11, with plausible settings and a dictionary whose sizes agree.
[[nodiscard]] bool looksLikeFasttext(std::string_view bytes);

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
