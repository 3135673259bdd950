#include "core/engine/poincare_points.h"

#include <algorithm>
#include <vector>

#include "core/engine/exact_scores.h"
#include "core/engine/point_candidates.h"
#include "core/engine/point_search.h"
#include "core/engine/score_kernel.h"
#include "core/numeric/matrix_product.h"

namespace epsilens::engine {
namespace {

// Largest error of a score in units of the height of its position. Derivation: rounding_bounds.md
double errorPerHeight(Eigen::Index dimensions) {
    return (2.0 * static_cast<double>(dimensions) + 32.0) * kDoubleRoundoff;
}

}  // namespace

PoincarePoints::PoincarePoints(const PoincareSpace& space)
    : m_space(space),
      m_heights(1, (space.space().positions() + kPointSlab - 1) / kPointSlab * kPointSlab) {
    double* heights = m_heights.row(0);
    std::fill(heights, heights + m_heights.stride(), 0.0);
    std::copy(space.heights(), space.heights() + space.space().positions(), heights);
}

// ||u - v||^2 / (1 - ||u||^2) is, up to a constant, (1 + ||v||^2)/2 h(u) - v.h(u)u.
void PoincarePoints::nearest(const RowMatrixD& points, std::span<Row> outputs) const {
    const Eigen::Index count = points.rows();
    const std::int64_t positions = m_space.space().positions();
    const double error = errorPerHeight(points.cols());
    const VectorD weights = 0.5 * (1.0 + points.rowwise().squaredNorm().array());
    AlignedMatrixOf<double> products(count, kPointSlab);
    std::vector<std::int32_t> scratch(static_cast<std::size_t>(kPointSlab));
    std::vector<PointCandidates<double>> candidates(static_cast<std::size_t>(count));
    for (std::int64_t first = 0; first < positions; first += kPointSlab) {
        const std::int64_t width = std::min(kPointSlab, positions - first);
        numeric::multiplyTransposed(points.data(), count, m_space.spatial().row(first).data(),
                                    width, points.cols(), products.row(0), products.stride());
        padProducts(products, width);
        for (Eigen::Index i = 0; i < count; ++i) {
            const PointScores<double> upper{weights[i] + error, m_heights.row(0) + first,
                                            products.row(i), tileCount(width) * kTileWidth};
            candidates[static_cast<std::size_t>(i)].look(upper, weights[i] - error, 0.0, first,
                                                         scratch);
        }
    }
    for (Eigen::Index i = 0; i < count; ++i) {
        outputs[static_cast<std::size_t>(i)] =
            decide(candidates[static_cast<std::size_t>(i)].positions(), points.row(i));
    }
}

Row PoincarePoints::decide(std::span<const std::int32_t> candidates,
                           const Eigen::RowVectorXd& point) const {
    const SearchSpace& space = m_space.space();
    return space.rowAt(leastOf(space, candidates, [&](std::int32_t position) {
        return (space.vectors().row(position).cast<double>() - point).squaredNorm() /
               m_space.gapAt(position);
    }));
}

}  // namespace epsilens::engine
