#include "core/attack/distance_kernel.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <mutex>
#include <tuple>
#include <utility>

#include "core/base/parallel.h"
#include "core/base/pass_on.h"
#include "core/engine/aligned_matrix.h"
#include "core/engine/exponential_kernel.h"

namespace epsilens::attack {
namespace {

// Weights are added up as whole numbers of this unit: in any order they give the same sum.
constexpr double kUnit = 0x1p-32;
using Sums = Eigen::Matrix<std::int64_t, Eigen::Dynamic, 1>;

float asFloat(double value) {
    return static_cast<float>(std::min<double>(value, std::numeric_limits<float>::max()));
}

std::vector<Row> evenSteps(Row words, Row count) {
    std::vector<Row> rows;
    for (std::int64_t i = 0; i < count; ++i) {
        rows.push_back(static_cast<Row>(i * words / count));
    }
    return rows;
}

/// ln Z of every word from the sum of its weights over the summed words, ascending.
VectorF logTotalsOf(const Sums& sums, std::span<const Row> summed) {
    const auto words = static_cast<double>(sums.size());
    VectorF result(sums.size());
    for (Row word = 0; word < static_cast<Row>(sums.size()); ++word) {
        // The word's own weight is 1; the others stand for all other words.
        const double own = std::ranges::binary_search(summed, word) ? 1.0 : 0.0;
        const double others = std::max(static_cast<double>(sums[word]) * kUnit - own, 0.0);
        const double count = static_cast<double>(summed.size()) - own;
        result[word] = static_cast<float>(std::log(1.0 + (words - 1.0) * others / count));
    }
    return result;
}

}  // namespace

Result<std::vector<DistanceKernel>> DistanceKernel::create(const engine::MetricSpace& space,
                                                           std::span<const Decay> decays,
                                                           Row summed, int threads,
                                                           const JobContext& job) {
    const Row words = space.wordCount();
    const std::vector<Row> rows = evenSteps(words, std::min(summed, words));
    const int workers = workersOf(threads);
    engine::AlignedMatrix weights(workers, space.paddedWords());
    const bool isExact = summed >= words;
    std::vector<VectorF> logTotals(decays.size(), VectorF(words));
    std::vector<Sums> sums(isExact ? 0 : decays.size(), Sums::Zero(words));
    std::vector<std::mutex> adding(sums.size());
    RETURN_IF_ERROR(visitDistances(
        space, rows, workers, "Probabilities of outputs", job,
        [&](std::size_t, int worker, const engine::MetricRow& row) {
            for (std::size_t i = 0; i < decays.size(); ++i) {
                const double cap = std::min<double>(decays[i].cap, engine::kLargestExponent);
                const auto rate = asFloat(decays[i].rate);
                if (isExact) {
                    logTotals[i][row.word] = static_cast<float>(std::log(engine::exponentialSum(
                        row.distances, words, rate, static_cast<float>(cap))));
                    continue;
                }
                std::ignore =
                    engine::exponentialWeights(row.distances, nullptr, words, rate,
                                               static_cast<float>(cap), weights.row(worker));
                const Eigen::Map<const VectorF> added(weights.row(worker), words);
                const std::scoped_lock lock(adding[i]);
                sums[i] += (added * static_cast<float>(1.0 / kUnit)).cast<std::int64_t>();
            }
        }));
    std::vector<DistanceKernel> kernels;
    for (std::size_t i = 0; i < decays.size(); ++i) {
        kernels.push_back(DistanceKernel(
            decays[i], isExact ? std::move(logTotals[i]) : logTotalsOf(sums[i], rows)));
    }
    return kernels;
}

void DistanceKernel::logColumn(const float* distances, float* result) const {
    const Eigen::Map<const VectorF> all(distances, m_logTotals.size());
    Eigen::Map<VectorF>(result, m_logTotals.size()) =
        -(asFloat(m_decay.rate) * all.array()).min(asFloat(m_decay.cap)).matrix() - m_logTotals;
}

Result<void> visitDistances(const engine::MetricSpace& space, std::span<const Row> words,
                            int workers, std::string_view stage, const JobContext& job,
                            const DistanceVisitor& visit) {
    // The same words share a product whatever the number of workers: results do not depend on it.
    constexpr std::size_t kFewest = 64;
    constexpr std::size_t kMost = 512;
    constexpr std::size_t kTasks = 64;
    const std::size_t atOnce =
        std::min(std::clamp(words.size() / kTasks, kFewest, kMost),
                 static_cast<std::size_t>(engine::MetricRows::wordsAtOnce(space)));
    const std::size_t tasks = (words.size() + atOnce - 1) / atOnce;
    struct Worker {
        int number;
        engine::MetricRows rows{false};
    };
    return inParallel(
        tasks, workers, stage, job, [](int number) { return Worker{number}; },
        [&](Worker& worker, std::size_t task) {
            const std::size_t first = task * atOnce;
            const auto some = words.subspan(first, std::min(atOnce, words.size() - first));
            worker.rows.load(space, some);
            for (std::size_t i = 0; i < some.size() && !job.stopRequested(); ++i) {
                visit(first + i, worker.number,
                      worker.rows.finish(static_cast<std::int64_t>(i), 0));
            }
        });
}

BestGuess bestGuess(const VectorF& scores) {
    const float best = scores.maxCoeff();
    return {static_cast<Row>(std::ranges::find(scores, best) - scores.begin()), best};
}

SureGuess sureGuess(const VectorF& scores) {
    const BestGuess best = bestGuess(scores);
    return {best.word,
            1.0 / (scores.array() - best.score).max(kNegligible).exp().cast<double>().sum()};
}

}  // namespace epsilens::attack
