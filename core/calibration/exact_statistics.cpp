#include "core/calibration/exact_statistics.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>

#include "core/engine/exponential_kernel.h"
#include "core/engine/power_kernel.h"

namespace epsilens::calibration {

/// Sums over all words u of the weights exp(-x_u), x_u = epsilon min(d(w, u), gamma) / 2, of one
/// word w.
struct RowSums : engine::WeightSums {
    double distinct = 0.0;  ///< expected distinct words among R, sum of 1 - (1 - p_u)^R
};

namespace {

using engine::MetricRow;
using engine::PowerSums;
using mechanism::TruncatedExponential;

// Roundings of a sum over a row.
constexpr double kRoundingsOfRow = engine::kFloatSumVectors + 8.0;

constexpr double kRoundoff = 0x1p-24;
constexpr double kCriticalTolerance = 1e-6;
constexpr int kMostSteps = 200;

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

/// Arguments of engine::powerSums: the exponents are those of 2.
struct PowerLaw {
    float rate;
    float cap;

    explicit PowerLaw(const TruncatedExponential& mechanism)
        : rate(rateOf(0.5 * mechanism.epsilon() * std::numbers::log2e)),
          cap(static_cast<float>(largestExponentOf(mechanism) * std::numbers::log2e)) {}
};

/// Sums over the words of a row by the full formula. Needs only the row.
///
/// row      with cosines
/// draws    R >= 1
/// weights  scratch: one row of the length of the row
RowSums wholeRowSums(const MetricRow& row, std::int64_t words,
                     const TruncatedExponential& mechanism, int draws,
                     engine::AlignedMatrix& weights) {
    const KernelLaw law(mechanism);
    const engine::WeightSums sums = engine::exponentialWeights(row.distances, row.cosines, words,
                                                               law.rate, law.cap, weights.row(0));
    return {sums, engine::expectedDistinct(weights.row(0), words, sums.weights, draws)};
}

}  // namespace

KernelLaw::KernelLaw(const TruncatedExponential& mechanism)
    : rate(rateOf(0.5 * mechanism.epsilon())),
      cap(static_cast<float>(largestExponentOf(mechanism))) {}

/// A row whose nearest words stand apart: these are summed by the full formula, the far ones, which
/// have small probabilities, by the powers of their weights. Derivation: exact_statistics.md
class SplitRow {
public:
    /// words   V
    /// stride  length of a row of distances, a multiple of engine::kPowerStep
    /// draws   R >= 1
    SplitRow(std::int64_t words, std::int64_t stride, int draws)
        : m_words(words),
          m_draws(draws),
          m_near(kNearRows, engine::paddedRowLength(kMostNear)),
          m_far(1, stride) {
        std::fill_n(m_near.row(0), kNearRows * m_near.stride(), 0.0F);
    }

    /// Takes a row, which must stay as it is while sums are asked for.
    void set(const MetricRow& row) {
        const auto near = std::ssize(row.nearest);
        const std::int64_t replaced = near + m_far.stride() - m_words;
        m_isSplit =
            row.cosines != nullptr && near <= kMostNear && kFarPerReplaced * replaced <= m_words;
        if (m_isSplit) {
            splitOff(row);
        }
    }

    /// Nothing where the row has no cosines or too few far words beside the near ones, or where
    /// some far word is so probable that four powers would leave out too much.
    [[nodiscard]] std::optional<RowSums> sums(const TruncatedExponential& mechanism) {
        if (!m_isSplit) {
            return std::nullopt;
        }
        const PowerLaw law(mechanism);
        const PowerSums far = farSums(law);
        const KernelLaw nearLaw(mechanism);
        const engine::WeightSums near =
            engine::exponentialWeights(m_near.row(kDistances), m_near.row(kCosines), m_nearCount,
                                       nearLaw.rate, nearLaw.cap, m_near.row(kWeights));
        const double total = near.weights + far.weights;
        const auto leastExponent = static_cast<double>(std::min(law.rate * m_leastFar, law.cap));
        if (m_draws * std::exp2(-leastExponent) > kMostExpected * total) {
            return std::nullopt;
        }
        RowSums sums{near};
        sums.weights = total;
        sums.exponents += std::numbers::ln2 * far.exponents;
        sums.distances += far.distances;
        sums.cosines += far.cosines;
        sums.distinct = std::min<double>(
            m_draws, engine::expectedDistinct(m_near.row(kWeights), m_nearCount, total, m_draws) +
                         distinctOf(far, total, m_draws));
        return sums;
    }

private:
    static constexpr std::int64_t kMostNear = 1024;
    enum NearRow : std::int64_t { kDistances, kCosines, kWeights, kNearRows };

    /// Entries of the far sums that are of no far word: all stand at one distance.
    struct StandIns {
        float distance = 0.0F;
        std::int64_t count = 0;
        double cosines = 0.0;  ///< their sum
    };

