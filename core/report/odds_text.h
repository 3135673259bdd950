#pragma once

#include <string>

namespace epsilens::report {

/// The largest factor of odds that is still worth naming; above it there is no useful bound.
inline constexpr double kLargestUsefulFactor = 1e6;

/// A factor by which odds change at most, rounded up to three significant digits as an upper bound
/// has to be: "9.98", "165" of 164.02, "22,100".
///
/// factor  in [1, kLargestUsefulFactor]
[[nodiscard]] std::string factorAtMost(double factor);

}  // namespace epsilens::report
