#include "core/engine/block_search.h"

#include <cmath>
#include <limits>
#include <utility>

#include "core/numeric/matrix_product.h"

namespace epsilens::engine {
namespace {

// result(i, u) = factor * rows_i . v_u for the positions of a slab.
void multiplySlab(const SearchSpace& space, const RowMatrixF& rows, float factor,
                  AlignedMatrix& result, std::int64_t first, std::int64_t count) {
    numeric::multiplyTransposed(rows.data(), rows.rows(), space.vectors().row(first).data(), count,
                                rows.cols(), factor, result.row(0) + first, result.stride());
}

}  // namespace

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
    result.reshape(space, count, threads, job);
    forEachSlab(space, threads, job, [&](std::int64_t first, std::int64_t width) {
        multiplySlab(space, vectors, -2.0F, result.values, first, width);
        for (Eigen::Index i = 0; i < count; ++i) {
            Eigen::Map<Eigen::ArrayXf> row(result.values.row(i) + first, width);
            row = ((allNorms.segment(first, width).array() + norms[i]) + row).max(0.0F);
        }
    });
    for (Eigen::Index i = 0; i < count; ++i) {
        result.values.row(i)[space.positionOf(words[static_cast<std::size_t>(i)])] = 0.0F;
    }
    result.finish(space, kPaddingA<float>, threads, job, leastBounds<float>);
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
    batch.projections.reshape(space, batch.noise.rows(), threads, job);
    forEachSlab(space, threads, job, [&](std::int64_t first, std::int64_t width) {
        multiplySlab(space, batch.noise, 1.0F, batch.projections.values, first, width);
    });
    batch.projections.finish(space, kPaddingP<float>, threads, job, largestBounds<float>);
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
