#include "core/calibration/density_profile.h"

#include <algorithm>
#include <utility>

#include "core/base/ordered.h"
#include "core/engine/neighbours.h"

namespace epsilens::calibration {
namespace {

double meanDistance(const DensityProfile& profile, const std::vector<Row>& words) {
    double sum = 0.0;
    for (const Row word : words) {
        sum += profile.distances[static_cast<std::size_t>(word)];
    }
    return sum / static_cast<double>(words.size());
}

// The first words by their distances times a sign, ties to the lower row.
std::vector<Row> firstWords(const DensityProfile& profile, double sign, std::int64_t count,
                            std::span<const Row> within) {
    const auto key = [&](Row row) {
        return std::pair(sign * profile.distances[static_cast<std::size_t>(row)], row);
    };
    std::vector<Row> words(within.begin(), within.end());
    const auto kept = std::min<std::int64_t>(count, std::ssize(words));
    std::ranges::partial_sort(words, words.begin() + kept, {}, key);
    words.resize(static_cast<std::size_t>(kept));
    return words;
}

void rank(DensityProfile& profile) {
    std::vector<Row>& order = profile.sparsestFirst;
    order = ordered<Row>(profile.distances.size(), [&](Row word) {
        return -profile.distances[static_cast<std::size_t>(word)];
    });
    profile.ranks.resize(order.size());
    for (std::size_t place = 0; place < order.size(); ++place) {
        profile.ranks[static_cast<std::size_t>(order[place])] =
            static_cast<std::int32_t>(place + 1);
    }
}

}  // namespace

Result<DensityProfile> densityProfile(const engine::SearchSpace& space, int threads,
                                      const JobContext& job) {
    ASSIGN_OR_RETURN(const auto closest, engine::closestVectors(space, threads, job));
    DensityProfile profile;
    const auto words = static_cast<std::size_t>(space.embedding().wordCount());
    profile.distances.reserve(words);
    profile.nearest.reserve(words);
    for (Row row = 0; row < space.embedding().wordCount(); ++row) {
        const auto position = static_cast<std::size_t>(space.positionOf(row));
        profile.distances.push_back(closest.distances[position]);
        profile.nearest.push_back(space.rowAt(closest.positions[position]));
    }
    rank(profile);
    return profile;
}

std::vector<Row> sparsestWords(const DensityProfile& profile, std::int64_t count,
                               std::span<const Row> within) {
    return firstWords(profile, -1.0, count, within);
}

std::vector<Row> densestWords(const DensityProfile& profile, std::int64_t count,
                              std::span<const Row> within) {
    return firstWords(profile, 1.0, count, within);
}

DensityFigures densityFigures(const DensityProfile& profile, std::span<const Row> within) {
    DensityFigures figures;
    std::vector<float> distances;
    for (const Row word : within) {
        distances.push_back(static_cast<float>(profile.distances[static_cast<std::size_t>(word)]));
    }
    figures.distances = summarize(distances);
    figures.sparsest = sparsestWords(profile, DensityFigures::kExtremes, within);
    figures.densest = densestWords(profile, DensityFigures::kExtremes, within);
    figures.largest = profile.distances[static_cast<std::size_t>(figures.sparsest.front())];
    figures.least = profile.distances[static_cast<std::size_t>(figures.densest.front())];
    figures.meanOfSparsest = meanDistance(profile, figures.sparsest);
    figures.meanOfDensest = meanDistance(profile, figures.densest);
    return figures;
}

}  // namespace epsilens::calibration
