#include "core/engine/poincare_points.h"

#include <vector>

#include "core/engine/exact_scores.h"

namespace epsilens::engine {

PoincarePoints::PoincarePoints(const PoincareSpace& space)
    : m_space(space),
      m_slabs(space.spatial(), 0, space.space().positions(),
              [&](Eigen::Index position) { return space.heights()[position]; }) {}

// ||u - v||^2 / (1 - ||u||^2) is, up to a constant, (1 + ||v||^2)/2 h(u) - v.h(u)u.
void PoincarePoints::nearest(const RowMatrixD& points, std::span<Row> outputs) const {
    // Largest error of a score in units of the height of its position: rounding_bounds.md
    const double error = (2.0 * static_cast<double>(points.cols()) + 32.0) * kDoubleRoundoff;
    const VectorD weights = 0.5 * (1.0 + points.rowwise().squaredNorm().array());
    std::vector<PointCandidates<double>> candidates(outputs.size());
    m_slabs.visit(points, [&](std::size_t i, Eigen::Index first, std::span<double> /*products*/,
                              PointScores<double> upper) {
        const double weight = weights[static_cast<Eigen::Index>(i)];
        upper.scale = weight + error;
        candidates[i].look(upper, weight - error, 0.0, first);
    });
    const SearchSpace& space = m_space.space();
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        const auto point = points.row(static_cast<Eigen::Index>(i));
        outputs[i] =
            space.rowAt(leastOf(space, candidates[i].positions(), [&](std::int32_t position) {
                return (space.vectors().row(position).cast<double>() - point).squaredNorm() /
                       m_space.gapAt(position);
            }));
    }
}

}  // namespace epsilens::engine
