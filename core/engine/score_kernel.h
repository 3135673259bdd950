#pragma once

#include <cstdint>
#include <limits>
#include <vector>

namespace epsilens::engine {

/// Weights of a score alpha A[u] - tau P[u]: A squared distances to the word, P projections of the
/// vectors on the noise at epsilon = 1. With t = 1/epsilon the squared distance to the noisy point
/// is A - 2t P up to a constant; both weights are divided by max(1, 2t) so that neither overflows.
struct ScoreWeights {
    double alpha = 1.0;
    double tau = 0.0;

    /// epsilon > 0; infinite epsilon means no noise
    [[nodiscard]] static ScoreWeights atEpsilon(double epsilon);
    /// The limit epsilon -> 0: only the direction of the noise counts.
    [[nodiscard]] static ScoreWeights noiseOnly() { return {0.0, 1.0}; }
};

/// Positions per tile of a row of scores.
inline constexpr std::int64_t kTileWidth = 256;

/// What stands behind the last position of a row: scores beyond every real one for all weights.
inline constexpr float kPaddingA = std::numeric_limits<float>::max();
inline constexpr float kPaddingP = -std::numeric_limits<float>::max();

/// Least score of each tile, for several weights in one pass over A and P.
///
/// a, p     rows of tiles * kTileWidth floats, aligned for vectors; padding holds kPaddingA and
/// kPaddingP minima   weights.size() rows of `tiles` floats
void tileMinima(const float* a, const float* p, std::int64_t tiles,
                const std::vector<ScoreWeights>& weights, float* minima);

/// Appends to `found` the positions of a tile whose score is at most `threshold`.
void collectWithin(const float* a, const float* p, std::int64_t tile, const ScoreWeights& weights,
                   float threshold, std::vector<std::int32_t>& found);

}  // namespace epsilens::engine
