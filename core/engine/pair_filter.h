#pragma once

#include <cstdint>

namespace epsilens::engine {

/// Vectors that one is compared with; all arrays aligned for vectors, `count` a multiple of
/// kPairPadding. Entries that stand for no vector have an infinite squared norm.
struct PairRow {
    const float* squaredNorms = nullptr;
    const float* limits = nullptr;  ///< squared distance below which others matter to each
    std::int64_t count = 0;
};
inline constexpr std::int64_t kPairPadding = 16;

/// Finds the vectors whose squared distance to another is below the limit of either:
///   (squaredNorms[j] + squaredNorm) + products[j] < max(limit, limits[j]),
/// rounded as in engine::squaredDistances, whose error bound holds for the left side.
///
/// products  -2 times the inner products with the other vector; aligned
/// found     indices, rising; room for count + kPairPadding entries
/// Returns their number.
[[nodiscard]] std::int64_t collectNear(float squaredNorm, float limit, const PairRow& others,
                                       const float* products, std::int32_t* found);

}  // namespace epsilens::engine
