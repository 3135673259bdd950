#include "core/release/envelope_table.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/engine/distance_error.h"
#include "core/engine/score_kernel.h"

namespace epsilens::release {
namespace {

/// Weights are at most 1 and rows fewer than 2^31, so sums stay within 64 bits.
constexpr double kUnit = 0x1p32;
/// Covers the rounding of an exponential and of the products around it.
constexpr double kRoundedUp = 1.0 + 0x1p-40;

/// At or below the true distance of a word whose computed one is given; infinite if that is.
double leastTrue(float computed, double error) {
    if (!std::isfinite(computed)) {
        return std::numeric_limits<double>::infinity();
    }
    const auto distance = static_cast<double>(computed);
    return std::max(0.0, distance - engine::kDistanceRounding * distance - error);
}

/// Least computed distance of a tile, without the word itself.
float leastOther(const engine::MetricRow& row, std::int64_t tile, std::int64_t words) {
    float least = std::numeric_limits<float>::infinity();
    const std::int64_t end = std::min((tile + 1) * engine::kTileWidth, words);
    for (std::int64_t other = tile * engine::kTileWidth; other < end; ++other) {
        if (other != row.word) {
            least = std::min(least, row.distances[other]);
        }
    }
    return least;
}

}  // namespace

EnvelopeTable::EnvelopeTable(const engine::MetricSpace& space,
                             const mechanism::TruncatedExponential& mechanism,
                             const engine::MetricRow& row)
    : m_word(row.word) {
    const std::int64_t words = space.wordCount();
    const std::int64_t tiles = engine::tileCount(words);
    m_cumulated.reserve(static_cast<std::size_t>(tiles) + 1);
    auto sum = static_cast<std::uint64_t>(kUnit);
    m_cumulated.push_back(sum);
    for (std::int64_t tile = 0; tile < tiles; ++tile) {
        const double distance = leastTrue(leastOther(row, tile, words), row.distanceError);
        const double bound = std::exp(-mechanism.exponent(distance)) * kRoundedUp;
        sum += static_cast<std::uint64_t>(engine::kTileWidth) *
               static_cast<std::uint64_t>(std::ceil(bound * kUnit));
        m_cumulated.push_back(sum);
    }
}

std::size_t EnvelopeTable::bytesFor(const engine::MetricSpace& space) {
    return sizeof(EnvelopeTable) +
           sizeof(std::uint64_t) *
               (static_cast<std::size_t>(engine::tileCount(space.wordCount())) + 1);
}

Row EnvelopeTable::draw(const engine::MetricSpace& space,
                        const mechanism::TruncatedExponential& mechanism,
                        OperatingSystemStream& stream) const {
    while (true) {
        const std::uint64_t place = stream.below(m_cumulated.back());
        const auto found = std::upper_bound(m_cumulated.begin(), m_cumulated.end(), place);
        if (found == m_cumulated.begin()) {
            return m_word;
        }
        // What is left within the tile is uniform: it names the word and, behind it, the chance.
        const std::uint64_t within = place - *(found - 1);
        const std::uint64_t bound =
            (*found - *(found - 1)) / static_cast<std::uint64_t>(engine::kTileWidth);
        const std::int64_t tile = found - m_cumulated.begin() - 1;
        const std::int64_t other =
            tile * engine::kTileWidth + static_cast<std::int64_t>(within / bound);
        if (other >= space.wordCount() || other == m_word) {
            continue;
        }
        const double weight =
            std::exp(-mechanism.exponent(space.distance(m_word, static_cast<Row>(other))));
        if (stream.uniform() * static_cast<double>(bound) < weight * kUnit) {
            return static_cast<Row>(other);
        }
    }
}

}  // namespace epsilens::release
