#include "core/engine/point_search.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/engine/exact_scores.h"
#include "core/engine/point_candidates.h"
#include "core/numeric/matrix_product.h"

namespace epsilens::engine {
namespace {

std::int64_t wholeSlabs(std::int64_t positions) {
    return (positions + kPointSlab - 1) / kPointSlab * kPointSlab;
}

/// Half the scores' gradients, in float32, their lengths, and what is not certain about the scores
/// made of them.
struct Points {
    RowMatrixF halves{};
    std::vector<double> norms{};
    std::vector<float> slacks{};
};

}  // namespace

PointSearch::PointSearch(const SearchSpace& space, double epsilon)
    : m_space(space),
      m_weights(ScoreWeights::atEpsilon(epsilon)),
      m_regular(part(0, space.regularPositions())),
      m_outlying(part(space.regularPositions(), space.positions())) {}

PointSearch::Part PointSearch::part(Eigen::Index first, Eigen::Index end) const {
    Part part{first, end, AlignedMatrix(1, wholeSlabs(end - first))};
    float* const norms = part.squaredNorms.row(0);
    std::fill(norms, norms + part.squaredNorms.stride(), 0.0F);
    for (Eigen::Index position = first; position < end; ++position) {
        norms[position - first] = static_cast<float>(m_space.squaredNorms()[position]);
    }
    return part;
}

// Forms the products of a slab and calls look(point, first position, width, scores) for each point.
template <typename Look>
void PointSearch::forEachSlab(const Part& part, const RowMatrixF& points, AlignedMatrix& products,
                              const Look& look) const {
    const auto weight = static_cast<float>(0.5 * m_weights.alpha);
    for (Eigen::Index first = part.first; first < part.end; first += kPointSlab) {
        const Eigen::Index width = std::min<Eigen::Index>(kPointSlab, part.end - first);
        numeric::multiplyTransposed(points.data(), points.rows(),
                                    m_space.vectors().row(first).data(), width, points.cols(), 1.0F,
                                    products.row(0), products.stride());
        padProducts(products, width);
        const float* const norms = part.squaredNorms.row(0) + (first - part.first);
        for (Eigen::Index i = 0; i < points.rows(); ++i) {
            look(i, first, width,
                 PointScores<float>{weight, norms, products.row(i), tileCount(width) * kTileWidth});
        }
    }
}

// alpha ||u - w||^2 - tau z.u is, up to a constant, twice alpha/2 ||u||^2 - (alpha w + tau/2 z).u.
void PointSearch::nearest(std::span<const Row> words, const RowMatrixD& noise,
                          std::span<Row> outputs) const {
    const auto count = static_cast<Eigen::Index>(words.size());
    const RowMatrixF& vectors = m_space.vectors();
    const Eigen::Index m = vectors.cols();
    const double half = 0.5 * m_weights.alpha;
    Points points{RowMatrixF(count, m), {}, {}};
    for (Eigen::Index i = 0; i < count; ++i) {
        const Eigen::Index own = m_space.positionOf(words[static_cast<std::size_t>(i)]);
        const Eigen::RowVectorXd point =
            m_weights.alpha * vectors.row(own).cast<double>() + 0.5 * m_weights.tau * noise.row(i);
        points.halves.row(i) = point.cast<float>();
        points.norms.push_back(point.norm());
        points.slacks.push_back(static_cast<float>(
            2.0 * pointScoreError(m, half, point.norm(), m_space.largestRegularNorm())));
    }
    AlignedMatrix products(count, kPointSlab);
    std::vector<std::int32_t> scratch(static_cast<std::size_t>(kPointSlab));
    std::vector<PointCandidates<float>> candidates(words.size());
    forEachSlab(
        m_regular, points.halves, products,
        [&](Eigen::Index i, Eigen::Index first, Eigen::Index, const PointScores<float>& scores) {
            const auto index = static_cast<std::size_t>(i);
            candidates[index].look(scores, scores.scale, points.slacks[index], first, scratch);
        });
    // Each of these scores is lowered by its own error.
    forEachSlab(m_outlying, points.halves, products,
                [&](Eigen::Index i, Eigen::Index first, Eigen::Index width,
                    const PointScores<float>& scores) {
                    const auto index = static_cast<std::size_t>(i);
                    for (Eigen::Index j = 0; j < width; ++j) {
                        const double norm = std::sqrt(m_space.squaredNorms()[first + j]);
                        products.row(i)[j] +=
                            static_cast<float>(pointScoreError(m, half, points.norms[index], norm));
                    }
                    candidates[index].collect(scores, points.slacks[index], first, scratch);
                });
    for (std::size_t i = 0; i < words.size(); ++i) {
        const float* word = vectors.row(m_space.positionOf(words[i])).data();
        outputs[i] =
            decide(candidates[i].positions(), word, noise.row(static_cast<Eigen::Index>(i)).data());
    }
}

Row PointSearch::decide(std::span<const std::int32_t> candidates, const float* word,
                        const double* noise) const {
    if (candidates.size() == 1) {
        return m_space.rowAt(candidates.front());
    }
    return m_space.rowAt(leastOf(m_space, candidates, [&](std::int32_t position) {
        return exactScore(word, m_space.vectors().row(position).data(), noise,
                          m_space.vectors().cols(), m_weights);
    }));
}

}  // namespace epsilens::engine
