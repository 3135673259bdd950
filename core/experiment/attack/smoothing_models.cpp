#include "core/experiment/attack/smoothing_models.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <tuple>
#include <utility>

#include "core/base/pass_on.h"
#include "core/engine/aligned_matrix.h"
#include "core/engine/exponential_kernel.h"
#include "core/experiment/attack/distance_visits.h"
#include "core/experiment/attack/in_parallel.h"

namespace epsilens::experiment {
namespace {

// Weights are added up as whole numbers of this unit: in any order they give the same sum.
constexpr double kUnit = 0x1p-32;
using Sums = Eigen::Matrix<std::int64_t, Eigen::Dynamic, 1>;

std::vector<Row> summedWords(Row words) {
    const Row count = std::min(words, SmoothingModels::kSummedWords);
    std::vector<Row> rows;
    for (std::int64_t i = 0; i < count; ++i) {
        rows.push_back(static_cast<Row>(i * words / count));
    }
    return rows;
}

/// ln Z of every word from the sum of its weights over the summed words, ascending.
VectorF logTotals(const Sums& sums, std::span<const Row> summed) {
    const auto words = static_cast<double>(sums.size());
    VectorF result(sums.size());
    for (Row word = 0; word < static_cast<Row>(sums.size()); ++word) {
        // The word's own weight is 1; the others stand for all other words.
        const double own = std::binary_search(summed.begin(), summed.end(), word) ? 1.0 : 0.0;
        const double others = std::max(static_cast<double>(sums[word]) * kUnit - own, 0.0);
        const double count = static_cast<double>(summed.size()) - own;
        result[word] = static_cast<float>(
            std::log(1.0 + (count > 0.0 ? (words - 1.0) * others / count : 0.0)));
    }
    return result;
}

}  // namespace

Result<SmoothingModels> SmoothingModels::create(const engine::MetricSpace& space,
                                                std::vector<double> rates, int threads,
                                                const JobContext& job) {
    const std::vector<Row> summed = summedWords(space.wordCount());
    const int workers = workersOf(threads);
    const std::size_t models = rates.size();
    std::vector<Sums> sums(static_cast<std::size_t>(workers) * models,
                           Sums::Zero(space.wordCount()));
    engine::AlignedMatrix weights(workers, space.paddedWords());
    RETURN_IF_ERROR(visitDistances(
        space, summed, workers, "Probabilities of outputs", job,
        [&](std::size_t, int worker, const engine::MetricRow& row) {
            for (std::size_t model = 0; model < models; ++model) {
                std::ignore = engine::exponentialWeights(
                    row.distances, nullptr, space.wordCount(), static_cast<float>(rates[model]),
                    engine::kLargestExponent, weights.row(worker));
                const Eigen::Map<const VectorF> added(weights.row(worker), space.wordCount());
                sums[static_cast<std::size_t>(worker) * models + model] +=
                    (added * static_cast<float>(1.0 / kUnit)).cast<std::int64_t>();
            }
        }));
    SmoothingModels result(std::move(rates));
    for (std::size_t model = 0; model < models; ++model) {
        for (std::size_t other = model + models; other < sums.size(); other += models) {
            sums[model] += sums[other];
        }
        result.m_logTotals.push_back(logTotals(sums[model], summed));
    }
    return result;
}

VectorF SmoothingModels::offsets(std::size_t model, const VectorD& logWeights, int outputs) const {
    return (logWeights - outputs * m_logTotals[model].cast<double>()).cast<float>();
}

Row SmoothingModels::best(std::size_t model, const VectorF& offsets, const float* distances) const {
    // The largest of a block of numbers is found several at a time; where it stands is looked up
    // in the best block alone.
    constexpr Eigen::Index kBlock = 1024;
    const auto rate = static_cast<float>(m_rates[model]);
    float largest = -std::numeric_limits<float>::infinity();
    Eigen::Index found = 0;
    const Eigen::Map<const VectorF> all(distances, offsets.size());
    Eigen::Matrix<float, Eigen::Dynamic, 1, 0, kBlock, 1> scores;
    const auto score = [&](Eigen::Index first) {
        const Eigen::Index count = std::min(kBlock, offsets.size() - first);
        scores = offsets.segment(first, count) - rate * all.segment(first, count);
    };
    for (Eigen::Index first = 0; first < offsets.size(); first += kBlock) {
        score(first);
        if (const float own = scores.maxCoeff(); own > largest) {
            largest = own;
            found = first;
        }
    }
    score(found);
    Eigen::Index place = 0;
    scores.maxCoeff(&place);
    return static_cast<Row>(found + place);
}

}  // namespace epsilens::experiment
