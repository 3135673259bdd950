#include "core/engine/search_space.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/ordered.h"
#include "core/base/parallel.h"
#include "core/engine/score_kernel.h"

namespace epsilens::engine {
namespace {

// More axes tighten tiles little and cost time in proportion.
constexpr Eigen::Index kAxes = 48;
constexpr Eigen::Index kRowsPerTask = 4096;

// Coordinates of every row on the leading axes, V x axes.
RowMatrixF leadingCoordinates(const embedding::PreparedEmbedding& embedding) {
    const Eigen::Index axes = std::min(kAxes, embedding.dimensions());
    const RowMatrixF basis = embedding.basis.axes.leftCols(axes).cast<float>();
    RowMatrixF coordinates(embedding.wordCount(), axes);
    const std::int64_t tasks = (coordinates.rows() + kRowsPerTask - 1) / kRowsPerTask;
    parallelFor(tasks, 0, [&](std::int64_t task) {
        const Eigen::Index first = task * kRowsPerTask;
        const Eigen::Index count = std::min(kRowsPerTask, coordinates.rows() - first);
        coordinates.middleRows(first, count).noalias() =
            embedding.vectors().middleRows(first, count) * basis;
    });
    return coordinates;
}

Eigen::Index widestAxis(const RowMatrixF& coordinates, std::span<const Row> rows) {
    VectorF sum = VectorF::Zero(coordinates.cols());
    VectorF squares = VectorF::Zero(coordinates.cols());
    for (const Row row : rows) {
        sum += coordinates.row(row).transpose();
        squares += coordinates.row(row).cwiseAbs2().transpose();
    }
    Eigen::Index widest = 0;
    (squares - sum.cwiseAbs2() / static_cast<float>(rows.size())).maxCoeff(&widest);
    return widest;
}

void split(const RowMatrixF& coordinates, std::span<Row> rows) {
    if (static_cast<std::int64_t>(rows.size()) <= kTileWidth) {
        std::sort(rows.begin(), rows.end());
        return;
    }
    const Eigen::Index axis = widestAxis(coordinates, rows);
    const std::int64_t tiles = tileCount(static_cast<std::int64_t>(rows.size()));
    const auto half = static_cast<std::size_t>(tiles / 2 * kTileWidth);
    std::nth_element(rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(half), rows.end(),
                     [&](Row a, Row b) {
                         const float atA = coordinates(a, axis);
                         const float atB = coordinates(b, axis);
                         return atA != atB ? atA < atB : a < b;
                     });
    split(coordinates, rows.first(half));
    split(coordinates, rows.subspan(half));
}

}  // namespace

SearchSpace::SearchSpace(embedding::EmbeddingHandle embedding) : m_embedding(std::move(embedding)) {
    orderRows();
    m_vectors.resize(static_cast<Eigen::Index>(m_rows.size()), m_embedding->dimensions());
    std::vector<Eigen::Index> positionOfDistinct(
        static_cast<std::size_t>(m_embedding->wordCount()));
    m_squaredNorms.resize(positions());
    for (std::size_t position = 0; position < m_rows.size(); ++position) {
        const auto row = static_cast<std::size_t>(m_rows[position]);
        positionOfDistinct[row] = static_cast<Eigen::Index>(position);
        m_squaredNorms[static_cast<Eigen::Index>(position)] =
            m_embedding->squaredNorms[m_rows[position]];
        m_vectors.row(static_cast<Eigen::Index>(position)) =
            m_embedding->vectors().row(m_rows[position]);
    }
    m_positions.reserve(positionOfDistinct.size());
    for (const Row representative : m_embedding->duplicates.representative) {
        m_positions.push_back(positionOfDistinct[static_cast<std::size_t>(representative)]);
    }
    m_rowsByPosition =
        ordered<Row>(m_positions.size(), [this](Row row) { return positionOf(row); });
    m_largestRegularNorm = std::sqrt(m_squaredNorms.head(m_regularPositions).maxCoeff());
}

void SearchSpace::orderRows() {
    m_rows = tileOrder(*m_embedding);
    std::vector<Row> outlying = m_embedding->outlying.rows;
    std::erase_if(outlying, [&](Row row) {
        return m_embedding->duplicates.representative[static_cast<std::size_t>(row)] != row;
    });
    std::vector<bool> isOutlying(static_cast<std::size_t>(m_embedding->wordCount()), false);
    for (const Row row : outlying) {
        isOutlying[static_cast<std::size_t>(row)] = true;
    }
    std::erase_if(m_rows, [&](Row row) { return isOutlying[static_cast<std::size_t>(row)]; });
    m_regularPositions = static_cast<Eigen::Index>(m_rows.size());
    m_rows.insert(m_rows.end(), outlying.begin(), outlying.end());
}

std::span<const Row> SearchSpace::rowsAt(Eigen::Index position) const {
    const auto itsPosition = [this](Row row) { return positionOf(row); };
    const auto begin = std::ranges::lower_bound(m_rowsByPosition, position, {}, itsPosition);
    return {begin,
            std::ranges::upper_bound(begin, m_rowsByPosition.end(), position, {}, itsPosition)};
}

Eigen::Index SearchSpace::tiles() const {
    return tileCount(positions());
}

Eigen::Index SearchSpace::paddedPositions() const {
    return tiles() * kTileWidth;
}

std::vector<Row> tileOrder(const embedding::PreparedEmbedding& embedding) {
    std::vector<Row> rows = embedding.duplicates.distinctRows;
    if (static_cast<std::int64_t>(rows.size()) > kTileWidth) {
        const RowMatrixF coordinates = leadingCoordinates(embedding);
        split(coordinates, rows);
    }
    return rows;
}

}  // namespace epsilens::engine
