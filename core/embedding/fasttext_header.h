#pragma once

#include <array>
#include <cstdint>
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

}  // namespace epsilens::embedding
