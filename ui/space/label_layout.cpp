#include "ui/space/label_layout.h"

#include <algorithm>
#include <array>

namespace epsilens::ui {

namespace {

constexpr double kGap = 6.0;  ///< between a point and its label
constexpr double kPointHalfWidth = 3.0;

// Unit directions in the order readers find labels natural: right, left, above, below, diagonals.
constexpr std::array<QPointF, 12> kDirections{
    QPointF{1.0, 0.0},    QPointF{-1.0, 0.0},  QPointF{0.0, -1.0},    QPointF{0.0, 1.0},
    QPointF{0.7, -0.7},   QPointF{0.7, 0.7},   QPointF{-0.7, -0.7},   QPointF{-0.7, 0.7},
    QPointF{0.92, -0.38}, QPointF{0.92, 0.38}, QPointF{-0.92, -0.38}, QPointF{-0.92, 0.38}};

QRectF boxAt(const LabelRequest& request, const QPointF& direction) {
    const QPointF centre(request.anchor.x() + direction.x() * (kGap + request.size.width() / 2.0),
                         request.anchor.y() + direction.y() * (kGap + request.size.height() / 2.0));
    return {centre.x() - request.size.width() / 2.0, centre.y() - request.size.height() / 2.0,
            request.size.width(), request.size.height()};
}

QRectF pointBox(const QPointF& point) {
    return {point.x() - kPointHalfWidth, point.y() - kPointHalfWidth, 2.0 * kPointHalfWidth,
            2.0 * kPointHalfWidth};
}

}  // namespace

std::vector<std::optional<QRectF>> placeLabels(const std::vector<LabelRequest>& requests,
                                               const QRectF& bounds,
                                               const std::vector<QRectF>& obstacles) {
    std::vector<QRectF> taken = obstacles;
    for (const LabelRequest& request : requests) {
        taken.push_back(pointBox(request.anchor));
    }
    const auto isFree = [&](const QRectF& box) {
        return bounds.contains(box) &&
               std::none_of(taken.begin(), taken.end(),
                            [&box](const QRectF& other) { return other.intersects(box); });
    };
    std::vector<std::optional<QRectF>> placed(requests.size());
    for (std::size_t i = 0; i < requests.size(); ++i) {
        if (!bounds.contains(requests[i].anchor)) {
            continue;
        }
        for (const QPointF& direction : kDirections) {
            const QRectF box = boxAt(requests[i], direction);
            if (isFree(box)) {
                placed[i] = box;
                taken.push_back(box);
                break;
            }
        }
    }
    return placed;
}

}  // namespace epsilens::ui
