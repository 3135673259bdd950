#include "core/engine/poincare_space.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "core/metric/poincare_distance.h"
#include "core/numeric/matrix_product.h"

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
    for (Row row = 0; row < positions.embedding().wordCount(); ++row) {
        if (row != word) {
            others.push_back({space.excess(own, positions.positionOf(row)), row});
        }
    }
    return nearestOf(std::move(others), count, metric::distanceOfExcess);
}

namespace {

using ConstVector = Eigen::Map<const VectorD>;
using ConstWord = Eigen::Map<const VectorF>;

}  // namespace

void wordScores(const PoincareSpace& space, std::span<const Row> words, int threads,
                const JobContext& job, TiledRows& result) {
    const SearchSpace& positions = space.space();
    const auto count = static_cast<Eigen::Index>(words.size());
    result.reshape(positions, count);
    forEachSlab(positions, threads, job, [&](std::int64_t first, std::int64_t width) {
        for (Eigen::Index i = 0; i < count; ++i) {
            const Eigen::Index own = positions.positionOf(words[static_cast<std::size_t>(i)]);
            for (std::int64_t position = first; position < first + width; ++position) {
                result.values.row(i)[position] = space.excess(own, position);
            }
        }
    });
    result.finish(positions, kPaddingA<double>, threads, job, leastBounds<double>);
}

void projectDirections(const PoincareSpace& space, RowMatrixD directions, int threads,
                       const JobContext& job, DirectionBatch& batch) {
    batch.directions = std::move(directions);
    batch.projections.reshape(space.space(), batch.directions.rows());
    AlignedMatrixOf<double>& values = batch.projections.values;
    forEachSlab(space.space(), threads, job, [&](std::int64_t first, std::int64_t width) {
        numeric::multiplyTransposed(batch.directions.data(), batch.directions.rows(),
                                    space.spatial().row(first).data(), width, space.dimensions(),
                                    1.0, values.row(0) + first, values.stride());
    });
    batch.projections.finish(space.space(), kPaddingP<double>, threads, job, largestBounds);
}

// The scores of two positions that compete are wrong by at most (12 m + 120) u times the largest
// height. Derivation: rounding_bounds.md
PoincareSearch::PoincareSearch(const PoincareSpace& space)
    : LineSearch(space.space()),
      m_ball(space),
      m_error((12.0 * static_cast<double>(space.dimensions()) + 120.0) * kDoubleRoundoff *
              space.largestHeight()) {
    m_rows.tiles = space.space().tiles();
    m_rows.c = space.heights();
    m_rows.leastC = space.leastHeights();
    m_rows.largestC = space.largestHeights();
}

void PoincareSearch::setWord(Row word, const TiledRows& scores, std::int64_t index) {
    selectWord(word);
    m_lastFound = wordPosition();
    m_vector = m_ball.vectorAt(wordPosition());
    m_wordGap = m_ball.gapAt(wordPosition());
    m_rows.a = scores.values.row(index);
    m_rows.leastA = scores.bounds.row(index);
    combine();
}

void PoincareSearch::setDraw(const DirectionBatch& batch, std::int64_t index) {
    m_direction = batch.directions.row(index).data();
    m_rows.p = batch.projections.values.row(index);
    m_rows.largestP = batch.projections.bounds.row(index);
    combine();
}

// 1 + w.xi = (||w + xi||^2 + 1 - ||w||^2) / 2, which keeps its digits where w.xi is close to -1.
void PoincareSearch::combine() {
    if (m_vector != nullptr && m_direction != nullptr) {
        const Eigen::Index m = m_ball.dimensions();
        const double squared =
            (ConstWord(m_vector, m).cast<double>() + ConstVector(m_direction, m)).squaredNorm();
        m_opening = 0.5 * (squared + m_wordGap);
    }
}

ScoreWeights PoincareSearch::weightsAt(double radius) const {
    const double squaredY = std::exp(-2.0 * radius);
    const double t = std::tanh(radius);
    const double rest = 2.0 * squaredY / (1.0 + squaredY);  // 1 - t
    return {rest + t * m_opening, t, t * (m_opening - 1.0)};
}

std::int32_t PoincareSearch::nearest(double radius) {
    const ScoreWeights weights = weightsAt(radius);
    searchTiles(m_rows, weights, scoreAt(m_rows, weights, m_lastFound), 2.0 * m_error,
                m_candidates);
    m_lastFound =
        m_candidates.count == 1 ? m_candidates.positions.front() : decideByDistance(radius);
    return m_lastFound;
}

// 1 - ||v||^2 is common to all candidates: the distance to v orders them as
// ||u - v||^2 / (1 - ||u||^2) does, whether v lies inside the ball or on its edge.
std::int32_t PoincareSearch::decideByDistance(double radius) {
    countRechecked();
    const Eigen::Index m = m_ball.dimensions();
    const VectorD point = mechanism::noisyPoint(m_vector, m_wordGap, m_direction, m, radius);
    return leastOf(
        space(), {m_candidates.positions.data(), m_candidates.count}, [&](std::int32_t position) {
            return (ConstWord(m_ball.vectorAt(position), m).cast<double>() - point).squaredNorm() /
                   m_ball.gapAt(position);
        });
}

void PoincareSearch::nearestAtRates(std::span<const double> rates,
                                    std::span<std::int32_t> positions) {
    std::ranges::transform(rates, positions.begin(),
                           [this](double rate) { return nearest(radiusOfRate(rate)); });
}

// x(u) - rho h(u) with half of h as the projection; see hyperbolic_noise.md.
ScoreLine PoincareSearch::lineOf(std::int32_t position) const {
    const Eigen::Index m = m_ball.dimensions();
    const VectorD difference = ConstWord(m_ball.vectorAt(position), m).cast<double>() -
                               ConstWord(m_vector, m).cast<double>();
    const double squared = difference.squaredNorm();
    const double gap = m_ball.gapAt(position);
    return {metric::coshExcess(squared, gap, m_wordGap),
            (ConstVector(m_direction, m).dot(difference) - m_opening / m_wordGap * squared) / gap};
}

double rateOfRadius(double radius) {
    return 2.0 / std::expm1(2.0 * radius);
}

double radiusOfRate(double rate) {
    return 0.5 * std::log1p(2.0 / rate);
}

}  // namespace epsilens::engine