    void splitOff(const MetricRow& row) {
        float* const far = m_far.row(0);
        m_standIns = {engine::copyWithLargest(row.distances, m_words, far), 0, 0.0};
        m_leastFar = row.nearestReach;
        m_farCosines = row.cosines;
        const auto replace = [&](std::int64_t place) {
            far[place] = m_standIns.distance;
            ++m_standIns.count;
            m_standIns.cosines += static_cast<double>(row.cosines[place]);
        };
        m_nearCount = 0;
        for (const engine::Row word : row.nearest) {
            m_near.row(kDistances)[m_nearCount] = row.distances[word];
            m_near.row(kCosines)[m_nearCount++] = row.cosines[word];
            replace(word);
        }
        for (std::int64_t place = m_words; place < m_far.stride(); ++place) {
            replace(place);
        }
        m_totals = engine::rowTotals(far, m_farCosines, m_far.stride());
    }
    // Of the far words alone: where stand-ins have the least weight of many, little is lost with
    // them.
    [[nodiscard]] PowerSums farSums(const PowerLaw& law) const {
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
        return sums;
    }

    std::int64_t m_words;
    int m_draws;
    bool m_isSplit = false;
    std::int64_t m_nearCount = 0;
    engine::AlignedMatrix m_near;  ///< distances, cosines and weights of the near words
    engine::AlignedMatrix m_far;   ///< distances; near words and padding stand at the largest one
    const float* m_farCosines = nullptr;  ///< of the row as it is
    float m_leastFar = 0.0F;
    StandIns m_standIns{};
    engine::RowTotals m_totals{};
};

ExactStatisticsOfWords::ExactStatisticsOfWords(const engine::MetricSpace& space, int draws)
    : m_space(space),
      m_draws(draws),
      m_weights(1, space.paddedWords()),
      m_split(std::make_unique<SplitRow>(space.wordCount(), space.paddedWords(), draws)) {
    const VectorD& squaredNorms = space.embedding().squaredNorms;
    for (engine::Row row = 0; row < space.wordCount(); ++row) {
        if (squaredNorms[row] == 0.0) {
            m_zeroVectors.push_back(row);
        }
    }
}

ExactStatisticsOfWords::ExactStatisticsOfWords(ExactStatisticsOfWords&& other) noexcept = default;
ExactStatisticsOfWords::~ExactStatisticsOfWords() = default;

ExactStatistics ExactStatisticsOfWords::compute(const MetricRow& row,
                                                const TruncatedExponential& mechanism) {
    ExactStatistics result;
    compute(row, {&mechanism, 1}, {&result, 1});
    return result;
}

void ExactStatisticsOfWords::compute(const MetricRow& row,
                                     std::span<const TruncatedExponential> mechanisms,
                                     std::span<ExactStatistics> results) {
    m_split->set(row);
    const std::vector<double>& distances = row.neighbours.distances;
    m_neighbourCount = std::ssize(distances);
    const std::int64_t stride = engine::paddedRowLength(m_neighbourCount);
    if (m_neighbours.stride() < stride) {
        m_neighbours = engine::AlignedMatrix(2, stride);
        std::fill_n(m_neighbours.row(0), 2 * stride, 0.0F);
    }
    std::ranges::transform(distances, m_neighbours.row(0),
                           [](double distance) { return static_cast<float>(distance); });
    for (std::size_t i = 0; i < mechanisms.size(); ++i) {
        const std::optional<RowSums> split = m_split->sums(mechanisms[i]);
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
    const KernelLaw law(mechanism);
    result.near = m_neighbourCount + 1 == m_space.wordCount()
                      ? 1.0 - 1.0 / total
                      : engine::exponentialWeights(m_neighbours.row(0), nullptr, m_neighbourCount,
                                                   law.rate, law.cap, m_neighbours.row(1))
                                .weights /
                            total;
    // The word itself has the largest probability, 1 / total.
    const double meanExponent = sums.exponents / total;
    result.minEntropy = std::log2(total);
    result.shannonEntropy = result.minEntropy + meanExponent * std::numbers::log2e;
    result.meanDistance = sums.distances / total;
    if (m_space.embedding().squaredNorms[row.word] > 0.0) {
        double zeros = 0.0;
        for (const engine::Row zero : m_zeroVectors) {
            zeros += std::exp(-mechanism.exponent(m_space.distance(row.word, zero)));
        }
        result.cosineSum = sums.cosines / total;
        result.cosineShare = 1.0 - zeros / total;
    }
    result.relativeError = relativeError(row, mechanism, meanExponent);
    return result;
}

double ExactStatisticsOfWords::relativeError(const MetricRow& row,
                                             const TruncatedExponential& mechanism,
                                             double meanExponent) const {
    const double cap = largestExponentOf(mechanism);
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
