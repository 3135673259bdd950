#include "core/engine/neighbours.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/ordered.h"
#include "core/base/parallel.h"
#include "core/engine/exact_scores.h"

namespace epsilens::engine {
namespace {

// So many that the vectors are read from memory seldom enough.
constexpr std::size_t kWordsAtOnce = 128;

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
    if (wanted <= nearest.count) {
        const double reach = static_cast<double>(nearest.values[wanted - 1]) + 2.0 * bound;
        std::int64_t within = wanted;
        while (within < nearest.count && static_cast<double>(nearest.values[within]) <= reach) {
            ++within;
        }
        if (nearest.isWhole || static_cast<double>(nearest.values[nearest.count]) > reach) {
            std::vector<std::int32_t> positions(nearest.positions, nearest.positions + within);
            std::ranges::sort(positions);
            positions.erase(std::unique(positions.begin(), positions.end()), positions.end());
            for (auto position = space.regularPositions(); position < space.positions();
                 ++position) {
                positions.push_back(static_cast<std::int32_t>(position));
            }
            return positions;
        }
    }
    return indicesBelow<std::int32_t>(space.positions());
}

// The lowest rows of candidates for the `count` nearest vectors other than one, which is among
// them, by squared distance in float64.
std::vector<RankedRow> candidatesOf(const SearchSpace& space, Eigen::Index own,
                                    const ColumnList& nearest, std::int64_t count) {
    const RowMatrixF& vectors = space.vectors();
    const double bound = squaredDistanceErrorBound(
        vectors.cols(), std::sqrt(space.squaredNorms()[own]), space.largestRegularNorm());
    std::vector<RankedRow> candidates;
    for (const std::int32_t position : candidatePositions(space, nearest, bound, count)) {
        candidates.push_back(
            {squaredDistance(vectors.row(own).data(), vectors.row(position).data(), vectors.cols()),
             space.rowAt(position)});
    }
    return candidates;
}

// Calls use(index, list) for the list of the nearest positions of every word, several at once.
template <typename Use>
Result<void> forEachList(const SearchSpace& space, std::span<const Row> words, int threads,
                         const JobContext& job, const Use& use) {
    ScoreColumns distances;
    for (std::size_t first = 0; first < words.size(); first += kWordsAtOnce) {
        const auto group = partFrom(words, first, kWordsAtOnce);
        distances.setWords(space, group, threads, job);
        RETURN_IF_ERROR(job.checkStop());
        parallelFor(std::ssize(group), threads, [&](std::int64_t i) {
            use(first + static_cast<std::size_t>(i), distances.list(i));
        });
        job.progress(first + group.size(), words.size(), "Nearest neighbours");
    }
    return {};
}

}  // namespace

bool Neighbourhood::contains(Row row) const {
    return std::ranges::find(rows, row) != rows.end();
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
    std::vector<RankedRow> rows;
    for (const RankedRow& candidate : candidatesOf(space, space.positionOf(word), nearest, count)) {
        for (const Row row : space.rowsAt(space.positionOf(candidate.row))) {
            if (row != word) {
                rows.push_back({candidate.rank, row});
            }
        }
    }
    return nearestOf(std::move(rows), count, root);
}

Result<std::vector<Neighbourhood>> nearestNeighbours(const SearchSpace& space,
                                                     std::span<const Row> words, int count,
                                                     int threads, const JobContext& job) {
    std::vector<Neighbourhood> result(words.size());
    RETURN_IF_ERROR(
        forEachList(space, words, threads, job, [&](std::size_t index, const ColumnList& nearest) {
            result[index] = neighboursOf(space, words[index], nearest, count);
        }));
    return result;
}

Result<ClosestVectors> closestVectors(const SearchSpace& space, int threads,
                                      const JobContext& job) {
    const auto positions = static_cast<std::size_t>(space.positions());
    if (positions < 2) {
        return fail(ErrorCode::unsupported,
                    "nearest-neighbour distances: all vectors are equal, there is no distance");
    }
    std::vector<Row> words;
    for (std::size_t position = 0; position < positions; ++position) {
        words.push_back(space.rowAt(static_cast<Eigen::Index>(position)));
    }
    ClosestVectors closest{std::vector<double>(positions), std::vector<std::int32_t>(positions)};
    RETURN_IF_ERROR(
        forEachList(space, words, threads, job, [&](std::size_t own, const ColumnList& nearest) {
            std::vector<RankedRow> others =
                candidatesOf(space, static_cast<Eigen::Index>(own), nearest, 1);
            std::erase_if(others, [&](const RankedRow& other) { return other.row == words[own]; });
            const Neighbourhood found = nearestOf(std::move(others), 1, root);
            closest.distances[own] = found.distances.front();
            closest.positions[own] =
                static_cast<std::int32_t>(space.positionOf(found.rows.front()));
        }));
    return closest;
}

}  // namespace epsilens::engine
