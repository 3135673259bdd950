#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/base/eigen.h"
#include "core/embedding/pca_basis.h"

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

/// Elliptical noise projected to the plane of the first two principal axes. Draws and quantiles are
/// computed once, for spherical noise at epsilon = 1; epsilon and lambda only scale them.
class PlaneNoise {
public:
    static constexpr std::array kShares{0.50, 0.95};

    PlaneNoise() = default;  ///< without draws
    /// basis  with m >= 2 dimensions
    /// draws  number of draws
    PlaneNoise(const embedding::PcaBasis& basis, std::uint64_t seed, std::int64_t draws);

    /// Contours of kShares. epsilon > 0, lambda in [0, 1]
    [[nodiscard]] std::vector<Contour> contours(double epsilon, double lambda) const;
    /// Offsets of the draws from the word.
    [[nodiscard]] std::vector<PlanePoint> draws(double epsilon, double lambda) const;

private:
    [[nodiscard]] PlanePoint scale(double epsilon, double lambda) const;

    std::array<double, 2> m_radii{};     ///< of kShares, spherical, epsilon = 1
    std::array<double, 2> m_spectrum{};  ///< xi of the two axes
    RowMatrixD m_draws{};                ///< spherical, epsilon = 1
};

}  // namespace epsilens::plane
