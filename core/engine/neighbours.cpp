#include "core/engine/neighbours.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/base/parallel.h"
#include "core/engine/block_search.h"
#include "core/engine/exact_scores.h"

namespace epsilens::engine {
namespace {

constexpr std::size_t kWordsAtOnce = 32;

struct Candidate {
    double squaredDistance;
    Row row;

    bool operator<(const Candidate& other) const {
        return squaredDistance != other.squaredDistance ? squaredDistance < other.squaredDistance
                                                        : row < other.row;
    }
};

// Positions that can be among the `count` nearest other words, by float32 distances and their
// bound.
std::vector<Eigen::Index> candidatePositions(const SearchSpace& space, const float* distances,
                                             double bound, std::int64_t count) {
    std::vector<float> sorted(distances, distances + space.positions());
    // One more than asked: the word itself is among the nearest.
    const auto last =
        static_cast<std::ptrdiff_t>(std::min<std::int64_t>(count, space.positions() - 1));
    std::nth_element(sorted.begin(), sorted.begin() + last, sorted.end());
    const double threshold = sorted[static_cast<std::size_t>(last)] + 2.0 * bound;
    std::vector<Eigen::Index> positions;
    for (Eigen::Index position = 0; position < space.positions(); ++position) {
        if (distances[position] <= threshold) {
            positions.push_back(position);
        }
    }
    return positions;
}

}  // namespace

bool Neighbourhood::contains(Row row) const {
    return std::find(rows.begin(), rows.end(), row) != rows.end();
}

Neighbourhood neighboursOf(const SearchSpace& space, Row word, const float* distances, int count) {
    const Eigen::Index own = space.positionOf(word);
    const double wordNorm = std::sqrt(space.squaredNorms()[own]);
    const float* wordVector = space.vectors().row(own).data();
    std::vector<Candidate> candidates;
    for (const Eigen::Index position :
         candidatePositions(space, distances, distanceErrorBound(space, wordNorm), count)) {
        const double squared = squaredDistance(wordVector, space.vectors().row(position).data(),
                                               space.vectors().cols());
        for (const Row row : space.rowsAt(position)) {
            if (row != word) {
                candidates.push_back({squared, row});
            }
        }
    }
    const auto kept = std::min<std::size_t>(candidates.size(), static_cast<std::size_t>(count));
    std::partial_sort(candidates.begin(), candidates.begin() + static_cast<std::ptrdiff_t>(kept),
                      candidates.end());
    Neighbourhood result;
    for (std::size_t i = 0; i < kept; ++i) {
        result.rows.push_back(candidates[i].row);
        result.distances.push_back(std::sqrt(candidates[i].squaredDistance));
    }
    return result;
}

Result<std::vector<Neighbourhood>> nearestNeighbours(const SearchSpace& space,
                                                     std::span<const Row> words, int count,
                                                     int threads, const JobContext& job) {
    std::vector<Neighbourhood> result(words.size());
    for (std::size_t first = 0; first < words.size(); first += kWordsAtOnce) {
        const auto group = words.subspan(first, std::min(kWordsAtOnce, words.size() - first));
        const AlignedMatrix distances = squaredDistances(space, group, threads, job);
        if (job.stopRequested()) {
            return fail(ErrorCode::cancelled, "cancelled");
        }
        parallelFor(static_cast<std::int64_t>(group.size()), threads, [&](std::int64_t i) {
            const auto index = static_cast<std::size_t>(i);
            result[first + index] = neighboursOf(space, group[index], distances.row(i), count);
        });
        job.progress(static_cast<double>(first + group.size()) / static_cast<double>(words.size()),
                     "Neighbours");
    }
    return result;
}

}  // namespace epsilens::engine
