#pragma once

#include <optional>
#include <vector>

#include <QPointF>
#include <QRectF>
#include <QSizeF>

namespace epsilens::ui {

/// A text that wants to stand beside a point.
struct LabelRequest {
    QPointF anchor;  ///< pixels
    QSizeF size;
};

/// Places labels beside their points so that no two overlap, none covers another label's point and
/// all lie within bounds. Earlier requests choose first; one that finds no place gets none.
///
/// obstacles  further boxes to keep clear, such as a legend
/// Returns one box per request, in order.
[[nodiscard]] std::vector<std::optional<QRectF>> placeLabels(
    const std::vector<LabelRequest>& requests, const QRectF& bounds,
    const std::vector<QRectF>& obstacles);

}  // namespace epsilens::ui
