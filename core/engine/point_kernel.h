#pragma once

#include <cstdint>

namespace epsilens::engine {

/// Scores scale heights[j] - products[j] of some positions. Both arrays are aligned, and `count` is
/// a multiple of kTileWidth.
template <typename T>
struct PointScores {
    T scale = T{};
    const T* heights = nullptr;
    const T* products = nullptr;
    std::int64_t count = 0;
};

/// The least score.
template <typename T>
[[nodiscard]] T leastScore(const PointScores<T>& scores);

/// The positions whose score is at most `threshold`, in ascending order.
///
/// found  room for count entries
/// Returns their number.
template <typename T>
[[nodiscard]] std::int64_t collectScores(const PointScores<T>& scores, T threshold,
                                         std::int32_t* found);

}  // namespace epsilens::engine
