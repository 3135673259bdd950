#include "core/engine/tile_order.h"

#include <algorithm>
#include <span>

#include "core/base/parallel.h"
#include "core/engine/score_kernel.h"

namespace epsilens::engine {
namespace {

using embedding::Row;

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
    if (std::ssize(rows) <= kTileWidth) {
        std::ranges::sort(rows);
        return;
    }
    const Eigen::Index axis = widestAxis(coordinates, rows);
    const std::int64_t tiles = tileCount(std::ssize(rows));
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

std::vector<Row> tileOrder(const embedding::PreparedEmbedding& embedding) {
    std::vector<Row> rows = embedding.duplicates.distinctRows;
    if (std::ssize(rows) > kTileWidth) {
        const RowMatrixF coordinates = leadingCoordinates(embedding);
        split(coordinates, rows);
    }
    return rows;
}

}  // namespace epsilens::engine
