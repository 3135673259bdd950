#include "core/engine/poincare_space.h"

#include <algorithm>
#include <vector>

#include "core/engine/score_kernel.h"
#include "core/metric/poincare_distance.h"

namespace epsilens::engine {

PoincareSpace::PoincareSpace(const SearchSpace& space)
    : m_space(space),
      m_gaps(space.positions()),
      m_spatial(space.positions(), space.vectors().cols()),
      m_heights(1, space.paddedPositions()),
      m_heightBounds(2, boundCount(space.tiles())) {
    double* heights = m_heights.row(0);
    for (Eigen::Index position = 0; position < space.positions(); ++position) {
        m_gaps[position] = metric::ballGap(vectorAt(position), dimensions());
        heights[position] = 2.0 / m_gaps[position];
        m_spatial.row(position) = space.vectors().row(position).cast<double>() * heights[position];
        m_largestHeight = std::max(m_largestHeight, heights[position]);
    }
    // A copy of the last height changes no bound of its tile.
    std::fill(heights + space.positions(), heights + space.paddedPositions(),
              space.positions() > 0 ? heights[space.positions() - 1] : 0.0);
    leastBounds(heights, space.tiles(), m_heightBounds.row(0));
    largestBounds(heights, space.tiles(), m_heightBounds.row(1));
}

double PoincareSpace::excess(Eigen::Index a, Eigen::Index b) const {
    return metric::coshExcess(squaredDistance(vectorAt(a), vectorAt(b), dimensions()), gapAt(a),
                              gapAt(b));
}

Neighbourhood poincareNeighbours(const PoincareSpace& space, Row word, int count) {
    const SearchSpace& positions = space.space();
    const Eigen::Index own = positions.positionOf(word);
    std::vector<RankedRow> others;
    others.reserve(static_cast<std::size_t>(positions.embedding().wordCount()));
    for (Eigen::Index position = 0; position < positions.positions(); ++position) {
        const double excess = space.excess(own, position);
        for (const Row row : positions.rowsAt(position)) {
            if (row != word) {
                others.push_back({excess, row});
            }
        }
    }
    return nearestOf(std::move(others), count, metric::distanceOfExcess);
}

}  // namespace epsilens::engine
