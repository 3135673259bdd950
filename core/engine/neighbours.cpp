#include "core/engine/neighbours.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "core/base/parallel.h"
#include "core/engine/exact_scores.h"

namespace epsilens::engine {
namespace {

constexpr std::size_t kWordsAtOnce = 32;

double root(double squaredDistance) {
    return std::sqrt(squaredDistance);
}

// Positions that can be among the `count` nearest other words, by float32 distances and their
// bound, and those of outlying norm, which are in no list. All positions if the list is too short
// to tell.
std::vector<std::int32_t> candidatePositions(const SearchSpace& space, const ColumnList& nearest,
                                             double bound, std::int64_t count) {
    // One more than asked: the word itself is among the nearest.
    const std::int64_t wanted = std::min<std::int64_t>(count + 1, space.regularPositions());
    std::vector<std::int32_t> positions;
    if (wanted <= nearest.count) {
        const double reach = static_cast<double>(nearest.values[wanted - 1]) + 2.0 * bound;
        std::int64_t within = wanted;
        while (within < nearest.count && static_cast<double>(nearest.values[within]) <= reach) {
            ++within;
        }
        if (nearest.isWhole || static_cast<double>(nearest.values[nearest.count]) > reach) {
            positions.assign(nearest.positions, nearest.positions + within);
            std::sort(positions.begin(), positions.end());
            positions.erase(std::unique(positions.begin(), positions.end()), positions.end());
            for (auto position = space.regularPositions(); position < space.positions();
                 ++position) {
                positions.push_back(static_cast<std::int32_t>(position));
            }
            return positions;
        }
    }
    positions.resize(static_cast<std::size_t>(space.positions()));
    std::iota(positions.begin(), positions.end(), 0);
    return positions;
}

}  // namespace

bool Neighbourhood::contains(Row row) const {
    return std::find(rows.begin(), rows.end(), row) != rows.end();
}

Neighbourhood nearestOf(std::vector<RankedRow> rows, int count, double (*distance)(double)) {
    const auto kept = std::min<std::size_t>(rows.size(), static_cast<std::size_t>(count));
    std::partial_sort(rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(kept), rows.end(),
                      [](const RankedRow& a, const RankedRow& b) {
                          return a.rank != b.rank ? a.rank < b.rank : a.row < b.row;
                      });
    Neighbourhood result;
    for (std::size_t i = 0; i < kept; ++i) {
        result.rows.push_back(rows[i].row);
        result.distances.push_back(distance(rows[i].rank));
    }
    return result;
}

Neighbourhood neighboursOf(const SearchSpace& space, Row word, const ColumnList& nearest,
                           int count) {
    const Eigen::Index own = space.positionOf(word);
    const double wordNorm = std::sqrt(space.squaredNorms()[own]);
    const float* wordVector = space.vectors().row(own).data();
    std::vector<RankedRow> candidates;
    const double bound =
        squaredDistanceErrorBound(space.vectors().cols(), wordNorm, space.largestRegularNorm());
    for (const std::int32_t position : candidatePositions(space, nearest, bound, count)) {
        const double squared = squaredDistance(wordVector, space.vectors().row(position).data(),
                                               space.vectors().cols());
        for (const Row row : space.rowsAt(position)) {
            if (row != word) {
                candidates.push_back({squared, row});
            }
        }
    }
    return nearestOf(std::move(candidates), count, root);
}

Result<std::vector<Neighbourhood>> nearestNeighbours(const SearchSpace& space,
                                                     std::span<const Row> words, int count,
                                                     int threads, const JobContext& job) {
    std::vector<Neighbourhood> result(words.size());
    ScoreColumns distances;
    for (std::size_t first = 0; first < words.size(); first += kWordsAtOnce) {
        const auto group = words.subspan(first, std::min(kWordsAtOnce, words.size() - first));
        distances.setWords(space, group, threads, job);
        if (job.stopRequested()) {
            return fail(ErrorCode::cancelled, "cancelled");
        }
        parallelFor(static_cast<std::int64_t>(group.size()), threads, [&](std::int64_t i) {
            const auto index = static_cast<std::size_t>(i);
            result[first + index] = neighboursOf(space, group[index], distances.list(i), count);
        });
        job.progress(static_cast<double>(first + group.size()) / static_cast<double>(words.size()),
                     "Neighbours");
    }
    return result;
}

}  // namespace epsilens::engine
