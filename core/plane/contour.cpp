#include "core/plane/contour.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace epsilens::plane {

bool Contour::contains(const PlanePoint& offset) const {
    const double x = (offset.x - centre.x) / semiAxisX;
    const double y = (offset.y - centre.y) / semiAxisY;
    return x * x + y * y <= 1.0;
}

std::vector<PlanePoint> outline(const Contour& contour, const PlanePoint& word, int points) {
    std::vector<PlanePoint> all;
    all.reserve(static_cast<std::size_t>(points) + 1);
    for (int i = 0; i < points; ++i) {
        const double angle = 2.0 * std::numbers::pi * i / points;
        all.push_back({word.x + contour.centre.x + contour.semiAxisX * std::cos(angle),
                       word.y + contour.centre.y + contour.semiAxisY * std::sin(angle)});
    }
    all.push_back(all.front());
    return all;
}

std::int64_t countInside(const std::vector<PlanePoint>& offsets, const Contour& contour) {
    return std::count_if(offsets.begin(), offsets.end(),
                         [&contour](const PlanePoint& offset) { return contour.contains(offset); });
}

}  // namespace epsilens::plane
