#include "core/experiment/attack/exact_channel.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "core/base/pass_on.h"
#include "core/engine/exponential_kernel.h"
#include "core/experiment/attack/in_parallel.h"

namespace epsilens::experiment {
namespace {

using mechanism::TruncatedExponential;

std::vector<Row> allRows(Row words) {
    std::vector<Row> rows(static_cast<std::size_t>(words));
    std::iota(rows.begin(), rows.end(), 0);
    return rows;
}

float asFloat(double value) {
    return static_cast<float>(std::min<double>(value, std::numeric_limits<float>::max()));
}

// -epsilon min(d, gamma) / 2 of a row of distances.
void negativeExponents(const TruncatedExponential& mechanism, const float* distances, Row count,
                       float* result) {
    const float rate = asFloat(0.5 * mechanism.epsilon());
    const float radius = asFloat(mechanism.gamma());
    for (Row u = 0; u < count; ++u) {
        result[u] = -rate * std::min(distances[u], radius);
    }
}

}  // namespace

Result<ExactChannel> ExactChannel::create(const engine::MetricSpace& space,
                                          std::vector<TruncatedExponential> mechanisms, int threads,
                                          const JobContext& job) {
    ExactChannel channel(space, std::move(mechanisms));
    channel.m_logTotals.assign(channel.settings(), VectorF(channel.words()));
    const int workers = workersOf(threads);
    engine::AlignedMatrix weights(workers, space.paddedWords());
    RETURN_IF_ERROR(visitDistances(
        space, allRows(channel.words()), workers, "Probabilities of outputs", job,
        [&](std::size_t word, int worker, const engine::MetricRow& row) {
            for (std::size_t setting = 0; setting < channel.settings(); ++setting) {
                const TruncatedExponential& mechanism = channel.m_mechanisms[setting];
                const double cap = std::min<double>(mechanism.cap(), engine::kLargestExponent);
                const double total =
                    engine::exponentialWeights(row.distances, nullptr, channel.words(),
                                               asFloat(0.5 * mechanism.epsilon()),
                                               static_cast<float>(cap), weights.row(worker))
                        .weights;
                channel.m_logTotals[setting][static_cast<Eigen::Index>(word)] =
                    static_cast<float>(std::log(total));
            }
        }));
    return channel;
}

double ExactChannel::kept(std::size_t setting, Row word) const {
    return std::exp(-static_cast<double>(m_logTotals[setting][word]));
}

void ExactChannel::logColumn(std::size_t setting, const engine::MetricRow& output,
                             float* result) const {
    negativeExponents(m_mechanisms[setting], output.distances, words(), result);
    Eigen::Map<VectorF>(result, words()) -= m_logTotals[setting];
}

}  // namespace epsilens::experiment
