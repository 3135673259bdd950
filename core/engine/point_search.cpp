#include "core/engine/point_search.h"

#include <cmath>
#include <vector>

#include "core/engine/exact_scores.h"

namespace epsilens::engine {

namespace {

PointSlabs<float> slabsOf(const SearchSpace& space, Eigen::Index first, Eigen::Index end) {
    return {space.vectors(), first, end, [&](Eigen::Index position) {
                return static_cast<float>(space.squaredNorms()[position]);
            }};
}

}  // namespace

PointSearch::PointSearch(const SearchSpace& space, double epsilon)
    : m_space(space),
      m_weights(ScoreWeights::atEpsilon(epsilon)),
      m_regular(slabsOf(space, 0, space.regularPositions())),
      m_outlying(slabsOf(space, space.regularPositions(), space.positions())) {}

// alpha ||u - w||^2 - tau z.u is, up to a constant, twice alpha/2 ||u||^2 - (alpha w + tau/2 z).u.
void PointSearch::nearest(std::span<const Row> words, const RowMatrixD& noise,
                          std::span<Row> outputs) const {
    const RowMatrixF& vectors = m_space.vectors();
    const Eigen::Index m = vectors.cols();
    const double half = 0.5 * m_weights.alpha;
    const auto scale = static_cast<float>(half);
    RowMatrixF points(noise.rows(), m);  // half the gradients of the scores
    std::vector<double> norms;
    std::vector<float> slacks;  // what is not certain about the scores
    for (std::size_t i = 0; i < words.size(); ++i) {
        const auto row = static_cast<Eigen::Index>(i);
        const Eigen::RowVectorXd point =
            m_weights.alpha * vectors.row(m_space.positionOf(words[i])).cast<double>() +
            0.5 * m_weights.tau * noise.row(row);
        points.row(row) = point.cast<float>();
        norms.push_back(point.norm());
        slacks.push_back(static_cast<float>(
            2.0 * pointScoreError(m, half, norms.back(), m_space.largestRegularNorm())));
    }
    std::vector<PointCandidates<float>> candidates(words.size());
    m_regular.visit(points, [&](std::size_t i, Eigen::Index first, std::span<float> /*products*/,
                                PointScores<float> scores) {
        scores.scale = scale;
        candidates[i].look(scores, scale, slacks[i], first);
    });
    // Each of these scores is lowered by its own error.
    m_outlying.visit(points, [&](std::size_t i, Eigen::Index first, std::span<float> products,
                                 PointScores<float> scores) {
        Eigen::Index position = first;
        for (float& product : products) {
            const double norm = std::sqrt(m_space.squaredNorms()[position++]);
            product += static_cast<float>(pointScoreError(m, half, norms[i], norm));
        }
        scores.scale = scale;
        candidates[i].collect(scores, slacks[i], first);
    });
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::vector<std::int32_t>& found = candidates[i].positions();
        const float* const word = vectors.row(m_space.positionOf(words[i])).data();
        const double* const own = noise.row(static_cast<Eigen::Index>(i)).data();
        const std::int32_t nearest =
            found.size() == 1 ? found.front() : leastOf(m_space, found, [&](std::int32_t position) {
                return exactScore(word, vectors.row(position).data(), own, m, m_weights);
            });
        outputs[i] = m_space.rowAt(nearest);
    }
}

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
