#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace epsilens::engine {

/// Entries of a row that can be among its smallest if the row is known up to rounding.
struct SmallestEntries {
    std::vector<std::int32_t> indices{};  ///< ascending
    float threshold = 0.0F;               ///< `indices` holds exactly the entries up to this value
};

/// Finds every entry that can be among the `wanted` smallest.
///
/// values     the row
/// tileLeast  the result of tileMinima for the row
/// wanted     1 to values.size()
/// reach      maps a computed value to the largest value that may be computed for an entry whose
///            true value is as small; ascending, and not below its argument
/// If the least values of `wanted` tiles are at most x, at least `wanted` entries are at most x, so
/// that tiles with a least value beyond reach(x) can be skipped.
[[nodiscard]] SmallestEntries smallestEntries(std::span<const float> values, const float* tileLeast,
                                              std::int64_t wanted,
                                              const std::function<float(float)>& reach);

}  // namespace epsilens::engine
