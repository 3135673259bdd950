#include "ui/common/value_scale.h"

#include <algorithm>
#include <cmath>

namespace epsilens::ui {

namespace {
constexpr double kStepsPerDecade = 100.0;
}

double ValueScale::position(double value) const {
    const double position = kind == Kind::linear ? (value - low) / (high - low)
                                                 : std::log(value / low) / std::log(high / low);
    return std::clamp(position, 0.0, 1.0);
}

double ValueScale::at(double position) const {
    return kind == Kind::linear ? low + position * (high - low)
                                : low * std::pow(high / low, position);
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
    const double exponent = std::floor(std::log10(value)) - (digits - 1);
    const double unit = std::pow(10.0, std::abs(exponent));
    return exponent < 0.0 ? std::round(value * unit) / unit : std::round(value / unit) * unit;
}

double ValueScale::stepped(double value, int steps) const {
    if (kind == Kind::linear) {
        return std::clamp(rounded(value + steps * step), low, high);
    }
    double next = value * std::pow(10.0, steps / kStepsPerDecade);
    if (digits == 0 && std::round(next) == std::round(value)) {
        next = value + (steps > 0 ? 1.0 : -1.0);
    }
    return std::clamp(next, low, high);
}

}  // namespace epsilens::ui
