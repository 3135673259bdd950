#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "core/engine/metric_kernel.h"

namespace epsilens::engine {

/// Weights of a score alpha A[u] - tau P[u] + kappa C[u]. For the elliptical mechanisms A holds
/// squared distances to the word, P projections of the vectors on the noise at epsilon = 1, and
/// kappa is 0: with t = 1/epsilon the squared distance to the noisy point is A - 2t P up to a
/// constant; both weights are divided by max(1, 2t) so that neither overflows.
struct ScoreWeights {
    double alpha = 1.0;
    double tau = 0.0;
    double kappa = 0.0;

    /// epsilon >= 0; infinite epsilon means no noise, and at 0 only the direction of the noise
    /// counts
    [[nodiscard]] static ScoreWeights atEpsilon(double epsilon);
};

/// Positions per tile and tiles per group. The positions of a tile or group are close in space, so
/// that their bounds are close to their scores.
inline constexpr std::int64_t kTileWidth = 16;
inline constexpr std::int64_t kGroupWidth = 16;

/// Padding after the last position of a row: worse than every real score for all weights.
template <typename T>
inline constexpr T kPaddingA = std::numeric_limits<T>::max();
template <typename T>
inline constexpr T kPaddingP = -std::numeric_limits<T>::max();

[[nodiscard]] constexpr std::int64_t tileCount(std::int64_t positions) {
    return (positions + kTileWidth - 1) / kTileWidth;
}
[[nodiscard]] constexpr std::int64_t groupCount(std::int64_t tiles) {
    return (tiles + kGroupWidth - 1) / kGroupWidth;
}
/// Length of a row of bounds: those of all tiles, then those of all groups, each padded to whole
/// vectors.
[[nodiscard]] constexpr std::int64_t boundCount(std::int64_t tiles) {
    return groupCount(tiles) * kGroupWidth + groupCount(groupCount(tiles)) * kGroupWidth;
}

/// Least value of each tile and each group of an aligned row of tiles * kTileWidth values. `minima`
/// has boundCount(tiles) entries; padding entries are kPaddingA.
template <typename T>
void leastBounds(const T* values, std::int64_t tiles, T* minima);
/// The same with the largest values, padded with kPaddingP.
void largestBounds(const double* values, std::int64_t tiles, double* maxima);

/// A candidate's score as a line: squaredDistance - 2 t projection, relative to the word itself.
struct ScoreLine {
    double squaredDistance = 0.0;  ///< ||u - w||^2
    double projection = 0.0;       ///< z . (u - w)
};

/// In float64, for any alignment.
[[nodiscard]] ScoreLine scoreLine(const float* word, const float* candidate, const float* noise,
                                  std::int64_t dimensions);

/// The rows of one word and one draw, with their bounds.
struct ScoreRows {
    const double* a = nullptr;  ///< tiles * kTileWidth, aligned
    const double* p = nullptr;
    const double* c = nullptr;
    const double* leastA = nullptr;  ///< boundCount(tiles), aligned
    const double* largestP = nullptr;
    const double* leastC = nullptr;
    const double* largestC = nullptr;
    std::int64_t tiles = 0;
};

/// Result of a search: every position whose computed score is at most the least score plus slack.
struct Candidates {
    std::vector<std::int32_t> positions{};
    std::vector<double> bounds{};  ///< scratch: bounds of the groups
    std::vector<double> groups{};  ///< scratch: groups to visit
    std::vector<double> tiles{};   ///< scratch: tiles to visit
    std::size_t count = 0;         ///< number of valid positions
};

/// Scores all positions that can be candidates.
///
/// Skips a group or tile if alpha leastA - tau largestP + (kappa >= 0 ? kappa leastC : kappa
/// largestC) exceeds the best score so far plus slack. The bound is computed by the operations of a
/// score in the same order. Rounding is monotone, so the bound is at most every computed score of
/// the tile.
///
/// start   a score that some position attains; +inf if none is known
/// slack   >= 0; differences that the rounding bound of the caller cannot separate
void searchTiles(const ScoreRows& rows, const ScoreWeights& weights, double start, double slack,
                 Candidates& found);

/// The score of one position as searchTiles computes it.
[[nodiscard]] double scoreAt(const ScoreRows& rows, const ScoreWeights& weights,
                             std::int32_t position);

}  // namespace epsilens::engine
