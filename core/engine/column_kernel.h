#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/engine/score_kernel.h"

namespace epsilens::engine {

/// Columns that lie side by side in one cache line.
inline constexpr std::int64_t kColumnGroup = 16;
/// Weights that one walk can serve.
inline constexpr std::size_t kWalkWidth = 8;
/// Entries of each list that a walk takes at a time; lists are padded to whole steps.
inline constexpr std::int64_t kWalkStep = 4;

/// Values of every position in a column of a table whose rows are positions. With norms the value
/// of position u is max(0, (norms[u] + ownNorm) + table(u)), else table(u).
struct Column {
    const float* table = nullptr;  ///< entry of position 0
    std::int64_t stride = 0;       ///< from one position to the next
    const float* norms = nullptr;  ///< one per position, or null
    float ownNorm = 0.0F;
};

[[nodiscard]] inline float valueAt(const Column& column, std::int64_t position) {
    const float value = column.table[position * column.stride];
    return column.norms == nullptr
               ? value
               : std::max(0.0F, column.norms[position] + column.ownNorm + value);
}

/// The least entries of a column, ascending. No entry that is missing has a value below
/// values[count].
struct ColumnList {
    const float* values = nullptr;  ///< count, then kWalkStep times the bound of what is missing
    const std::int32_t* positions = nullptr;
    std::int64_t count = 0;  ///< a multiple of kWalkStep; the last entry is repeated to reach one
    bool isWhole = false;    ///< whether it holds every position
};

/// Values of the positions of outlying norm, each lowered by its own error: a score computed from
/// them is not above the exact one.
struct OutlyingColumn {
    const float* values = nullptr;  ///< whole tiles, the last one padded with kPaddingA
    const float* least = nullptr;   ///< of each tile
};

/// A word and a draw: the score of position u is alpha a(u) + tau q(u), where a is a squared
/// distance and q the projection on the noise with its sign changed.
struct WalkTables {
    Column a{};
    Column q{};
    ColumnList leastA{};
    ColumnList leastQ{};
    std::int64_t positions = 0;  ///< those of the lists, the first ones
    float errorA = 0.0F;         ///< of a score of one of these, per unit of alpha
    float errorQ = 0.0F;         ///< of a score of one of these, per unit of tau
    std::int64_t outlyingTiles = 0;
    OutlyingColumn outlyingA{};  ///< of the positions that follow
    OutlyingColumn outlyingQ{};
    /// A score that the word itself does not exceed, per unit of tau, where it is of outlying norm.
    std::optional<float> ownQ{};
};

/// Weights that a walk serves together, repeated to fill its width.
struct WalkWeights {
    std::array<float, kWalkWidth> alpha{};
    std::array<float, kWalkWidth> tau{};
};

/// What a walk found. For each of its weights the positions whose computed score is at most the
/// least one of a list plus twice the error of a score lie between `first` and `last`, inclusive.
struct WalkFindings {
    std::array<std::int32_t, kWalkWidth> first{};
    std::array<std::int32_t, kWalkWidth> last{};
    std::array<float, kWalkWidth> limit{};  ///< least score plus twice the error
    std::vector<float> a{};                 ///< of every position that may be within a limit
    std::vector<float> q{};
    std::vector<std::int32_t> positions{};  ///< may repeat
    std::size_t count = 0;                  ///< of valid entries in the three vectors
    std::int64_t walked = 0;                ///< entries of either list, running total
    std::int64_t scans = 0;                 ///< walks that had to look at all positions
};

/// Walks both lists in step until nothing unseen can come within a limit, which is decided by the
/// score of the two next values: rounding is monotone, so that it is at most every computed score
/// of an unseen position (the threshold algorithm of Fagin, Lotem and Naor 2001). Lists that end
/// too early are followed by a look at all of their positions. Then come the tiles of outlying norm
/// that may hold a score within a limit.
void walkLists(const WalkTables& tables, const WalkWeights& weights, WalkFindings& findings);

/// Least entries of up to kColumnGroup neighbouring columns as sortable numbers: the value, in an
/// order of bits that is its order as a number, above the position.
struct ColumnSelection {
    std::int64_t columns = 0;
    std::int64_t positions = 0;
    Column first{};  ///< ownNorm is not used
    std::array<float, kColumnGroup> ownNorms{};
    std::array<float, kColumnGroup> thresholds{};  ///< values above need not be selected
    std::int64_t wanted = 0;    ///< a column that is full keeps so many and lowers its threshold
    std::int64_t capacity = 0;  ///< of the keys of a column, > wanted + kSelectionStep
    std::uint64_t* keys = nullptr;  ///< columns x capacity
    std::array<std::int64_t, kColumnGroup> counts{};
};

/// Positions between two looks at whether a column is full.
inline constexpr std::int64_t kSelectionStep = 64;

/// Selects in every column what is at most its threshold.
void selectLeast(ColumnSelection& selection);

/// Values of some positions in each of the columns: values(column, i) of position i * step.
///
/// values  columns x count
void sampleColumns(const ColumnSelection& selection, std::int64_t step, std::int64_t count,
                   float* values);

[[nodiscard]] float valueOfKey(std::uint64_t key);

}  // namespace epsilens::engine
