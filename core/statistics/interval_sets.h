#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace epsilens::statistics {

/// Logarithms of equal probabilities differ by less, after sums of float64 over a vocabulary.
inline constexpr double kLogTolerance = 1e-12;

/// For each of some sorted values, the most values that one interval of a given length holds
/// together with it. In g-deniability the values are logarithms of probabilities, the length ln g.
///
/// sorted  rising
/// length  >= 0
[[nodiscard]] std::vector<std::int32_t> largestSets(std::span<const double> sorted, double length);

}  // namespace epsilens::statistics
