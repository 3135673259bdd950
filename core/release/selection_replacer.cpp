#include "core/release/selection_replacer.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/operating_system_stream.h"
#include "core/base/parallel.h"
#include "core/engine/aligned_matrix.h"
#include "core/engine/exponential_kernel.h"
#include "core/engine/score_kernel.h"
#include "core/engine/tile_bounds.h"

namespace epsilens::release {
namespace {

/// Tables made by one task.
constexpr std::int64_t kTablesPerTask = 64;
/// Words drawn by one task.
constexpr std::size_t kWordsPerTask = 512;

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

/// Draws outputs of TEM for one word, exactly: in a table much smaller than the vocabulary, each
/// tile of words has an upper bound of its weights, as a whole number. A tile is drawn by these
/// numbers, a word of it at random, and taken with the ratio of its weight, formed in float64, to
/// the bound; else all is drawn anew. Derivation: release.md
class SelectionReplacer::EnvelopeTable {
public:
    /// tileBounds  of the word, as engine::TileBounds makes them
    EnvelopeTable(const engine::MetricSpace& space,
                  const mechanism::TruncatedExponential& mechanism, Row word,
                  const float* tileBounds);

    /// An output, by randomness of its own.
    [[nodiscard]] Row draw(const engine::MetricSpace& space,
                           const mechanism::TruncatedExponential& mechanism,
                           OperatingSystemStream& stream) const;

private:
    Row m_word;
    /// Entry 0 stands for the word itself, whose weight is 1; entry 1 + t for tile t. Each holds
    /// the sum of the bounds up to it, in units of 1 / kUnit.
    std::vector<std::uint64_t> m_cumulated{};
};

SelectionReplacer::EnvelopeTable::EnvelopeTable(const engine::MetricSpace& space,
                                                const mechanism::TruncatedExponential& mechanism,
                                                Row word, const float* tileBounds)
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

Row SelectionReplacer::EnvelopeTable::draw(const engine::MetricSpace& space,
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

std::size_t SelectionReplacer::bytesPerTable(const engine::MetricSpace& space) {
    return sizeof(EnvelopeTable) +
           sizeof(std::uint64_t) *
               (static_cast<std::size_t>(engine::tileCount(space.wordCount())) + 1);
}

SelectionReplacer::SelectionReplacer(engine::MetricSpace space,
                                     const mechanism::TruncatedExponential& mechanism,
                                     std::size_t cacheBytes)
    : m_space(std::move(space)),
      m_mechanism(mechanism),
      m_guarantee(mechanism.guarantee(m_space.metric())),
      m_mostTables(std::max<std::size_t>(1, cacheBytes / bytesPerTable(m_space))) {}

void SelectionReplacer::replace(std::span<const Row> words, std::span<Row> outputs, int threads,
                                const JobContext& job) {
    while (!words.empty() && !job.stopRequested()) {
        const std::size_t ready = prepare(words, threads, job);
        const std::size_t tasks = (ready + kWordsPerTask - 1) / kWordsPerTask;
        parallelFor(static_cast<std::int64_t>(tasks), threads, [&](std::int64_t task) {
            OperatingSystemStream stream;
            const std::size_t first = static_cast<std::size_t>(task) * kWordsPerTask;
            const std::size_t end = std::min(first + kWordsPerTask, ready);
            for (std::size_t i = first; i < end && !job.stopRequested(); ++i) {
                outputs[i] = m_tables.at(words[i]).table->draw(m_space, m_mechanism, stream);
            }
        });
        words = words.subspan(ready);
        outputs = outputs.subspan(ready);
    }
}

// Makes the tables of the first words, as many as fit at once, and returns their number; none of
// them when stopped.
std::size_t SelectionReplacer::prepare(std::span<const Row> words, int threads,
                                       const JobContext& job) {
    ++m_round;
    std::vector<Row> missing;
    std::size_t distinct = 0;
    std::size_t ready = 0;
    for (; ready < words.size(); ++ready) {
        const auto [found, isNew] = m_tables.try_emplace(words[ready]);
        if (!isNew && found->second.lastUse == m_round) {
            continue;
        }
        if (distinct == m_mostTables) {
            if (isNew) {
                m_tables.erase(found);
            }
            break;
        }
        ++distinct;
        found->second.lastUse = m_round;
        if (isNew) {
            missing.push_back(words[ready]);
        }
    }
    if (m_tables.size() > m_mostTables) {
        std::erase_if(m_tables, [&](const auto& one) { return one.second.lastUse != m_round; });
    }
    build(missing, threads, job);
    if (job.stopRequested()) {
        for (const Row word : missing) {
            m_tables.erase(word);
        }
        return 0;
    }
    return ready;
}

void SelectionReplacer::build(std::span<const Row> missing, int threads, const JobContext& job) {
    std::vector<std::unique_ptr<const EnvelopeTable>> tables(missing.size());
    const auto atOnce = static_cast<std::size_t>(engine::TileBounds::wordsAtOnce(m_space));
    for (std::size_t begin = 0; begin < missing.size() && !job.stopRequested(); begin += atOnce) {
        const auto words = missing.subspan(begin, std::min(atOnce, missing.size() - begin));
        const engine::TileBounds bounds(m_space, words, threads);
        forEachBlock(
            words.size(), kTablesPerTask, threads, job, [&](std::size_t first, std::size_t count) {
                for (std::size_t i = first; i < first + count; ++i) {
                    tables[begin + i] = std::make_unique<const EnvelopeTable>(
                        m_space, m_mechanism, words[i], bounds.of(static_cast<std::int64_t>(i)));
                }
            });
    }
    for (std::size_t i = 0; i < missing.size(); ++i) {
        m_tables[missing[i]].table = std::move(tables[i]);
    }
}

}  // namespace epsilens::release
