#pragma once

#include "core/engine/score_kernel.h"
#include "core/engine/search_space.h"

namespace epsilens::engine {

/// Score of a candidate relative to the word itself, in float64: sum_k d_k (alpha d_k - tau z_k)
/// with d = candidate - word. Scores order candidates by their distance to the noisy point.
[[nodiscard]] double exactScore(const float* word, const float* candidate, const float* noise,
                                Eigen::Index dimensions, const ScoreWeights& weights);
[[nodiscard]] double exactScore(const float* word, const float* candidate, const double* noise,
                                Eigen::Index dimensions, const ScoreWeights& weights);

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

/// Largest error of a float32 squared distance as squaredDistances forms it, between a word and any
/// vector of the space.
[[nodiscard]] double distanceErrorBound(const SearchSpace& space, double wordNorm);

/// The error of a float32 score is at most alpha times the first plus tau times the second value,
/// for any vector of the space. The second depends only on the draw.
[[nodiscard]] double scoreErrorPerAlpha(const SearchSpace& space, double wordNorm);
[[nodiscard]] double scoreErrorPerTau(const SearchSpace& space, double noiseNorm);

/// Largest error of the float32 score weight ||u||^2 - p.u of a point p given in float64, for any
/// vector of the space:
///   u 1.03 ((m + 4) ||p|| N + 4 weight N^2),  N the largest norm.
[[nodiscard]] double pointScoreError(const SearchSpace& space, double weight, double pointNorm);

}  // namespace epsilens::engine
