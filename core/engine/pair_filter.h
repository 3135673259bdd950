#pragma once

#include <cstdint>

namespace epsilens::engine {

/// Vectors to compare one vector with. All arrays are aligned, and `count` is a multiple of
/// kPairPadding. Padding entries have an infinite squared norm.
struct PairRow {
    const float* squaredNorms = nullptr;
    const float* limits = nullptr;  ///< per vector: squared distance to collect within
    std::int64_t count = 0;
};
inline constexpr std::int64_t kPairPadding = 16;

/// Finds the vectors whose squared distance to the given vector is below the limit of either:
///   (squaredNorms[j] + squaredNorm) + products[j] < max(limit, limits[j]).
///
/// products  -2 times the inner products with the given vector; aligned
/// found     receives ascending indices; room for count + kPairPadding entries
/// Returns their number.
[[nodiscard]] std::int64_t collectNear(float squaredNorm, float limit, const PairRow& others,
                                       const float* products, std::int32_t* found);

}  // namespace epsilens::engine
