#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace epsilens::engine {

/// Entries of a row that can be among its smallest when the row is known up to rounding.
struct SmallestEntries {
    std::vector<std::int32_t> indices{};  ///< rising
    float threshold = 0.0F;               ///< exactly the entries up to it are in `indices`
};

/// Finds every entry that can be among the `wanted` smallest.
///
/// values     the row
/// tileLeast  as tileMinima gives it for the row
/// wanted     1 to values.size()
/// reach      for a computed value, the largest one computed for any entry that may truly be as
///            small; not below its argument, rising
/// As many tiles as entries are wanted have a least value up to some number, so that many entries
/// are that small: tiles beyond it need no look.
[[nodiscard]] SmallestEntries smallestEntries(std::span<const float> values, const float* tileLeast,
                                              std::int64_t wanted,
                                              const std::function<float(float)>& reach);

}  // namespace epsilens::engine
