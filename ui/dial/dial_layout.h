#pragma once

#include <QFontMetrics>
#include <QRectF>
#include <QSize>

namespace epsilens::ui {

/// Where the parts of a dial lie. A low dial has no dots, no title and no row for the words at the
/// ends of its axis, which then stand among the numbers.
struct DialLayout {
    QRectF title{};  ///< empty when low
    QRectF ruler{};
    QRectF plot{};
    QRectF dots{};  ///< empty when low
    QRectF axis{};  ///< line of the axis at its top, numbers below
    QRectF ends{};  ///< for the words at both ends; empty when low

    [[nodiscard]] static DialLayout of(QSize size, const QFontMetrics& metrics);
    /// Room that a low dial needs.
    [[nodiscard]] static int lowHeight(const QFontMetrics& metrics);
    /// From this height on a dial has all its parts.
    [[nodiscard]] static int fullHeight(const QFontMetrics& metrics);
};

}  // namespace epsilens::ui
