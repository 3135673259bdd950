#include "core/calibration/row_sums.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "core/engine/exponential_kernel.h"

namespace epsilens::calibration {
namespace {

using engine::MetricRow;
using engine::PowerSums;
using mechanism::TruncatedExponential;

// Near words are few beside the far ones, in whose row they leave stand-ins to subtract.
constexpr std::int64_t kFarPerReplaced = 4;
// Largest R p of a far word: what four powers leave out is then below 2^-24 of their sum.
constexpr double kMostExpected = 0.05;

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

PowerLaw::PowerLaw(const TruncatedExponential& mechanism)
    : rate(rateOf(0.5 * mechanism.epsilon() * std::numbers::log2e)),
      cap(static_cast<float>(largestExponentOf(mechanism) * std::numbers::log2e)) {}

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

NearWords::NearWords() : m_values(kNearRows, engine::paddedRowLength(kMost)) {
    std::fill_n(m_values.row(0), kNearRows * m_values.stride(), 0.0F);
}

void NearWords::add(float distance, float cosine) {
    m_values.row(kDistances)[m_count] = distance;
    m_values.row(kCosines)[m_count] = cosine;
    ++m_count;
}

engine::WeightSums NearWords::weigh(const KernelLaw& law) {
    return engine::exponentialWeights(m_values.row(kDistances), m_values.row(kCosines), m_count,
                                      law.rate, law.cap, m_values.row(kWeights));
}

double NearWords::distinct(double total, int draws) const {
    return engine::expectedDistinct(m_values.row(kWeights), m_count, total, draws);
}

SplitRow::SplitRow(std::int64_t words, std::int64_t stride, int draws)
    : m_words(words), m_draws(draws), m_far(1, stride) {}

void SplitRow::set(const MetricRow& row) {
    const auto near = static_cast<std::int64_t>(row.nearest.size());
    const std::int64_t replaced = near + m_far.stride() - m_words;
    m_isSplit =
        row.cosines != nullptr && near <= NearWords::kMost && kFarPerReplaced * replaced <= m_words;
    if (m_isSplit) {
        splitOff(row);
    }
}

void SplitRow::splitOff(const MetricRow& row) {
    float* const far = m_far.row(0);
    m_standIns = {engine::copyWithLargest(row.distances, m_words, far), 0, 0.0};
    m_leastFar = row.nearestReach;
    m_farCosines = row.cosines;
    const auto replace = [&](std::int64_t place) {
        far[place] = m_standIns.distance;
        ++m_standIns.count;
        m_standIns.cosines += static_cast<double>(row.cosines[place]);
    };
    m_near.clear();
    for (const engine::Row word : row.nearest) {
        m_near.add(row.distances[word], row.cosines[word]);
        replace(word);
    }
    for (std::int64_t place = m_words; place < m_far.stride(); ++place) {
        replace(place);
    }
    m_totals = engine::rowTotals(far, m_farCosines, m_far.stride());
}

// Of the far words alone: where stand-ins have the least weight of many, little is lost with them.
PowerSums SplitRow::farSums(const PowerLaw& law) const {
    PowerSums sums = engine::powerSums(m_far.row(0), m_farCosines, m_far.stride(), law.rate,
                                       law.cap, m_standIns.distance, m_totals);
    const float exponent = std::min(law.rate * m_standIns.distance, law.cap);
    const double weight = std::exp2(-static_cast<double>(exponent));
    const double weights = static_cast<double>(m_standIns.count) * weight;
    sums.weights -= weights;
    sums.exponents -= static_cast<double>(exponent) * weights;
    sums.distances -= static_cast<double>(m_standIns.distance) * weights;
    sums.cosines -= m_standIns.cosines * weight;
    sums.squares -= weights * weight;
    sums.cubes -= weights * weight * weight;
    sums.fourths -= weights * weight * weight * weight;
    sums.capped -= exponent == law.cap ? m_standIns.count : 0;
    return sums;
}

std::optional<RowSums> SplitRow::sums(const TruncatedExponential& mechanism) {
    if (!m_isSplit) {
        return std::nullopt;
    }
    const PowerLaw law(mechanism);
    const PowerSums far = farSums(law);
    const engine::WeightSums near = m_near.weigh(KernelLaw(mechanism));
    const double total = near.weights + far.weights;
    const auto leastExponent = static_cast<double>(std::min(law.rate * m_leastFar, law.cap));
    if (m_draws * std::exp2(-leastExponent) > kMostExpected * total) {
        return std::nullopt;
    }
    RowSums sums;
    sums.weights = total;
    sums.exponents = near.exponents + std::numbers::ln2 * far.exponents;
    sums.distances = near.distances + far.distances;
    sums.cosines = near.cosines + far.cosines;
    sums.capped =
        near.capped + static_cast<double>(far.capped) * std::exp2(-static_cast<double>(law.cap));
    sums.distinct = std::min<double>(
        m_draws, m_near.distinct(total, m_draws) + distinctOf(far, total, m_draws));
    return sums;
}

}  // namespace epsilens::calibration
