#pragma once

#include <cstdint>
#include <span>

#include "core/base/eigen.h"
#include "core/base/job_context.h"
#include "core/engine/neighbours.h"
#include "core/engine/search_space.h"
#include "core/engine/tiled_rows.h"

namespace epsilens::engine {

/// A search space inside the Poincaré ball: float64 tables by position, computed from the stored
/// float32 vectors. All norms must be below 1. Immutable.
class PoincareSpace {
public:
    /// The space must outlive this object.
    explicit PoincareSpace(const SearchSpace& space);

    [[nodiscard]] const SearchSpace& space() const { return m_space; }
    [[nodiscard]] Eigen::Index dimensions() const { return m_spatial.cols(); }
    /// Stored vector u of a position.
    [[nodiscard]] const float* vectorAt(Eigen::Index position) const {
        return m_space.vectors().row(position).data();
    }
    /// 1 - ||u||^2.
    [[nodiscard]] double gapAt(Eigen::Index position) const { return m_gaps[position]; }
    /// Spatial part of the Lorentz coordinates, 2 u / (1 - ||u||^2), positions() x m.
    [[nodiscard]] const RowMatrixD& spatial() const { return m_spatial; }
    /// 2 / (1 - ||u||^2), which is 1 plus the Lorentz coordinate u_0, as a row, and its bounds.
    [[nodiscard]] const double* heights() const { return m_heights.row(0); }
    [[nodiscard]] const double* leastHeights() const { return m_heightBounds.row(0); }
    [[nodiscard]] const double* largestHeights() const { return m_heightBounds.row(1); }
    [[nodiscard]] double largestHeight() const { return m_largestHeight; }

    /// cosh d_H - 1 between two positions, by the ratio form.
    [[nodiscard]] double excess(Eigen::Index a, Eigen::Index b) const;

private:
    const SearchSpace& m_space;
    VectorD m_gaps;
    RowMatrixD m_spatial;
    AlignedMatrixOf<double> m_heights;
    AlignedMatrixOf<double> m_heightBounds;
    double m_largestHeight = 0.0;
};

/// The words nearest to one word in Poincaré distance. count  K >= 1; at most V - 1 are returned
[[nodiscard]] Neighbourhood poincareNeighbours(const PoincareSpace& space, Row word, int count);

}  // namespace epsilens::engine
