#include "core/calibration/exact_statistics.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "core/engine/exponential_kernel.h"

namespace epsilens::calibration {
namespace {

// Roundings of a sum over a row.
constexpr double kRoundingsOfRow = engine::kFloatSumVectors + 8.0;

using engine::MetricRow;
using mechanism::TruncatedExponential;

constexpr double kRoundoff = 0x1p-24;
constexpr double kCriticalTolerance = 1e-6;
constexpr int kMostSteps = 200;

}  // namespace

ExactStatisticsOfWords::ExactStatisticsOfWords(const engine::MetricSpace& space, int draws)
    : m_space(space),
      m_draws(draws),
      m_weights(1, space.paddedWords()),
      m_split(space.wordCount(), space.paddedWords(), draws) {
    const VectorD& squaredNorms = space.embedding().squaredNorms;
    for (engine::Row row = 0; row < space.wordCount(); ++row) {
        if (squaredNorms[row] == 0.0) {
            m_zeroVectors.push_back(row);
        }
    }
}

ExactStatistics ExactStatisticsOfWords::compute(const MetricRow& row,
                                                const TruncatedExponential& mechanism) {
    ExactStatistics result;
    compute(row, {&mechanism, 1}, {&result, 1});
    return result;
}

void ExactStatisticsOfWords::compute(const MetricRow& row,
                                     std::span<const TruncatedExponential> mechanisms,
                                     std::span<ExactStatistics> results) {
    m_split.set(row);
    setNeighbours(row);
    for (std::size_t i = 0; i < mechanisms.size(); ++i) {
        const std::optional<RowSums> split = m_split.sums(mechanisms[i]);
        results[i] = statisticsOf(
            row, mechanisms[i],
            split ? *split
                  : wholeRowSums(row, m_space.wordCount(), mechanisms[i], m_draws, m_weights));
    }
}

ExactStatistics ExactStatisticsOfWords::statisticsOf(const MetricRow& row,
                                                     const TruncatedExponential& mechanism,
                                                     const RowSums& sums) {
    const double total = sums.weights;
    ExactStatistics result;
    result.kept = 1.0 / total;
    result.nw = m_draws * result.kept;
    result.sw = sums.distinct;
    result.near = nearShare(mechanism, total);
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

void ExactStatisticsOfWords::setNeighbours(const MetricRow& row) {
    const std::vector<double>& distances = row.neighbours.distances;
    m_neighbourCount = static_cast<std::int64_t>(distances.size());
    const std::int64_t stride = engine::paddedRowLength(m_neighbourCount);
    if (m_neighbours.stride() < stride) {
        m_neighbours = engine::AlignedMatrix(2, stride);
        std::fill_n(m_neighbours.row(0), 2 * stride, 0.0F);
    }
    std::transform(distances.begin(), distances.end(), m_neighbours.row(0),
                   [](double distance) { return static_cast<float>(distance); });
}

double ExactStatisticsOfWords::nearShare(const TruncatedExponential& mechanism, double total) {
    if (m_neighbourCount + 1 == m_space.wordCount()) {
        return 1.0 - 1.0 / total;
    }
    const KernelLaw law(mechanism);
    return engine::exponentialWeights(m_neighbours.row(0), nullptr, m_neighbourCount, law.rate,
                                      law.cap, m_neighbours.row(1))
               .weights /
           total;
}

double ExactStatisticsOfWords::shareOfZeroVectors(const MetricRow& row,
                                                  const TruncatedExponential& mechanism) const {
    double share = 0.0;
    for (const engine::Row zero : m_zeroVectors) {
        share += std::exp(-mechanism.exponent(m_space.distance(row.word, zero)));
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
    const double sums = kRoundingsOfRow * kRoundoff;
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

}  // namespace epsilens::calibration
