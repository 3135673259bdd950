#include "core/base/numbers.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include <fast_float/fast_float.h>
#include <fmt/format.h>

#include "core/base/ascii.h"

namespace epsilens {
namespace {

constexpr std::int64_t kLongestList = 10'000;
/// Digits of the values between the ends of a range, so that they can be read and typed.
constexpr int kRangeDigits = 6;

tl::unexpected<Error> notANumber(std::string_view text, std::string_view name) {
    std::string message = fmt::format("{}: \"{}\" is not a number", name, text);
    if (text.find(',') != std::string_view::npos && text.find('.') == std::string_view::npos) {
        std::string point(text);
        std::ranges::replace(point, ',', '.');
        message += fmt::format("; write {}", point);
    }
    return refuse(std::move(message));
}

/// Value at a share of the way from one end to the other, also where their difference or their
/// ratio is no double.
double between(double low, double high, double share, Spacing spacing) {
    return spacing == Spacing::linear
               ? low * (1.0 - share) + high * share
               : std::exp(std::log(low) * (1.0 - share) + std::log(high) * share);
}

/// The values with those between the ends rounded to kRangeDigits, or as they are where that would
/// put two out of order.
std::vector<double> roundedInside(std::vector<double> values) {
    std::vector<double> shorter = values;
    for (std::size_t i = 1; i + 1 < shorter.size(); ++i) {
        shorter[i] = rounded(values[i], kRangeDigits);
    }
    const bool rises = values.front() < values.back();
    const auto outOfOrder = std::adjacent_find(
        shorter.begin(), shorter.end(),
        [rises](double one, double next) { return rises ? one >= next : one <= next; });
    return outOfOrder == shorter.end() ? shorter : values;
}

Result<std::vector<double>> parseRange(std::string_view text, std::string_view name,
                                       std::size_t dots, Spacing spacing) {
    const auto cross = text.find('x', dots);
    if (cross == std::string_view::npos) {
        return refuse(fmt::format(
            "{}: the range \"{}\" lacks its number of values; write it as 1..40x9", name, text));
    }
    ASSIGN_OR_RETURN(const double low, parseNumber(text.substr(0, dots), name));
    ASSIGN_OR_RETURN(const double high, parseNumber(text.substr(dots + 2, cross - dots - 2), name));
    ASSIGN_OR_RETURN(const auto count, parseInteger(text.substr(cross + 1), name, 1, kLongestList));
    if (spacing == Spacing::logarithmic && !(low > 0 && high > 0)) {
        return refuse(fmt::format(
            "{}: the range \"{}\" has logarithmic spacing, both ends must be above 0", name, text));
    }
    std::vector<double> values(static_cast<std::size_t>(count), low);
    for (std::size_t i = 1; i < values.size(); ++i) {
        const double share = static_cast<double>(i) / static_cast<double>(values.size() - 1);
        values[i] = between(low, high, share, spacing);
    }
    if (values.size() > 1) {
        values.back() = high;
    }
    return roundedInside(std::move(values));
}

/// A number with so many decimals of its scientific notation.
struct Rounded {
    double value = 0.0;
    int exponent = 0;  ///< read off the rounded number: rounding can carry into a new leading digit
};

Rounded roundedTo(double value, int decimals) {
    const std::string text = fmt::format("{:.{}e}", value, decimals);
    return {parseNumber(text, "value").value_or(value), std::stoi(text.substr(text.find('e') + 1))};
}

}  // namespace

Result<double> parseNumber(std::string_view text, std::string_view name) {
    std::string_view digits = trimmed(text);
    if (digits.starts_with('+')) {
        digits.remove_prefix(1);
        if (digits.starts_with('-')) {
            return notANumber(text, name);
        }
    }
    double value = 0.0;
    const auto [end, status] =
        fast_float::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (status != std::errc{} || end != digits.data() + digits.size()) {
        return notANumber(trimmed(text), name);
    }
    if (!std::isfinite(value)) {
        return refuse(fmt::format("{}: {} is not a finite number", name, trimmed(text)));
    }
    return value;
}

Result<std::int64_t> parseInteger(std::string_view text, std::string_view name, std::int64_t lowest,
                                  std::int64_t highest) {
    const std::string_view digits = trimmed(text);
    std::int64_t value = 0;
    const auto [end, status] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (status != std::errc{} || end != digits.data() + digits.size() || value < lowest ||
        value > highest) {
        return refuse(fmt::format("{}: \"{}\" is not a whole number from {} to {}{}", name, digits,
                                  lowest, highest, thousandsHint(digits)));
    }
    return value;
}

std::string thousandsHint(std::string_view text) {
    const std::string_view number = trimmed(text);
    std::string digits(number);
    std::erase(digits, ',');
    std::int64_t value = 0;
    std::from_chars(digits.data(), digits.data() + digits.size(), value);
    return digits.size() < number.size() && formatCount(value) == number ? "; write " + digits
                                                                         : std::string();
}

std::string decimalCommaHint(std::string_view list) {
    for (std::size_t i = 1; i + 1 < list.size(); ++i) {
        if (list[i] == ',' && isAsciiDigit(list[i - 1]) && isAsciiDigit(list[i + 1])) {
            return "; a comma separates values: for one half, write 0.5";
        }
    }
    return {};
}

Result<std::vector<double>> parseList(std::string_view text, std::string_view name,
                                      Spacing spacing) {
    const std::string_view whole = trimmed(text);
    if (const auto dots = whole.find(".."); dots != std::string_view::npos) {
        return parseRange(whole, name, dots, spacing);
    }
    // Beside semicolons a comma is a decimal one, of which parseNumber tells.
    const std::string_view separators = whole.find(';') == std::string_view::npos ? "," : ";";
    std::vector<double> values;
    std::size_t start = 0;
    while (start <= whole.size()) {
        const std::size_t end = std::min(whole.find_first_of(separators, start), whole.size());
        ASSIGN_OR_RETURN(const auto value, parseNumber(whole.substr(start, end - start), name));
        values.push_back(value);
        if (std::ssize(values) > kLongestList) {
            return refuse(fmt::format("{}: more than {} values", name, kLongestList));
        }
        start = end + 1;
    }
    return values;
}

std::string formatNumber(double value) {
    return fmt::format("{}", value);
}

std::string formatSignificant(double value, int digits) {
    if (value == 0.0 || !std::isfinite(value)) {
        return fmt::format("{}", value);
    }
    const int decimals = std::max(0, digits - 1);
    if (std::fabs(value) < 1e-4 || std::fabs(value) >= 1e9) {
        return fmt::format("{:.{}e}", value, decimals);
    }
    const Rounded rounded = roundedTo(value, decimals);
    return fmt::format("{:.{}f}", rounded.value, std::max(0, decimals - rounded.exponent));
}

double rounded(double value, int digits) {
    return parseNumber(formatSignificant(value, digits), "value").value_or(value);
}

std::string formatCount(std::int64_t value) {
    std::string digits = fmt::format("{}", value);
    const std::size_t first = digits.front() == '-' ? 1 : 0;
    for (std::size_t i = digits.size(); i > first + 3; i -= 3) {
        digits.insert(i - 3, 1, ',');
    }
    return digits;
}

double roundedUp(double value, int digits) {
    if (value == 0.0 || !std::isfinite(value)) {
        return value;
    }
    const Rounded nearest = roundedTo(value, digits - 1);
    // Else the next number of as many digits; writing it makes up for what the sum is off.
    return nearest.value >= value
               ? nearest.value
               : roundedTo(nearest.value + std::pow(10.0, nearest.exponent - digits + 1),
                           digits - 1)
                     .value;
}

double roundedDown(double value, int digits) {
    return -roundedUp(-value, digits);
}

std::string formatAtMost(double value, int digits) {
    return formatSignificant(roundedUp(value, digits), digits);
}

std::string formatAtLeast(double value, int digits) {
    return formatSignificant(roundedDown(value, digits), digits);
}

}  // namespace epsilens
