#pragma once

#include <string>
#include <string_view>

#include "core/mechanism/guarantee.h"

/// Upper bounds for people: never below the bound itself, however they are rounded.
namespace epsilens::report {

using mechanism::kLargestUsefulFactor;

/// To whom a promise is made, wherever there is one, and against whom.
inline constexpr std::string_view kPromisedTo = "anyone a text is about";
inline constexpr std::string_view kPromisedAgainst = "whatever readers know besides";

/// A factor by which odds change at most, rounded up to three significant digits: "9.98", "165" of
/// 164.02, "22,100".
///
/// factor  in [1, kLargestUsefulFactor]
[[nodiscard]] std::string factorAtMost(double factor);

/// The same of the loss of a pair or text, for a column of odds: "×165", "no useful bound" above
/// the largest useful factor.
[[nodiscard]] std::string oddsAtMost(double loss);

/// The factor of the metric: an epsilon as it was typed, another one rounded up to four digits.
[[nodiscard]] std::string boundText(const mechanism::Guarantee& guarantee);

}  // namespace epsilens::report
