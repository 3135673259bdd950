#include "core/engine/block_search.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/parallel.h"
#include "core/numeric/matrix_product.h"

namespace epsilens::engine {
namespace {

// Positions per task of a matrix product: fixed, so that results do not depend on threads.
constexpr std::int64_t kSlabWidth = 2048;

// result(i, u) = factor * rows_i . v_u for all positions, slab by slab.
template <typename Finish>
void multiplySlabs(const SearchSpace& space, const RowMatrixF& rows, float factor,
                   AlignedMatrix& result, int threads, const JobContext& job, Finish finish) {
    const std::int64_t slabs = (space.positions() + kSlabWidth - 1) / kSlabWidth;
    parallelFor(slabs, threads, [&](std::int64_t slab) {
        if (job.stopRequested()) {
            return;
        }
        const std::int64_t first = slab * kSlabWidth;
        const std::int64_t count = std::min(kSlabWidth, space.positions() - first);
        numeric::multiplyTransposed(rows.data(), rows.rows(), space.vectors().row(first).data(),
                                    count, rows.cols(), factor, result.row(0) + first,
                                    result.stride());
        finish(first, count);
    });
}

void fillPadding(const SearchSpace& space, float value, AlignedMatrix& matrix) {
    for (std::int64_t row = 0; row < matrix.rows(); ++row) {
        std::fill(matrix.row(row) + space.positions(), matrix.row(row) + matrix.stride(), value);
    }
}

}  // namespace

AlignedMatrix squaredDistances(const SearchSpace& space, std::span<const Row> words, int threads,
                               const JobContext& job) {
    const auto count = static_cast<Eigen::Index>(words.size());
    RowMatrixF vectors(count, space.vectors().cols());
    VectorF norms(count);
    for (Eigen::Index i = 0; i < count; ++i) {
        const Eigen::Index position = space.positionOf(words[static_cast<std::size_t>(i)]);
        vectors.row(i) = space.vectors().row(position);
        norms[i] = static_cast<float>(space.squaredNorms()[position]);
    }
    const VectorF allNorms = space.squaredNorms().cast<float>();
    AlignedMatrix result(count, space.paddedPositions());
    multiplySlabs(
        space, vectors, -2.0F, result, threads, job, [&](std::int64_t first, std::int64_t width) {
            for (Eigen::Index i = 0; i < count; ++i) {
                Eigen::Map<Eigen::ArrayXf> row(result.row(i) + first, width);
                row = ((allNorms.segment(first, width).array() + norms[i]) + row).max(0.0F);
            }
        });
    for (Eigen::Index i = 0; i < count; ++i) {
        result.row(i)[space.positionOf(words[static_cast<std::size_t>(i)])] = 0.0F;
    }
    fillPadding(space, kPaddingA, result);
    return result;
}

AlignedMatrix noiseProjections(const SearchSpace& space, const RowMatrixF& noise, int threads,
                               const JobContext& job) {
    AlignedMatrix result(noise.rows(), space.paddedPositions());
    multiplySlabs(space, noise, 1.0F, result, threads, job, [](std::int64_t, std::int64_t) {});
    fillPadding(space, kPaddingP, result);
    return result;
}

NearestSearch::NearestSearch(const SearchSpace& space)
    : m_space(space), m_tiles(space.paddedPositions() / kTileWidth), m_single(1) {}

void NearestSearch::setWord(Row word, const float* distances) {
    const Eigen::Index position = m_space.positionOf(word);
    m_wordPosition = static_cast<std::int32_t>(position);
    m_wordVector = m_space.vectors().row(position).data();
    m_wordNorm = std::sqrt(m_space.squaredNorms()[position]);
    m_distances = distances;
}

void NearestSearch::setDraw(const float* noise, const float* projections) {
    m_noise = noise;
    m_projections = projections;
    m_noiseNorm = Eigen::Map<const VectorF>(noise, m_space.vectors().cols()).cast<double>().norm();
}

void NearestSearch::nearest(const std::vector<ScoreWeights>& weights,
                            std::span<std::int32_t> positions) {
    m_minima.resize(weights.size() * static_cast<std::size_t>(m_tiles));
    tileMinima(m_distances, m_projections, m_tiles, weights, m_minima.data());
    for (std::size_t k = 0; k < weights.size(); ++k) {
        positions[k] = decide(weights[k], m_minima.data() + k * static_cast<std::size_t>(m_tiles));
    }
}

std::int32_t NearestSearch::nearest(const ScoreWeights& weights) {
    std::int32_t position = 0;
    m_single.front() = weights;
    nearest(m_single, {&position, 1});
    return position;
}

ScoreLine NearestSearch::lineOf(std::int32_t position) const {
    return scoreLine(m_wordVector, m_space.vectors().row(position).data(), m_noise,
                     m_space.vectors().cols());
}

std::int32_t NearestSearch::decide(const ScoreWeights& weights, const float* minima) {
    const float least = *std::min_element(minima, minima + m_tiles);
    const double bound = scoreErrorBound(m_space, m_wordNorm, m_noiseNorm, weights);
    // The winner's score exceeds the least one by at most one error on either side; rounding the
    // threshold up keeps it among the candidates.
    const float threshold = std::nextafter(static_cast<float>(least + 2.0 * bound),
                                           std::numeric_limits<float>::infinity());
    m_found.clear();
    for (std::int64_t tile = 0; tile < m_tiles; ++tile) {
        if (minima[tile] <= threshold) {
            collectWithin(m_distances, m_projections, tile, weights, threshold, m_found);
        }
    }
    return m_found.size() == 1 ? m_found.front() : decideInFloat64(weights);
}

std::int32_t NearestSearch::decideInFloat64(const ScoreWeights& weights) {
    ++m_rechecked;
    double best = std::numeric_limits<double>::infinity();
    std::int32_t winner = m_found.front();
    for (const std::int32_t position : m_found) {
        const double score = exactScore(m_wordVector, m_space.vectors().row(position).data(),
                                        m_noise, m_space.vectors().cols(), weights);
        if (score < best || (score == best && m_space.rowAt(position) < m_space.rowAt(winner))) {
            best = score;
            winner = position;
        }
    }
    return winner;
}

}  // namespace epsilens::engine
