#include "core/calibration/distance_profile.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numbers>
#include <utility>

#include "core/engine/exponential_kernel.h"

namespace epsilens::calibration {
namespace {

using mechanism::TruncatedExponential;

// A float keeps 8 bits of its mantissa: 256 groups per factor of 2.
constexpr unsigned kDroppedBits = 15;

std::uint32_t groupOf(float distance) {
    std::uint32_t bits = 0;
    std::memcpy(&bits, &distance, sizeof bits);
    return bits >> kDroppedBits;
}

}  // namespace

DistanceProfile::Maker::Maker(std::vector<std::uint8_t> hasVector)
    : m_hasVector(std::move(hasVector)), m_isApart(m_hasVector.size()) {}

DistanceProfile DistanceProfile::Maker::make(const engine::MetricRow& row) {
    DistanceProfile profile;
    profile.m_nearest = row.neighbours.rows;
    m_isApart[static_cast<std::size_t>(row.word)] = 1;
    for (const engine::Row near : row.neighbours.rows) {
        m_isApart[static_cast<std::size_t>(near)] = 1;
    }
    const auto [least, largest] =
        std::minmax_element(row.distances, row.distances + m_isApart.size());
    const std::uint32_t base = groupOf(*least);
    m_groups.assign(groupOf(*largest) - base + 1, Group{});
    std::size_t groups = 0;
    for (std::size_t other = 0; other < m_isApart.size(); ++other) {
        if (m_isApart[other] != 0) {
            continue;
        }
        Group& group = m_groups[groupOf(row.distances[other]) - base];
        const auto distance = static_cast<double>(row.distances[other]);
        if (group.words++ == 0) {
            group.first = distance;
            ++groups;
        }
        group.distances += distance - group.first;
        group.squares += (distance - group.first) * (distance - group.first);
        group.cosines += static_cast<double>(row.cosines[other]);
        group.withVector += m_hasVector[other];
    }
    const std::size_t nearest = row.neighbours.rows.size();
    profile.m_entries = static_cast<std::int64_t>(1 + nearest + groups);
    profile.m_values = engine::AlignedMatrix(kValues, engine::paddedRowLength(profile.m_entries));
    std::int64_t entry = 0;
    const auto add = [&](double distance, double count, double variance, double cosine,
                         double withVector) {
        const double values[kValues] = {distance, count, 0.5 * variance, cosine, withVector};
        for (std::int64_t value = 0; value < kValues; ++value) {
            profile.m_values.row(value)[entry] = static_cast<float>(values[value]);
        }
        ++entry;
    };
    const bool isVector = m_hasVector[static_cast<std::size_t>(row.word)] != 0;
    add(0.0, 1.0, 0.0, isVector ? 1.0 : 0.0, isVector ? 1.0 : 0.0);
    for (std::size_t i = 0; i < nearest; ++i) {
        const auto near = static_cast<std::size_t>(row.neighbours.rows[i]);
        add(row.neighbours.distances[i], 1.0, 0.0, static_cast<double>(row.cosines[near]),
            m_hasVector[near]);
        m_isApart[near] = 0;
    }
    m_isApart[static_cast<std::size_t>(row.word)] = 0;
    for (const Group& group : m_groups) {
        if (group.words > 0) {
            const auto words = static_cast<double>(group.words);
            const double mean = group.distances / words;
            add(group.first + mean, words, std::max(0.0, group.squares / words - mean * mean),
                group.cosines, static_cast<double>(group.withVector));
        }
    }
    return profile;
}

double DistanceProfile::weigh(const TruncatedExponential& mechanism, Scratch& scratch) const {
    if (scratch.stride() < m_values.stride()) {
        scratch = Scratch(1, m_values.stride());
    }
    const auto rate = static_cast<float>(
        std::min<double>(0.5 * mechanism.epsilon(), std::numeric_limits<float>::max()));
    const auto cap =
        static_cast<float>(std::min<double>(mechanism.cap(), engine::kLargestExponent));
    float* const weights = scratch.row(0);
    static_cast<void>(
        engine::exponentialWeights(m_values.row(distance), nullptr, m_entries, rate, cap, weights));
    const double square = static_cast<double>(rate) * static_cast<double>(rate);
    double total = 0.0;
    for (std::int64_t i = 0; i < m_entries; ++i) {
        const bool isCapped = rate * m_values.row(distance)[i] >= cap;
        const double bend =
            isCapped ? 0.0 : square * static_cast<double>(m_values.row(halfVariance)[i]);
        const double weight = static_cast<double>(weights[i]) * (1.0 + bend);
        weights[i] = static_cast<float>(weight);
        total += weight * static_cast<double>(m_values.row(count)[i]);
    }
    return total;
}

DistanceProfile::Shares DistanceProfile::sharesAt(const TruncatedExponential& mechanism,
                                                  Scratch& scratch) const {
    const double total = weigh(mechanism, scratch);
    const float* const weights = scratch.row(0);
    double near = 0.0;
    for (std::size_t i = 1; i <= m_nearest.size(); ++i) {
        near += static_cast<double>(weights[i]);
    }
    return {1.0 / total, near / total};
}

std::vector<double> DistanceProfile::nearestProbabilities(const TruncatedExponential& mechanism,
                                                          Scratch& scratch) const {
    const double total = weigh(mechanism, scratch);
    std::vector<double> probabilities;
    for (std::size_t i = 0; i <= m_nearest.size(); ++i) {
        probabilities.push_back(static_cast<double>(scratch.row(0)[i]) / total);
    }
    return probabilities;
}

ExactStatistics DistanceProfile::at(const TruncatedExponential& mechanism, int draws,
                                    Scratch& scratch) const {
    const Shares shares = sharesAt(mechanism, scratch);
    const float* const weights = scratch.row(0);
    ExactStatistics result;
    result.kept = shares.kept;
    result.nw = draws * shares.kept;
    result.near = shares.near;
    double exponents = 0.0;
    for (std::int64_t i = 0; i < m_entries; ++i) {
        // Of one word of the entry.
        const double probability = static_cast<double>(weights[i]) * shares.kept;
        const auto words = static_cast<double>(m_values.row(count)[i]);
        const auto away = static_cast<double>(m_values.row(distance)[i]);
        result.sw += words * -std::expm1(draws * std::log1p(-std::min(probability, 1.0)));
        result.meanDistance += words * probability * away;
        exponents += words * probability * mechanism.exponent(away);
        result.beyond += away >= mechanism.gamma() ? words * probability : 0.0;
        result.cosineSum += probability * static_cast<double>(m_values.row(cosine)[i]);
        result.cosineShare += probability * static_cast<double>(m_values.row(withVector)[i]);
    }
    if (m_values.row(withVector)[0] == 0.0F) {
        result.cosineSum = 0.0;
        result.cosineShare = 0.0;
    }
    result.minEntropy = -std::log2(shares.kept);
    result.shannonEntropy = result.minEntropy + exponents * std::numbers::log2e;
    result.relativeError = kProfileError;
    return result;
}

std::size_t DistanceProfile::bytes() const {
    return sizeof *this + m_nearest.capacity() * sizeof(engine::Row) +
           static_cast<std::size_t>(kValues * m_values.stride()) * sizeof(float);
}

}  // namespace epsilens::calibration
