#include "ui/widgets/value_scale.h"

#include <algorithm>
#include <cmath>

namespace epsilens::ui {

namespace {
constexpr double kStepsPerDecade = 100.0;
}

double ValueScale::position(double value) const {
    if (kind == Kind::linear) {
        return std::clamp((value - low) / (high - low), 0.0, 1.0);
    }
    const double whole = std::log((high - origin) / (low - origin));
    return value > low ? std::clamp(std::log((value - origin) / (low - origin)) / whole, 0.0, 1.0)
                       : 0.0;
}

double ValueScale::at(double position) const {
    return kind == Kind::linear
               ? low + position * (high - low)
               : origin + (low - origin) * std::pow((high - origin) / (low - origin), position);
}

double ValueScale::rounded(double value) const {
    if (kind == Kind::linear) {
        // A quotient of two integers, so that 0.29 is the double that "0.29" reads as.
        const double perUnit = std::round(1.0 / step);
        return perUnit >= 1.0 ? std::round(value * perUnit) / perUnit
                              : std::round(value / step) * step;
    }
    if (digits == 0) {
        return std::round(value);
    }
    const double above = value - origin;
    const double exponent = std::floor(std::log10(above)) - (digits - 1);
    const double unit = std::pow(10.0, std::abs(exponent));
    return origin +
           (exponent < 0.0 ? std::round(above * unit) / unit : std::round(above / unit) * unit);
}

double ValueScale::stepped(double value, int steps) const {
    // A typed value may lie beyond the ends: a step starts from there and leads no farther out.
    const double least = std::min(low, value);
    const double most = std::max(high, value);
    if (kind == Kind::linear) {
        return std::clamp(rounded(value + steps * step), least, most);
    }
    double next = origin + (value - origin) * std::pow(10.0, steps / kStepsPerDecade);
    if (digits == 0 && std::round(next) == std::round(value)) {
        next = value + (steps > 0 ? 1.0 : -1.0);
    }
    return std::clamp(next, least, most);
}

}  // namespace epsilens::ui
