#include "core/engine/point_search.h"

#include <algorithm>
#include <limits>
#include <vector>

#include "core/engine/exact_scores.h"
#include "core/engine/point_candidates.h"
#include "core/numeric/matrix_product.h"

namespace epsilens::engine {
namespace {

std::int64_t wholeSlabs(std::int64_t positions) {
    return (positions + kPointSlab - 1) / kPointSlab * kPointSlab;
}

/// Half the scores' gradients, in float32, and what is not certain about the scores made of them.
struct Points {
    RowMatrixF halves{};
    std::vector<float> slacks{};
};

}  // namespace

PointSearch::PointSearch(const SearchSpace& space, double epsilon)
    : m_space(space),
      m_weights(ScoreWeights::atEpsilon(epsilon)),
      m_squaredNorms(1, wholeSlabs(space.positions())) {
    float* norms = m_squaredNorms.row(0);
    std::fill(norms, norms + m_squaredNorms.stride(), 0.0F);
    for (Eigen::Index position = 0; position < space.positions(); ++position) {
        norms[position] = static_cast<float>(space.squaredNorms()[position]);
    }
}

// alpha ||u - w||^2 - tau z.u is, up to a constant, twice alpha/2 ||u||^2 - (alpha w + tau/2 z).u.
void PointSearch::nearest(std::span<const Row> words, const RowMatrixD& noise,
                          std::span<Row> outputs) const {
    const auto count = static_cast<Eigen::Index>(words.size());
    const RowMatrixF& vectors = m_space.vectors();
    const double half = 0.5 * m_weights.alpha;
    Points points{RowMatrixF(count, vectors.cols()), {}};
    for (Eigen::Index i = 0; i < count; ++i) {
        const Eigen::Index own = m_space.positionOf(words[static_cast<std::size_t>(i)]);
        const Eigen::RowVectorXd point =
            m_weights.alpha * vectors.row(own).cast<double>() + 0.5 * m_weights.tau * noise.row(i);
        points.halves.row(i) = point.cast<float>();
        points.slacks.push_back(
            static_cast<float>(2.0 * pointScoreError(m_space, half, point.norm())));
    }
    AlignedMatrix products(count, kPointSlab);
    std::vector<std::int32_t> scratch(static_cast<std::size_t>(kPointSlab));
    std::vector<PointCandidates<float>> candidates(words.size());
    for (std::int64_t first = 0; first < m_space.positions(); first += kPointSlab) {
        const std::int64_t width = std::min(kPointSlab, m_space.positions() - first);
        numeric::multiplyTransposed(points.halves.data(), count, vectors.row(first).data(), width,
                                    vectors.cols(), 1.0F, products.row(0), products.stride());
        padProducts(products, width);
        const auto weight = static_cast<float>(half);
        for (Eigen::Index i = 0; i < count; ++i) {
            const auto index = static_cast<std::size_t>(i);
            const PointScores<float> scores{weight, m_squaredNorms.row(0) + first, products.row(i),
                                            tileCount(width) * kTileWidth};
            candidates[index].look(scores, weight, points.slacks[index], first, scratch);
        }
    }
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
    double best = std::numeric_limits<double>::infinity();
    Row winner = -1;
    for (const std::int32_t position : candidates) {
        const double score = exactScore(word, m_space.vectors().row(position).data(), noise,
                                        m_space.vectors().cols(), m_weights);
        const Row row = m_space.rowAt(position);
        if (winner < 0 || score < best || (score == best && row < winner)) {
            best = score;
            winner = row;
        }
    }
    return winner;
}

}  // namespace epsilens::engine
