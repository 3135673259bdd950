#include "core/release/envelope_table.h"

#include <algorithm>
#include <cmath>

#include "core/engine/aligned_matrix.h"
#include "core/engine/exponential_kernel.h"
#include "core/engine/score_kernel.h"

namespace epsilens::release {
namespace {

/// Weights are at most 1 and rows fewer than 2^31, so sums stay within 64 bits.
constexpr double kUnit = 0x1p32;
/// Covers the rounding of exponents and exponentials in float32: (6 x + 4) 2^-24 for exponents
/// x up to engine::kLargestExponent.
constexpr double kRoundedUp = 1.0 + 0x1p-14;
/// Exponents are formed in float32: a rate within its range only makes them smaller.
constexpr double kLargestRate = 0x1p64;

/// At least the weights of all words of each tile: exp(-x) of its bound, in float32.
engine::AlignedMatrix tileWeights(const mechanism::TruncatedExponential& mechanism,
                                  const float* tileBounds, std::int64_t tiles) {
    engine::AlignedMatrix weights(1, engine::paddedRowLength(tiles));
    const double rate = std::min(0.5 * mechanism.epsilon(), kLargestRate);
    const double cap = std::min(mechanism.cap(), static_cast<double>(engine::kLargestExponent));
    static_cast<void>(engine::exponentialWeights(tileBounds, nullptr, tiles,
                                                 static_cast<float>(rate), static_cast<float>(cap),
                                                 weights.row(0)));
    return weights;
}

}  // namespace

EnvelopeTable::EnvelopeTable(const engine::MetricSpace& space,
                             const mechanism::TruncatedExponential& mechanism, Row word,
                             const float* tileBounds)
    : m_word(word) {
    const std::int64_t tiles = engine::tileCount(space.wordCount());
    const engine::AlignedMatrix weights = tileWeights(mechanism, tileBounds, tiles);
    m_cumulated.reserve(static_cast<std::size_t>(tiles) + 1);
    auto sum = static_cast<std::uint64_t>(kUnit);
    m_cumulated.push_back(sum);
    for (std::int64_t tile = 0; tile < tiles; ++tile) {
        const double bound = static_cast<double>(weights.row(0)[tile]) * kRoundedUp;
        sum += static_cast<std::uint64_t>(engine::kTileWidth) *
               (static_cast<std::uint64_t>(bound * kUnit) + 1);
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
