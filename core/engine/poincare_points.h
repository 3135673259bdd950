#pragma once

#include <span>

#include "core/base/eigen.h"
#include "core/engine/poincare_space.h"
#include "core/engine/point_candidates.h"

namespace epsilens::engine {

/// Finds the words nearest to many points of the ball in Poincaré distance: one float64 product of
/// all points with all vectors in Lorentz form, then the textbook formula for those that its
/// rounding bound cannot separate. Ties go to the lowest row. Points share no data. Immutable;
/// several tasks may search at once. Derivation: rounding_bounds.md
class PoincarePoints {
public:
    /// The space must outlive this object.
    explicit PoincarePoints(const PoincareSpace& space);

    /// outputs[i] is the row nearest to row i of the points.
    ///
    /// points  one row of m numbers each, of norm at most 1 (up to rounding: the edge is allowed)
    void nearest(const RowMatrixD& points, std::span<Row> outputs) const;

private:
    const PoincareSpace& m_space;
    PointSlabs<double> m_slabs;
};

}  // namespace epsilens::engine
