#include "core/engine/score_columns.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <hwy/contrib/sort/vqsort.h>

#include "core/base/parallel.h"
#include "core/engine/exact_scores.h"
#include "core/numeric/matrix_product.h"

namespace epsilens::engine {
namespace {

// Lists of 1,024 were never too short on 28,596 words, nor lists of 4,096 on 400,000.
constexpr std::int64_t kShortestList = 1024;
// Of 12,000 words, lists of 1,024 are too short at middle epsilons: looks at all words instead took
// a fifth of a run at 200 epsilons.
constexpr std::int64_t kFewPositions = 16'384;
constexpr std::int64_t kShortestListOfFew = 2048;
constexpr std::int64_t kLongestList = 4096;
constexpr std::int64_t kPositionsPerEntry = 32;
constexpr std::int64_t kSamples = 1024;
// Positions per product: few enough that it stays in the cache until it is spread over the groups.
constexpr std::int64_t kSlab = 256;

constexpr std::int64_t roundUp(std::int64_t value, std::int64_t unit) {
    return (value + unit - 1) / unit * unit;
}

std::int64_t listStride(std::int64_t positions) {
    return roundUp(ScoreColumns::listLength(positions) + 2 * kWalkStep, kColumnGroup);
}

// Values that about a quarter more than the wanted number of positions do not exceed.
void chooseThresholds(ColumnSelection& selection, std::vector<float>& samples) {
    if (selection.wanted >= selection.positions) {
        selection.thresholds.fill(std::numeric_limits<float>::infinity());
        return;
    }
    const std::int64_t step = std::max<std::int64_t>(1, selection.positions / kSamples);
    const std::int64_t count = (selection.positions - 1) / step + 1;
    samples.resize(static_cast<std::size_t>(kColumnGroup * count));
    sampleColumns(selection, step, count, samples.data());
    const std::int64_t rank = std::min(count - 1, (5 * selection.wanted / 4) / step);
    for (std::int64_t column = 0; column < selection.columns; ++column) {
        const auto begin = samples.begin() + column * count;
        std::nth_element(begin, begin + rank, begin + count);
        selection.thresholds[static_cast<std::size_t>(column)] = begin[rank];
    }
}

}  // namespace

std::int64_t ScoreColumns::listLength(std::int64_t positions) {
    const std::int64_t shortest = positions <= kFewPositions ? kShortestListOfFew : kShortestList;
    return std::min(positions, std::clamp(positions / kPositionsPerEntry, shortest, kLongestList));
}

std::int64_t ScoreColumns::columnBytes(const SearchSpace& space) {
    const auto entry = static_cast<std::int64_t>(sizeof(float) + sizeof(std::int32_t));
    // Outlying positions stand in the table and lowered.
    return (2 * space.positions() - space.regularPositions()) *
               static_cast<std::int64_t>(sizeof(float)) +
           listStride(space.regularPositions()) * entry;
}

void ScoreColumns::setWords(const SearchSpace& space, std::span<const Row> words, int threads,
                            const JobContext& job) {
    const auto count = static_cast<Eigen::Index>(words.size());
    RowMatrixF vectors(count, space.vectors().cols());
    VectorD ownNorms(count);
    m_ownNorms.clear();
    for (Eigen::Index i = 0; i < count; ++i) {
        const Eigen::Index own = space.positionOf(words[static_cast<std::size_t>(i)]);
        vectors.row(i) = space.vectors().row(own);
        ownNorms[i] = std::sqrt(space.squaredNorms()[own]);
        m_ownNorms.push_back(static_cast<float>(space.squaredNorms()[own]));
    }
    const VectorF norms = space.squaredNorms().cast<float>();
    m_norms.assign(norms.begin(), norms.end());
    multiply(space, vectors, -2.0F, threads, job);
    for (Eigen::Index i = 0; i < count; ++i) {
        const Eigen::Index own = space.positionOf(words[static_cast<std::size_t>(i)]);
        const float norm = m_ownNorms[static_cast<std::size_t>(i)];
        m_table.row(i / kColumnGroup)[own * kColumnGroup + i % kColumnGroup] = -(norm + norm);
    }
    lowerOutlying(space, threads, [&](std::int64_t index, double otherNorm) {
        return scoreErrorPerAlpha(vectors.cols(), ownNorms[index], otherNorm);
    });
    sortColumns(threads, job);
}

void ScoreColumns::setDraws(const SearchSpace& space, const RowMatrixF& noise, int threads,
                            const JobContext& job) {
    m_norms.clear();
    m_ownNorms.clear();
    multiply(space, noise, -1.0F, threads, job);
    const VectorD norms = noise.cast<double>().rowwise().norm();
    lowerOutlying(space, threads, [&](std::int64_t index, double otherNorm) {
        return scoreErrorPerTau(noise.cols(), norms[index], otherNorm);
    });
    sortColumns(threads, job);
}

Column ScoreColumns::column(std::int64_t index) const {
    Column column{m_table.row(index / kColumnGroup) + index % kColumnGroup, kColumnGroup};
    if (!m_norms.empty()) {
        column.norms = m_norms.data();
        column.ownNorm = m_ownNorms[static_cast<std::size_t>(index)];
    }
    return column;
}

ColumnList ScoreColumns::list(std::int64_t index) const {
    return {m_listValues.row(index), m_listPositions.row(index),
            m_listCounts[static_cast<std::size_t>(index)], m_areWhole};
}

OutlyingColumn ScoreColumns::outlying(std::int64_t index) const {
    return {m_outlying.row(index), m_outlyingLeast.row(index)};
}

void ScoreColumns::reshape(const SearchSpace& space, std::int64_t count) {
    const std::int64_t positions = space.positions();
    m_count = count;
    const std::int64_t groups = roundUp(count, kColumnGroup) / kColumnGroup;
    if (m_table.rows() < groups || m_table.stride() != positions * kColumnGroup) {
        m_table = {};
        m_table = AlignedMatrix(groups, positions * kColumnGroup);
    }
    m_positions = positions;
    m_regular = space.regularPositions();
    const std::int64_t length = listStride(m_regular);
    if (m_listValues.rows() < count || m_listValues.stride() != length) {
        m_listValues = AlignedMatrix(count, length);
        m_listPositions = AlignedMatrixOf<std::int32_t>(count, length);
    }
    m_listCounts.resize(static_cast<std::size_t>(count));
    m_areWhole = listLength(m_regular) == m_regular;
}

/// error  of a score of a column and a vector of some norm, per unit of its weight
template <typename Error>
void ScoreColumns::lowerOutlying(const SearchSpace& space, int threads, const Error& error) {
    const std::int64_t outlying = m_positions - m_regular;
    const std::int64_t tiles = tileCount(outlying);
    m_outlying = AlignedMatrix(m_count, tiles * kTileWidth);
    m_outlyingLeast = AlignedMatrix(m_count, boundCount(tiles));
    const VectorD norms = space.squaredNorms().tail(outlying).cwiseSqrt();
    parallelFor(tiles > 0 ? m_count : 0, threads, [&](std::int64_t index) {
        const Column values = column(index);
        float* const lowered = m_outlying.row(index);
        std::fill_n(lowered, tiles * kTileWidth, kPaddingA<float>);
        for (std::int64_t i = 0; i < outlying; ++i) {
            lowered[i] = static_cast<float>(static_cast<double>(valueAt(values, m_regular + i)) -
                                            error(index, norms[i]));
        }
        leastBounds(lowered, tiles, m_outlyingLeast.row(index));
    });
}

void ScoreColumns::multiply(const SearchSpace& space, const RowMatrixF& vectors, float factor,
                            int threads, const JobContext& job) {
    reshape(space, vectors.rows());
    const std::int64_t stride = roundUp(vectors.rows(), kColumnGroup);
    parallelFor((m_positions + kSlab - 1) / kSlab, threads, [&](std::int64_t slab) {
        if (job.stopRequested()) {
            return;
        }
        thread_local std::vector<float> products;
        const std::int64_t first = slab * kSlab;
        const std::int64_t width = std::min(kSlab, m_positions - first);
        products.resize(static_cast<std::size_t>(kSlab * stride));
        numeric::multiplyTransposed(space.vectors().row(first).data(), width, vectors.data(),
                                    vectors.rows(), vectors.cols(), factor, products.data(),
                                    stride);
        for (std::int64_t group = 0; group < stride / kColumnGroup; ++group) {
            const float* source = products.data() + group * kColumnGroup;
            float* target = m_table.row(group) + first * kColumnGroup;
            for (std::int64_t i = 0; i < width; ++i) {
                std::copy_n(source + i * stride, kColumnGroup, target + i * kColumnGroup);
            }
        }
    });
}

void ScoreColumns::sortColumns(int threads, const JobContext& job) {
    parallelFor((m_count + kColumnGroup - 1) / kColumnGroup, threads, [&](std::int64_t group) {
        if (!job.stopRequested()) {
            sortGroup(group * kColumnGroup);
        }
    });
}

void ScoreColumns::sortGroup(std::int64_t first) {
    thread_local std::vector<float> samples;
    thread_local std::vector<std::uint64_t> keys;
    ColumnSelection selection;
    selection.columns = std::min(kColumnGroup, m_count - first);
    selection.positions = m_regular;
    selection.first = column(first);
    if (!m_norms.empty()) {
        std::copy_n(m_ownNorms.begin() + first, selection.columns, selection.ownNorms.begin());
    }
    selection.wanted = listLength(m_regular);
    selection.capacity = 2 * selection.wanted + 2 * kSelectionStep;
    keys.resize(static_cast<std::size_t>(kColumnGroup * selection.capacity));
    selection.keys = keys.data();
    chooseThresholds(selection, samples);
    selectLeast(selection);
    for (std::int64_t i = 0; i < selection.columns; ++i) {
        const auto index = static_cast<std::size_t>(i);
        writeList(first + i,
                  std::span(keys).subspan(index * static_cast<std::size_t>(selection.capacity),
                                          static_cast<std::size_t>(selection.counts[index])),
                  selection.thresholds[index]);
    }
}

// What was selected is all below the threshold; what is cut off is not below the last that is kept.
void ScoreColumns::writeList(std::int64_t column, std::span<std::uint64_t> keys, float threshold) {
    const hwy::Sorter sort;
    sort(keys.data(), keys.size(), hwy::SortAscending());
    const auto wanted = static_cast<std::size_t>(listLength(m_regular));
    const std::size_t kept = std::min(keys.size(), wanted);
    float* const values = m_listValues.row(column);
    std::int32_t* const positions = m_listPositions.row(column);
    for (std::size_t i = 0; i < kept; ++i) {
        values[i] = valueOfKey(keys[i]);
        positions[i] = static_cast<std::int32_t>(keys[i] & 0xFFFFFFFFU);
    }
    std::size_t count = kept;
    for (; count % kWalkStep != 0; ++count) {
        values[count] = values[count - 1];
        positions[count] = positions[count - 1];
    }
    const float bound = kept == wanted ? values[count - 1] : threshold;
    std::fill_n(values + count, kWalkStep, bound);
    m_listCounts[static_cast<std::size_t>(column)] = static_cast<std::int64_t>(count);
}

}  // namespace epsilens::engine
