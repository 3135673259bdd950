#pragma once

#include <cstdint>
#include <vector>

namespace epsilens::plane {

/// A point of the plane, in units of the embedding.
struct PlanePoint {
    double x = 0.0;
    double y = 0.0;
};

/// Ellipse around a word; its axes are parallel to those of the plane.
struct Contour {
    double share = 0.0;  ///< share of the noise inside; 0 if it does not describe noise
    double semiAxisX = 0.0;
    double semiAxisY = 0.0;
    PlanePoint centre{};  ///< relative to the word

    [[nodiscard]] bool contains(const PlanePoint& offset) const;
};

/// Closed outline of a contour of a word.
///
/// points  >= 3 different points; the first is repeated at the end
[[nodiscard]] std::vector<PlanePoint> outline(const Contour& contour, const PlanePoint& word,
                                              int points);

/// Number of offsets within a contour.
[[nodiscard]] std::int64_t countInside(const std::vector<PlanePoint>& offsets,
                                       const Contour& contour);

}  // namespace epsilens::plane
