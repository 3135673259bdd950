#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"

namespace epsilens {

/// Numbers as people and files write them, always in the C locale: decimal point, no grouping.

/// Reads a finite number that fills the whole text (blanks around it are allowed, as is a leading
/// plus). `name` is used in the message. A decimal comma is answered with "write 0.5".
[[nodiscard]] Result<double> parseNumber(std::string_view text, std::string_view name);

/// Reads a whole number in [lowest, highest], as parseNumber does. Thousands set off by commas are
/// answered with "write 1000".
[[nodiscard]] Result<std::int64_t> parseInteger(std::string_view text, std::string_view name,
                                                std::int64_t lowest, std::int64_t highest);

/// "; write 1000" for "1,000", a whole number with its thousands set off by commas; empty for other
/// texts.
[[nodiscard]] std::string thousandsHint(std::string_view text);

/// For the message about a list with a value outside its range, which may be numbers typed with a
/// decimal comma: how those are written, where `list` has a comma between digits; empty elsewhere.
[[nodiscard]] std::string decimalCommaHint(std::string_view list);

enum class Spacing { logarithmic, linear };

/// Reads a list: "1,5,10", "1; 5; 10", where a comma is refused as a decimal one, or a range
/// "1..40x9" (9 values from 1 to 40, both included, those between them rounded to 6 digits unless
/// they lie too close together for that).
///
/// spacing  of a range; logarithmic needs both ends > 0
/// Returns at least one and at most 10,000 values in the order written.
[[nodiscard]] Result<std::vector<double>> parseList(std::string_view text, std::string_view name,
                                                    Spacing spacing);

/// Shortest text that reads back as the same number: "0.1", "10", "1e-06".
[[nodiscard]] std::string formatNumber(double value);

/// `digits` significant digits, without exponent for 1e-4 <= |value| < 1e9: "0.050", "12.3".
[[nodiscard]] std::string formatSignificant(double value, int digits);

/// The nearest number with so many significant digits: one that can be typed.
///
/// digits  1 to 15
[[nodiscard]] double rounded(double value, int digits);

/// Thousands separated by commas: "400,000".
[[nodiscard]] std::string formatCount(std::int64_t value);
/// The same for other types of whole numbers.
template <std::integral Count>
[[nodiscard]] std::string formatCount(Count value) {
    return formatCount(static_cast<std::int64_t>(value));
}

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
