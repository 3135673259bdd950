#include "ui/curves/curve_style.h"

#include <array>
#include <cmath>

#include <qcustomplot.h>

#include "ui/widgets/theme.h"

namespace epsilens::ui {

namespace {

QColor blend(const QColor& a, const QColor& b, double share) {
    const auto mix = [share](int low, int high) {
        return static_cast<int>(std::lround(low + share * (high - low)));
    };
    return {mix(a.red(), b.red()), mix(a.green(), b.green()), mix(a.blue(), b.blue())};
}

/// Where a family of colours begins (the smallest lambda) and ends; each at least 3:1 against the
/// plot's ground.
std::array<QColor, 2> familyOf(Statistic statistic, bool dark) {
    if (statistic == Statistic::nw) {
        return dark ? std::array{QColor(0xc4, 0xe6, 0xfa), QColor(0x2e, 0x8b, 0xc7)}
                    : std::array{QColor(0x00, 0x33, 0x55), QColor(0x3d, 0x9b, 0xd6)};
    }
    return dark ? std::array{QColor(0xff, 0xdf, 0xa3), QColor(0xdc, 0x7a, 0x2a)}
                : std::array{QColor(0x7a, 0x2e, 0x00), QColor(0xe5, 0x6c, 0x14)};
}

}  // namespace

QColor curveColour(Statistic statistic, const Theme& theme, int index, int count) {
    if (count == 1) {
        return statistic == Statistic::nw ? theme.nw : theme.sw;
    }
    const auto ends = familyOf(statistic, theme.dark);
    return blend(ends[0], ends[1], static_cast<double>(index) / (count - 1));
}

}  // namespace epsilens::ui
