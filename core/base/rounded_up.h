#pragma once

namespace epsilens {

/// Least number of `digits` significant decimal digits that is not below the value, for an upper
/// bound that is shown: 1.243 of 1.24245 with four. Zero and what is not finite stay as they are.
///
/// digits  >= 1
[[nodiscard]] double roundedUp(double value, int digits);

}  // namespace epsilens
