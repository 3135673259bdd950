#pragma once

#include <cmath>

#include <QColor>

namespace epsilens::test {

/// WCAG 2.1 relative luminance of an sRGB colour.
[[nodiscard]] inline double luminance(const QColor& colour) {
    const auto linear = [](double c) {
        return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
    };
    return 0.2126 * linear(colour.redF()) + 0.7152 * linear(colour.greenF()) +
           0.0722 * linear(colour.blueF());
}

/// WCAG 2.1 contrast, from 1 to 21.
[[nodiscard]] inline double contrast(const QColor& one, const QColor& other) {
    const double a = luminance(one) + 0.05;
    const double b = luminance(other) + 0.05;
    return a > b ? a / b : b / a;
}

}  // namespace epsilens::test
