#include "core/base/bound_text.h"

#include <cmath>
#include <string>

#include <fmt/format.h>

#include "core/base/numbers.h"

namespace epsilens {

double roundedUp(double value, int digits) {
    if (value == 0.0 || !std::isfinite(value)) {
        return value;
    }
    const std::string nearest = fmt::format("{:.{}e}", value, digits - 1);
    const double rounded = parseNumber(nearest, "value").value_or(value);
    if (rounded >= value) {
        return rounded;
    }
    // The next number of as many digits; writing it makes up for what the sum is off.
    const int exponent = std::stoi(nearest.substr(nearest.find('e') + 1));
    const double next = rounded + std::pow(10.0, exponent - digits + 1);
    return parseNumber(fmt::format("{:.{}e}", next, digits - 1), "value").value_or(value);
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
