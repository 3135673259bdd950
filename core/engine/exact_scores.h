#pragma once

#include <cstdint>
#include <span>

#include "core/engine/score_kernel.h"
#include "core/engine/search_space.h"

namespace epsilens::engine {

inline constexpr double kFloatRoundoff = 0x1p-24;   ///< unit roundoff of float32
inline constexpr double kDoubleRoundoff = 0x1p-53;  ///< unit roundoff of float64

/// Score of a candidate relative to the word itself, in float64: sum_k d_k (alpha d_k - tau z_k)
/// with d = candidate - word. Scores order candidates by their distance to the noisy point.
[[nodiscard]] double exactScore(const float* word, const float* candidate, const float* noise,
                                Eigen::Index dimensions, const ScoreWeights& weights);
[[nodiscard]] double exactScore(const float* word, const float* candidate, const double* noise,
                                Eigen::Index dimensions, const ScoreWeights& weights);

/// The candidate of the least score; of equal ones that of the lowest row; -1 without a candidate.
///
/// score  of a position, in float64
template <typename Score>
[[nodiscard]] std::int32_t leastOf(const SearchSpace& space,
                                   std::span<const std::int32_t> candidates, const Score& score) {
    double best = 0.0;
    std::int32_t winner = -1;
    for (const std::int32_t position : candidates) {
        const double own = score(position);
        if (winner < 0 || own < best ||
            (own == best && space.rowAt(position) < space.rowAt(winner))) {
            best = own;
            winner = position;
        }
    }
    return winner;
}

/// Largest error of a float32 squared distance ||w||^2 + ||u||^2 - 2 w.u of vectors of these norms:
/// (m/2 + 6) u (wordNorm + otherNorm)^2, with 3% for higher orders. Derivation: rounding_bounds.md
[[nodiscard]] double squaredDistanceErrorBound(Eigen::Index dimensions, double wordNorm,
                                               double otherNorm);

/// Largest error of the float32 squared chord 2 - 2 cos of two unit vectors, the cosine formed as
/// (w.u / ||w||) / ||u||: (2 m + 14) u, with 3% for higher orders.
///
/// inverseNorm       1 / ||w||
/// otherInverseNorm  the largest of the others
[[nodiscard]] double squaredChordErrorBound(Eigen::Index dimensions, double inverseNorm,
                                            double otherInverseNorm);

/// The error of a float32 score of a vector of norm `otherNorm` or less is at most alpha times the
/// first plus tau times the second value. The second does not depend on the word.
[[nodiscard]] double scoreErrorPerAlpha(Eigen::Index dimensions, double wordNorm, double otherNorm);
[[nodiscard]] double scoreErrorPerTau(Eigen::Index dimensions, double noiseNorm, double otherNorm);

/// Largest error of the float32 score weight ||u||^2 - p.u of a point p given in float64, for any
/// vector u of norm N or less:
///   u 1.03 ((m + 4) ||p|| N + 4 weight N^2).
[[nodiscard]] double pointScoreError(Eigen::Index dimensions, double weight, double pointNorm,
                                     double otherNorm);

}  // namespace epsilens::engine
