#include "core/engine/metric_rows.h"

#include <cmath>
#include <limits>

#include "core/engine/score_kernel.h"
#include "core/numeric/matrix_product.h"

namespace epsilens::engine {
namespace {

using metric::Metric;

// Every product packs the vocabulary anew, which costs as much as products with about 25 words.
constexpr std::int64_t kMostWords = 512;
constexpr std::int64_t kRowScratchBytes = std::int64_t{64} << 20;
constexpr std::int64_t kLeastRefined = 100;

bool areCosinesApart(const MetricSpace& space) {
    const Metric metric = space.metric().metric();
    return metric == Metric::mahalanobis || metric == Metric::poincare;
}

/// Entries of a row that can be among its smallest if the row is known up to rounding.
struct SmallestEntries {
    std::vector<std::int32_t> indices{};  ///< ascending
    float threshold = 0.0F;               ///< `indices` holds exactly the entries up to this value
};

// The value of rank `last` (0-based) among `values`, which are reordered.
float valueOfRank(std::vector<float>& values, std::int64_t last) {
    const auto place = values.begin() + static_cast<std::ptrdiff_t>(last);
    std::nth_element(values.begin(), place, values.end());
    return *place;
}

/// Finds every entry that can be among the `wanted` smallest.
///
/// tileLeast  the least values of the row's tiles
/// wanted     1 to values.size()
/// error      tells which values may be computed for an entry whose true value is as small
/// If the least values of `wanted` tiles are at most x, at least `wanted` entries are at most x, so
/// that tiles with a least value beyond what x may be computed as can be skipped.
SmallestEntries smallestEntries(std::span<const float> values, const float* tileLeast,
                                std::int64_t wanted, const DistanceError& error) {
    const auto count = std::ssize(values);
    const std::int64_t tiles = tileCount(count);
    std::vector<float> least(tileLeast, tileLeast + tiles);
    const float within =
        wanted <= tiles ? valueOfRank(least, wanted - 1) : std::numeric_limits<float>::infinity();
    const float beyond = error.refineUpTo(within);
    SmallestEntries found;
    std::vector<float> near;
    for (std::int64_t tile = 0; tile < tiles; ++tile) {
        if (tileLeast[tile] > beyond) {
            continue;
        }
        const std::int64_t end = std::min((tile + 1) * kTileWidth, count);
        for (std::int64_t index = tile * kTileWidth; index < end; ++index) {
            const float value = values[static_cast<std::size_t>(index)];
            if (value <= beyond) {
                found.indices.push_back(static_cast<std::int32_t>(index));
                near.push_back(value);
            }
        }
    }
    found.threshold = error.refineUpTo(valueOfRank(near, wanted - 1));
    std::erase_if(found.indices, [&](std::int32_t index) {
        return values[static_cast<std::size_t>(index)] > found.threshold;
    });
    return found;
}

}  // namespace

std::int64_t MetricRows::wordsAtOnce(const MetricSpace& space) {
    const std::int64_t rows = areCosinesApart(space) ? 2 : 1;
    const std::int64_t rowBytes =
        rows * space.paddedWords() * static_cast<std::int64_t>(sizeof(float));
    return std::clamp<std::int64_t>(kRowScratchBytes / rowBytes, 1, kMostWords);
}

std::int64_t MetricRows::wordsFormedAgain(const MetricSpace& space, int neighbours) {
    const std::int64_t others =
        neighbours > 0 ? std::max<std::int64_t>(neighbours, kLeastRefined) : 0;
    return std::min<std::int64_t>(space.wordCount(), others + 1);
}

bool MetricRows::hasOwnCosineProduct() const {
    return m_withCosines && areCosinesApart(*m_space);
}

void MetricRows::load(const MetricSpace& space, std::span<const Row> words) {
    const bool sameWords = std::equal(words.begin(), words.end(), m_words.begin(), m_words.end());
    m_space = &space;
    m_words.assign(words.begin(), words.end());
    allocate(std::ssize(words));
    if (space.metric().metric() != Metric::poincare) {
        loadProducts();
    }
    if (hasOwnCosineProduct() && !(sameWords && m_cosinesOf == &space.embedding())) {
        loadCosines();
        m_cosinesOf = &space.embedding();
    }
}

void MetricRows::allocate(std::int64_t count) {
    const std::int64_t stride = m_space->paddedWords();
    const std::int64_t cosineRows = !m_withCosines ? 0 : hasOwnCosineProduct() ? count : 1;
    if (m_distances.rows() >= count && m_distances.stride() == stride &&
        m_cosines.rows() >= cosineRows) {
        return;
    }
    const auto zeros = [&](std::int64_t rows) {
        AlignedMatrix matrix(rows, stride);
        std::fill(matrix.row(0), matrix.row(0) + rows * stride, 0.0F);
        return matrix;
    };
    m_distances = zeros(count);
    m_cosines = zeros(cosineRows);
    m_cosinesOf = nullptr;
    m_tileLeast = AlignedMatrix(1, boundCount(tileCount(m_space->wordCount())));
}

void MetricRows::loadProducts() {
    const RowMatrixF& table = m_space->table();
    m_block = m_space->productFactors(m_words);
    numeric::multiplyTransposed(m_block.data(), m_block.rows(), table.data(), table.rows(),
                                table.cols(), 1.0F, m_distances.row(0), m_distances.stride());
}

void MetricRows::loadCosines() {
    const RowMatrixF& vectors = m_space->embedding().vectors();
    m_block = vectors(m_words, Eigen::all);
    numeric::multiplyTransposed(m_block.data(), m_block.rows(), vectors.data(), vectors.rows(),
                                vectors.cols(), 1.0F, m_cosines.row(0), m_cosines.stride());
    for (std::size_t i = 0; i < m_words.size(); ++i) {
        productsToCosines(m_space->productRow(m_words[i]),
                          m_cosines.row(static_cast<std::int64_t>(i)));
    }
}

MetricRow MetricRows::finish(std::int64_t index, int neighbours) {
    MetricRow row;
    row.word = m_words[static_cast<std::size_t>(index)];
    float* distances = m_distances.row(index);
    row.distances = distances;
    row.cosines = fillDistances(row.word, distances, index);
    const DistanceError error(*m_space, row.word);
    const double refinedTo = refineNear(row, distances, error, neighbours);
    const double largest = refineOpposite(row.word, distances, error);
    row.distanceError = error.ofTable();
    if (refinedTo < largest) {
        row.distanceError = error.ofProducts(refinedTo, largest);
        row.leastUncertain = error.ofTable() > 0.0 ? 0.0 : refinedTo;
    }
    return row;
}

// Returns the row of cosines, null when they are not asked for.
const float* MetricRows::fillDistances(Row word, float* distances, std::int64_t index) {
    const std::int64_t count = m_space->wordCount();
    float* cosines = m_withCosines ? m_cosines.row(hasOwnCosineProduct() ? index : 0) : nullptr;
    m_space->finishDistances(word, 0, count, distances, hasOwnCosineProduct() ? nullptr : cosines);
    if (cosines != nullptr) {
        // The products above leave there what the row held before.
        std::fill(cosines + count, cosines + m_cosines.stride(), 0.0F);
    }
    distances[word] = 0.0F;
    leastBounds(distances, tileCount(count), m_tileLeast.row(0));
    return cosines;
}

// Forms near distances again, finds the neighbours among them and returns up to where all were.
double MetricRows::refineNear(MetricRow& row, float* distances, const DistanceError& error,
                              int neighbours) {
    const std::int64_t count = m_space->wordCount();
    SmallestEntries near =
        smallestEntries({distances, static_cast<std::size_t>(count)}, m_tileLeast.row(0),
                        wordsFormedAgain(*m_space, neighbours), error);
    std::vector<RankedRow> ranked;
    for (const Row other : near.indices) {
        if (other != row.word) {
            ranked.push_back({m_space->distance(row.word, other), other});
            distances[other] = static_cast<float>(ranked.back().rank);
        }
    }
    row.neighbours =
        nearestOf(std::move(ranked), neighbours, [](double distance) { return distance; });
    row.nearest = std::move(near.indices);
    row.nearestReach = near.threshold;
    return std::ssize(row.nearest) == count ? std::numeric_limits<double>::infinity()
                                            : static_cast<double>(near.threshold);
}

// Forms angles near pi again; returns the largest distance of the rest.
double MetricRows::refineOpposite(Row word, float* distances, const DistanceError& error) {
    const double refineAbove = error.refineAbove();
    if (!std::isfinite(refineAbove)) {
        return std::numeric_limits<double>::infinity();
    }
    const std::int64_t count = m_space->wordCount();
    const auto farthest =
        static_cast<double>(Eigen::Map<const VectorF>(distances, count).maxCoeff());
    if (farthest <= refineAbove) {
        return farthest;
    }
    double largest = 0.0;
    for (Row other = 0; other < count; ++other) {
        const auto angle = static_cast<double>(distances[other]);
        if (angle > refineAbove) {
            distances[other] = static_cast<float>(m_space->distance(word, other));
        } else {
            largest = std::max(largest, angle);
        }
    }
    return largest;
}

}  // namespace epsilens::engine
