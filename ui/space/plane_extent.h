#pragma once

#include <algorithm>
#include <limits>

#include "ui/space/plane_types.h"

namespace epsilens::ui {

/// Box around points of the plane, grown one by one.
struct Extent {
    double left = std::numeric_limits<double>::max();
    double right = std::numeric_limits<double>::lowest();
    double bottom = std::numeric_limits<double>::max();
    double top = std::numeric_limits<double>::lowest();

    void add(const PlanePoint& point) {
        left = std::min(left, point.x);
        right = std::max(right, point.x);
        bottom = std::min(bottom, point.y);
        top = std::max(top, point.y);
    }
    void add(const Contour& contour, const PlanePoint& centre) {
        const double x = centre.x + contour.centre.x;
        const double y = centre.y + contour.centre.y;
        add({x - contour.semiAxisX, y - contour.semiAxisY});
        add({x + contour.semiAxisX, y + contour.semiAxisY});
    }
    [[nodiscard]] bool isEmpty() const { return left > right; }
};

}  // namespace epsilens::ui
