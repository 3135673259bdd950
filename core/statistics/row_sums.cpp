#include "core/statistics/row_sums.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "core/engine/exponential_kernel.h"

namespace epsilens::statistics {
namespace {

using engine::MetricRow;
using engine::PowerSums;
using mechanism::TruncatedExponential;

// Near words are few beside the far ones, in whose row they leave entries to subtract.
constexpr std::int64_t kMostNear = 1024;
constexpr std::int64_t kFarPerReplaced = 4;
// Largest R p of a far word: what four powers leave out is then below 2^-24 of their sum.
constexpr double kMostExpected = 0.05;

enum NearRow : std::int64_t { kDistances, kCosines, kWeights, kNearRows };

float rateOf(double rate) {
    return static_cast<float>(std::min<double>(rate, std::numeric_limits<float>::max()));
}

double largestExponentOf(const TruncatedExponential& mechanism) {
    return std::min<double>(mechanism.cap(), engine::kLargestExponent);
}

// sum of 1 - (1 - p)^R, p = weight / total, without the terms beyond p^4.
double distinctOf(const PowerSums& sums, double total, double draws) {
    const double q = 1.0 / total;
    const double second = draws * (draws - 1.0) / 2.0;
    const double third = second * (draws - 2.0) / 3.0;
    const double fourth = third * (draws - 3.0) / 4.0;
    return q * (draws * sums.weights -
                q * (second * sums.squares - q * (third * sums.cubes - q * fourth * sums.fourths)));
}

}  // namespace

KernelLaw::KernelLaw(const TruncatedExponential& mechanism)
    : rate(rateOf(0.5 * mechanism.epsilon())),
      cap(static_cast<float>(largestExponentOf(mechanism))) {}

RowSums wholeRowSums(const MetricRow& row, std::int64_t words,
                     const TruncatedExponential& mechanism, int draws,
                     engine::AlignedMatrix& weights) {
    const KernelLaw law(mechanism);
    const engine::WeightSums sums = engine::exponentialWeights(row.distances, row.cosines, words,
                                                               law.rate, law.cap, weights.row(0));
    return {sums.weights,   sums.exponents,
            sums.distances, sums.cosines,
            sums.capped,    engine::expectedDistinct(weights.row(0), words, sums.weights, draws)};
}

SplitRow::SplitRow(std::int64_t words, std::int64_t stride, int draws)
    : m_words(words),
      m_draws(draws),
      m_near(kNearRows, engine::paddedRowLength(kMostNear)),
      m_far(1, stride) {
    std::fill_n(m_near.row(0), kNearRows * m_near.stride(), 0.0F);
}

void SplitRow::set(const MetricRow& row) {
    m_nearCount = static_cast<std::int64_t>(row.nearest.size());
    m_replaced = m_nearCount + m_far.stride() - m_words;
    m_isSplit = row.cosines != nullptr && m_nearCount <= kMostNear &&
                kFarPerReplaced * m_replaced <= m_words;
    if (m_isSplit) {
        splitOff(row);
    }
}

void SplitRow::splitOff(const MetricRow& row) {
    float* const far = m_far.row(0);
    m_largest = engine::copyWithLargest(row.distances, m_words, far);
    m_leastFar = row.nearestReach;
    m_farCosines = row.cosines;
    m_replacedCosines = 0.0;
    const auto replace = [&](std::int64_t place) {
        far[place] = m_largest;
        m_replacedCosines += static_cast<double>(row.cosines[place]);
    };
    for (std::int64_t i = 0; i < m_nearCount; ++i) {
        const engine::Row word = row.nearest[static_cast<std::size_t>(i)];
        m_near.row(kDistances)[i] = row.distances[word];
        m_near.row(kCosines)[i] = row.cosines[word];
        replace(word);
    }
    for (std::int64_t place = m_words; place < m_far.stride(); ++place) {
        replace(place);
    }
    m_totals = engine::rowTotals(far, m_farCosines, m_far.stride());
}

// Of the far words alone: entries at the largest distance have the least weight of all, so that
// little is lost where they are subtracted.
PowerSums SplitRow::farSums(float rate, float cap) {
    PowerSums sums = engine::powerSums(m_far.row(0), m_farCosines, m_far.stride(), rate, cap,
                                       m_largest, m_totals);
    const float exponent = std::min(rate * m_largest, cap);
    const double weight = std::exp2(-static_cast<double>(exponent));
    const double weights = static_cast<double>(m_replaced) * weight;
    sums.weights -= weights;
    sums.exponents -= static_cast<double>(exponent) * weights;
    sums.distances -= static_cast<double>(m_largest) * weights;
    sums.cosines -= m_replacedCosines * weight;
    sums.squares -= weights * weight;
    sums.cubes -= weights * weight * weight;
    sums.fourths -= weights * weight * weight * weight;
    sums.capped -= exponent == cap ? m_replaced : 0;
    return sums;
}

std::optional<RowSums> SplitRow::sums(const TruncatedExponential& mechanism) {
    if (!m_isSplit) {
        return std::nullopt;
    }
    const float rate = rateOf(0.5 * mechanism.epsilon() * std::numbers::log2e);
    const auto cap = static_cast<float>(largestExponentOf(mechanism) * std::numbers::log2e);
    const PowerSums far = farSums(rate, cap);
    const KernelLaw law(mechanism);
    const engine::WeightSums near =
        engine::exponentialWeights(m_near.row(kDistances), m_near.row(kCosines), m_nearCount,
                                   law.rate, law.cap, m_near.row(kWeights));
    const double total = near.weights + far.weights;
    const auto leastExponent = static_cast<double>(std::min(rate * m_leastFar, cap));
    if (m_draws * std::exp2(-leastExponent) > kMostExpected * total) {
        return std::nullopt;
    }
    RowSums sums;
    sums.weights = total;
    sums.exponents = near.exponents + std::numbers::ln2 * far.exponents;
    sums.distances = near.distances + far.distances;
    sums.cosines = near.cosines + far.cosines;
    sums.capped =
        near.capped + static_cast<double>(far.capped) * std::exp2(-static_cast<double>(cap));
    sums.distinct = std::min<double>(
        m_draws, engine::expectedDistinct(m_near.row(kWeights), m_nearCount, total, m_draws) +
                     distinctOf(far, total, m_draws));
    return sums;
}

}  // namespace epsilens::statistics
