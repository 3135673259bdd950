#pragma once

#include "core/engine/metric_space.h"

namespace epsilens::engine {

/// Relative rounding error of any computed distance, in addition to the bounds of DistanceError.
inline constexpr double kDistanceRounding = 0x1p-21;

/// Error bounds of the distances of one word from a float32 product. The product has an error in
/// the squared distance, or in the squared chord of the unit vectors, whose effect grows as the
/// distance falls (as the angle approaches pi). Derivation: rounding_bounds.md
class DistanceError {
public:
    DistanceError(const MetricSpace& space, Row word);

    /// Largest value that may be computed for a word whose true distance is not above that of a
    /// word computed at `value`.
    [[nodiscard]] float reach(float value) const;
    /// Distances below this value should be recomputed from differences.
    [[nodiscard]] double refineBelow() const;
    /// Up to where distances are recomputed from differences if the word computed at `value` must
    /// be: every word whose true distance may be as small, and all below refineBelow().
    [[nodiscard]] float refineUpTo(float value) const;
    /// Distances above this value should be recomputed from sums; infinite except for angles.
    [[nodiscard]] double refineAbove() const;
    /// Bound on |computed - true| for products whose distances are computed within [least,
    /// largest].
    [[nodiscard]] double ofProducts(double least, double largest) const;
    /// The same for recomputed distances: the effect of rounding the table to float32.
    [[nodiscard]] double ofTable() const { return m_tableError; }

private:
    [[nodiscard]] double squareOf(double distance) const;
    [[nodiscard]] double distanceOf(double square) const;

    metric::Metric m_metric;
    double m_squareError = 0.0;
    double m_tableError = 0.0;
};

}  // namespace epsilens::engine
