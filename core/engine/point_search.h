#pragma once

#include <cstdint>
#include <span>

#include "core/base/eigen.h"
#include "core/engine/poincare_space.h"
#include "core/engine/point_candidates.h"
#include "core/engine/search_space.h"

namespace epsilens::engine {

/// Finds the words nearest to many noisy points phi(w) + z / epsilon, each with its own noise: one
/// float32 product of all points with all vectors, then a float64 decision among those that its
/// rounding bound cannot separate. Ties go to the lowest row. Points share no data, as a release
/// requires; if many words share their draws, SortedSearch is faster.
///
/// All digits of the noise count: float32 only excludes candidates and never decides.
/// Immutable; several tasks may search at once. Derivation: rounding_bounds.md
class PointSearch {
public:
    /// The space must outlive this object.
    ///
    /// epsilon  finite, > 0
    PointSearch(const SearchSpace& space, double epsilon);

    /// outputs[i] is the row nearest to words[i] under row i of the noise at epsilon = 1.
    ///
    /// noise  one row of m finite numbers per word
    void nearest(std::span<const Row> words, const RowMatrixD& noise, std::span<Row> outputs) const;

private:
    const SearchSpace& m_space;
    ScoreWeights m_weights;
    PointSlabs<float> m_regular;
    PointSlabs<float> m_outlying;
};

/// Number of points per search, large enough for the product to reach its full speed.
inline constexpr std::int64_t kPointBlock = 384;

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
