#pragma once

#include <cstdint>
#include <limits>
#include <vector>

namespace epsilens::engine {

/// Weights of a score alpha A[u] - tau P[u] + kappa C[u]. For the elliptical mechanisms A holds
/// squared distances to the word, P projections of the vectors on the noise at epsilon = 1, and
/// kappa is 0: with t = 1/epsilon the squared distance to the noisy point is A - 2t P up to a
/// constant; both weights are divided by max(1, 2t) so that neither overflows.
struct ScoreWeights {
    double alpha = 1.0;
    double tau = 0.0;
    double kappa = 0.0;

    /// epsilon >= 0; infinite epsilon means no noise, 0 is noiseOnly()
    [[nodiscard]] static ScoreWeights atEpsilon(double epsilon);
    /// The limit epsilon -> 0: only the direction of the noise counts.
    [[nodiscard]] static ScoreWeights noiseOnly() { return {0.0, 1.0, 0.0}; }
};

/// Positions per tile and tiles per group: neighbours in space, so that bounds over them are close
/// to their scores. A tile of float32 is one cache line.
inline constexpr std::int64_t kTileWidth = 16;
inline constexpr std::int64_t kGroupWidth = 16;

/// What stands behind the last position of a row: scores beyond every real one for all weights.
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
/// Entries of a row of bounds: of all tiles and behind them of all groups, each padded to whole
/// vectors.
[[nodiscard]] constexpr std::int64_t boundCount(std::int64_t tiles) {
    return groupCount(tiles) * kGroupWidth + groupCount(groupCount(tiles)) * kGroupWidth;
}

/// Least value of each tile and of each group of a row of tiles * kTileWidth values, aligned for
/// vectors; `minima` has boundCount(tiles) entries, those that stand for no tile or group are
/// kPaddingA.
template <typename T>
void leastBounds(const T* values, std::int64_t tiles, T* minima);
/// Largest values, padded with kPaddingP.
template <typename T>
void largestBounds(const T* values, std::int64_t tiles, T* maxima);

/// ||a - b||^2 in float64, whatever the alignment.
[[nodiscard]] double squaredDistance(const float* a, const float* b, std::int64_t dimensions);

/// One word's and one draw's rows with their bounds.
template <typename T>
struct ScoreRows {
    const T* a = nullptr;  ///< tiles * kTileWidth, aligned
    const T* p = nullptr;
    const T* c = nullptr;       ///< may be null when kappa is 0
    const T* leastA = nullptr;  ///< boundCount(tiles), aligned
    const T* largestP = nullptr;
    const T* leastC = nullptr;
    const T* largestC = nullptr;
    std::int64_t tiles = 0;
};

/// A position and its computed score.
template <typename T>
struct Candidate {
    T score = T{};
    std::int32_t position = 0;
};

/// What a search found: every position whose computed score is at most the least one plus slack.
template <typename T>
struct Candidates {
    std::vector<T> scores{};
    std::vector<std::int32_t> positions{};
    std::vector<T> bounds{};        ///< scratch: bound of each group
    std::vector<T> groups{};        ///< scratch: numbers of groups to look into
    std::vector<T> tiles{};         ///< scratch: numbers of tiles to look into
    std::size_t count = 0;          ///< entries of scores and positions that are valid
    std::int64_t visitedTiles = 0;  ///< running total, for profiles
};

/// Scores all positions that can matter.
///
/// A group or tile is passed over when alpha leastA - tau largestP + (kappa >= 0 ? kappa leastC :
/// kappa largestC) exceeds the best score so far plus slack. The bound is computed with the
/// operations of a score in the same order; rounding is monotone, so it is below every computed
/// score it stands for.
///
/// start   a score that some position attains, +inf if none is known
/// slack   >= 0; what the caller's rounding bound cannot tell apart
template <typename T>
void searchTiles(const ScoreRows<T>& rows, const ScoreWeights& weights, T start, T slack,
                 Candidates<T>& found);

/// The score of one position as searchTiles computes it.
template <typename T>
[[nodiscard]] T scoreAt(const ScoreRows<T>& rows, const ScoreWeights& weights,
                        std::int32_t position);

}  // namespace epsilens::engine
