#include "core/engine/block_search.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

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

// Memory that already has the shape is used again: fresh pages cost as much as filling them.
void reshape(const SearchSpace& space, std::int64_t rows, TiledRows& result) {
    if (result.values.rows() != rows || result.values.stride() != space.paddedPositions()) {
        result = {};
        result = {AlignedMatrix(rows, space.paddedPositions()),
                  AlignedMatrix(rows, boundCount(space.tiles()))};
    }
}

// Pads every row and computes the bounds of its tiles.
template <typename Bound>
void finishRows(const SearchSpace& space, float padding, TiledRows& rows, int threads,
                Bound bound) {
    parallelFor(rows.values.rows(), threads, [&](std::int64_t row) {
        float* values = rows.values.row(row);
        std::fill(values + space.positions(), values + rows.values.stride(), padding);
        bound(values, space.tiles(), rows.bounds.row(row));
    });
}

}  // namespace

std::int64_t TiledRows::bytes() const {
    return (values.rows() * values.stride() + bounds.rows() * bounds.stride()) *
           static_cast<std::int64_t>(sizeof(float));
}

TiledRows squaredDistances(const SearchSpace& space, std::span<const Row> words, int threads,
                           const JobContext& job) {
    TiledRows result;
    squaredDistances(space, words, threads, job, result);
    return result;
}

void squaredDistances(const SearchSpace& space, std::span<const Row> words, int threads,
                      const JobContext& job, TiledRows& result) {
    const auto count = static_cast<Eigen::Index>(words.size());
    RowMatrixF vectors(count, space.vectors().cols());
    VectorF norms(count);
    for (Eigen::Index i = 0; i < count; ++i) {
        const Eigen::Index position = space.positionOf(words[static_cast<std::size_t>(i)]);
        vectors.row(i) = space.vectors().row(position);
        norms[i] = static_cast<float>(space.squaredNorms()[position]);
    }
    const VectorF allNorms = space.squaredNorms().cast<float>();
    reshape(space, count, result);
    multiplySlabs(space, vectors, -2.0F, result.values, threads, job,
                  [&](std::int64_t first, std::int64_t width) {
                      for (Eigen::Index i = 0; i < count; ++i) {
                          Eigen::Map<Eigen::ArrayXf> row(result.values.row(i) + first, width);
                          row =
                              ((allNorms.segment(first, width).array() + norms[i]) + row).max(0.0F);
                      }
                  });
    for (Eigen::Index i = 0; i < count; ++i) {
        result.values.row(i)[space.positionOf(words[static_cast<std::size_t>(i)])] = 0.0F;
    }
    finishRows(space, kPaddingA<float>, result, threads, leastBounds<float>);
}

NoiseBatch projectNoise(const SearchSpace& space, RowMatrixF noise, int threads,
                        const JobContext& job) {
    NoiseBatch batch;
    projectNoise(space, std::move(noise), threads, job, batch);
    return batch;
}

void projectNoise(const SearchSpace& space, RowMatrixF noise, int threads, const JobContext& job,
                  NoiseBatch& batch) {
    batch.noise = std::move(noise);
    batch.norms = batch.noise.cast<double>().rowwise().norm();
    reshape(space, batch.noise.rows(), batch.projections);
    multiplySlabs(space, batch.noise, 1.0F, batch.projections.values, threads, job,
                  [](std::int64_t, std::int64_t) {});
    finishRows(space, kPaddingP<float>, batch.projections, threads, largestBounds<float>);
}

NearestSearch::NearestSearch(const SearchSpace& space) : m_space(space) {
    m_rows.tiles = space.tiles();
}

void NearestSearch::setWord(Row word, const TiledRows& distances, std::int64_t index) {
    const Eigen::Index position = m_space.positionOf(word);
    m_wordPosition = static_cast<std::int32_t>(position);
    m_wordVector = m_space.vectors().row(position).data();
    m_distanceError = scoreErrorPerAlpha(m_space, std::sqrt(m_space.squaredNorms()[position]));
    m_rows.a = distances.values.row(index);
    m_rows.leastA = distances.bounds.row(index);
}

void NearestSearch::setDraw(const NoiseBatch& batch, std::int64_t index) {
    m_noise = batch.noise.row(index).data();
    m_projectionError = scoreErrorPerTau(m_space, batch.norms[index]);
    m_rows.p = batch.projections.values.row(index);
    m_rows.largestP = batch.projections.bounds.row(index);
}

std::int32_t NearestSearch::nearest(const ScoreWeights& weights, std::int32_t guess) {
    const double slack = 2.0 * (weights.alpha * m_distanceError + weights.tau * m_projectionError);
    searchTiles(m_rows, weights, scoreAt(m_rows, weights, guess), static_cast<float>(slack),
                m_candidates);
    return m_candidates.count == 1 ? m_candidates.positions.front() : decideInFloat64(weights);
}

ScoreLine NearestSearch::lineOf(std::int32_t position) const {
    return scoreLine(m_wordVector, m_space.vectors().row(position).data(), m_noise,
                     m_space.vectors().cols());
}

std::int32_t NearestSearch::decideInFloat64(const ScoreWeights& weights) {
    ++m_rechecked;
    double best = std::numeric_limits<double>::infinity();
    std::int32_t winner = -1;
    for (std::size_t i = 0; i < m_candidates.count; ++i) {
        const std::int32_t position = m_candidates.positions[i];
        const double score = exactScore(m_wordVector, m_space.vectors().row(position).data(),
                                        m_noise, m_space.vectors().cols(), weights);
        if (winner < 0 || score < best ||
            (score == best && m_space.rowAt(position) < m_space.rowAt(winner))) {
            best = score;
            winner = position;
        }
    }
    return winner;
}

}  // namespace epsilens::engine
