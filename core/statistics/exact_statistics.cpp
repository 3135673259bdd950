#include "core/statistics/exact_statistics.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "core/engine/exponential_kernel.h"

namespace epsilens::statistics {
namespace {

using engine::MetricRow;
using mechanism::TruncatedExponential;

constexpr double kRoundoff = 0x1p-24;
constexpr double kCriticalTolerance = 1e-6;
constexpr int kMostSteps = 200;

// Arguments of the kernel: exponents beyond its largest make no difference.
struct KernelLaw {
    float rate;
    float cap;

    explicit KernelLaw(const TruncatedExponential& mechanism)
        : rate(static_cast<float>(
              std::min<double>(0.5 * mechanism.epsilon(), std::numeric_limits<float>::max()))),
          cap(static_cast<float>(std::min<double>(mechanism.cap(), engine::kLargestExponent))) {}
};

}  // namespace

ExactStatisticsOfWords::ExactStatisticsOfWords(const engine::MetricSpace& space, int draws)
    : m_space(space), m_draws(draws), m_weights(1, space.paddedWords()) {
    const VectorD& squaredNorms = space.embedding().squaredNorms;
    for (engine::Row row = 0; row < space.wordCount(); ++row) {
        if (squaredNorms[row] == 0.0) {
            m_zeroVectors.push_back(row);
        }
    }
}

ExactStatistics ExactStatisticsOfWords::compute(const MetricRow& row,
                                                const TruncatedExponential& mechanism) {
    const KernelLaw law(mechanism);
    const engine::WeightSums sums = engine::exponentialWeights(
        row.distances, row.cosines, m_space.wordCount(), law.rate, law.cap, m_weights.row(0));
    const double total = sums.weights;
    ExactStatistics result;
    result.kept = 1.0 / total;
    result.nw = m_draws * result.kept;
    result.sw = engine::expectedDistinct(m_weights.row(0), m_space.wordCount(), total, m_draws);
    result.near = nearShare(row, mechanism, total);
    result.beyond = sums.capped / total;
    // The word itself has the largest probability, 1 / total.
    const double meanExponent = sums.exponents / total;
    result.minEntropy = std::log2(total);
    result.shannonEntropy = result.minEntropy + meanExponent * std::numbers::log2e;
    result.meanDistance = sums.distances / total;
    if (m_space.embedding().squaredNorms[row.word] > 0.0) {
        result.cosineSum = sums.cosines / total;
        result.cosineShare = 1.0 - shareOfZeroVectors(row, mechanism) / total;
    }
    result.relativeError = relativeError(row, mechanism, meanExponent);
    return result;
}

double ExactStatisticsOfWords::nearShare(const MetricRow& row,
                                         const TruncatedExponential& mechanism,
                                         double total) const {
    const std::vector<double>& distances = row.neighbours.distances;
    if (static_cast<std::int64_t>(distances.size()) + 1 == m_space.wordCount()) {
        return 1.0 - 1.0 / total;
    }
    double sum = 0.0;
    for (const double distance : distances) {
        sum += std::exp(-mechanism.exponent(distance));
    }
    return sum / total;
}

double ExactStatisticsOfWords::shareOfZeroVectors(const MetricRow& row,
                                                  const TruncatedExponential& mechanism) const {
    double share = 0.0;
    for (const engine::Row zero : m_zeroVectors) {
        share += std::exp(-mechanism.exponent(static_cast<double>(row.distances[zero])));
    }
    return share;
}

double ExactStatisticsOfWords::relativeError(const MetricRow& row,
                                             const TruncatedExponential& mechanism,
                                             double meanExponent) const {
    const double cap = std::min<double>(mechanism.cap(), engine::kLargestExponent);
    const bool isCertain = mechanism.gamma() + row.distanceError < row.leastUncertain;
    const double shift =
        isCertain ? 0.0 : std::min(cap, 0.5 * mechanism.epsilon() * row.distanceError);
    const double entry = engine::kDistanceRounding + 3.0 * kRoundoff;
    constexpr double kLeastLanes = 4.0;
    const double sums = (engine::kFloatSumLength / kLeastLanes + 8.0) * kRoundoff;
    const double doubling = (4.0 * std::log2(m_draws) + 8.0) * kRoundoff;
    return std::expm1(2.0 * shift) + entry * (cap + meanExponent) + 2.0 * sums + doubling;
}

double ExactStatisticsOfWords::criticalEpsilon(const MetricRow& row,
                                               const mechanism::Truncation& truncation) {
    if (m_space.wordCount() <= 2) {
        return 0.0;
    }
    constexpr double kNever = std::numeric_limits<double>::infinity();
    const double nearest = row.neighbours.distances.front();
    if (nearest == 0.0 || truncation.keepsAtMostHalf()) {
        return kNever;
    }
    double low = 0.0;
    double high = kNever;
    // So small that all weights are nearly equal: the first step goes by the mean distance.
    double epsilon = 1e-3 / row.neighbours.distances.back();
    for (int step = 0; step < kMostSteps && std::isfinite(epsilon); ++step) {
        const OtherWeights others = otherWeights(row, truncation, epsilon);
        (others.sum > 1.0 ? low : high) = epsilon;
        const double logarithm = std::log(others.sum);
        const double next = epsilon - logarithm * others.sum / others.slope;
        const double previous = epsilon;
        epsilon = next > low && next < high ? next
                  : std::isfinite(high)     ? 0.5 * (low + high)
                                            : 2.0 * epsilon;
        if (std::abs(epsilon - previous) <= kCriticalTolerance * epsilon) {
            return epsilon;
        }
    }
    return epsilon;
}

ExactStatisticsOfWords::OtherWeights ExactStatisticsOfWords::otherWeights(
    const MetricRow& row, const mechanism::Truncation& truncation, double epsilon) {
    const auto mechanism = truncation.at(epsilon);
    const KernelLaw law(*mechanism);
    const engine::WeightSums sums = engine::exponentialWeights(
        row.distances, nullptr, m_space.wordCount(), law.rate, law.cap, m_weights.row(0));
    // With the radius that an error probability gives, weights beyond it do not change.
    const double constant = truncation.beta() ? static_cast<double>(law.cap) * sums.capped : 0.0;
    return {sums.weights - 1.0, -(sums.exponents - constant) / epsilon};
}

}  // namespace epsilens::statistics
