#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace epsilens::statistics {

/// Computed logarithms of equal probabilities differ by less than this; they come from float64 sums
/// over a vocabulary.
inline constexpr double kLogTolerance = 1e-12;

/// For each sorted value, the largest number of values in one interval of the given length that
/// contains it. For g-deniability the values are logarithms of probabilities, and the length is ln
/// g.
///
/// sorted  ascending
/// length  >= 0
[[nodiscard]] std::vector<std::int32_t> largestSets(std::span<const double> sorted, double length);

}  // namespace epsilens::statistics
