#pragma once

#include <string>

namespace epsilens {

/// The least number with so many significant digits that is not below the value: an upper bound
/// stays one however it is shown. What is not finite, and 0, stay as they are.
///
/// digits  1 to 15
[[nodiscard]] double roundedUp(double value, int digits);

/// The largest such number that is not above the value.
[[nodiscard]] double roundedDown(double value, int digits);

/// As formatSignificant, but never below the value: what an upper bound has to be.
[[nodiscard]] std::string formatAtMost(double value, int digits);

/// As formatSignificant, but never above the value: what a lower bound has to be.
[[nodiscard]] std::string formatAtLeast(double value, int digits);

}  // namespace epsilens
