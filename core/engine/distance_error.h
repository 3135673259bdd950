#pragma once

#include "core/engine/metric_space.h"

namespace epsilens::engine {

/// Relative rounding error of any computed distance, beside what DistanceError bounds.
inline constexpr double kDistanceRounding = 0x1p-21;

/// How far the distances of one word may be off that a float32 product gives: the product has an
/// error in the squared distance, or in the squared chord of the unit vectors, which weighs the
/// more the smaller the distance (the nearer to pi the angle). Derivation: rounding_bounds.md
class DistanceError {
public:
    DistanceError(const MetricSpace& space, Row word);

    /// The largest value computed for any word that may truly be as near as one computed at
    /// `value`.
    [[nodiscard]] float reach(float value) const;
    /// Distances below should be formed again from differences.
    [[nodiscard]] double refineBelow() const;
    /// Distances above should be formed again from sums; infinite but for angles.
    [[nodiscard]] double refineAbove() const;
    /// Bound on |computed - true| for products whose distances are computed within [least,
    /// largest].
    [[nodiscard]] double ofProducts(double least, double largest) const;
    /// The same for distances formed again: what rounding the table to float32 does.
    [[nodiscard]] double ofTable() const { return m_tableError; }

private:
    [[nodiscard]] double squareOf(double distance) const;
    [[nodiscard]] double distanceOf(double square) const;

    metric::Metric m_metric;
    double m_squareError = 0.0;
    double m_tableError = 0.0;
};

}  // namespace epsilens::engine
