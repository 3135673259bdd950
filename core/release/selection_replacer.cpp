#include "core/release/selection_replacer.h"

#include <algorithm>
#include <utility>

#include "core/base/operating_system_stream.h"
#include "core/base/parallel.h"
#include "core/engine/tile_bounds.h"
#include "core/release/word_blocks.h"

namespace epsilens::release {
namespace {

/// Tables made by one task.
constexpr std::int64_t kTablesPerTask = 64;
/// Words drawn by one task.
constexpr std::size_t kWordsPerTask = 512;

}  // namespace

SelectionReplacer::SelectionReplacer(engine::MetricSpace space,
                                     const mechanism::TruncatedExponential& mechanism,
                                     std::size_t cacheBytes)
    : m_space(std::move(space)),
      m_mechanism(mechanism),
      m_guarantee(mechanism.guarantee(m_space.metric())),
      m_mostTables(std::max<std::size_t>(1, cacheBytes / EnvelopeTable::bytesFor(m_space))) {}

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
        dropOldest(m_tables.size() - m_mostTables);
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

void SelectionReplacer::dropOldest(std::size_t count) {
    std::vector<std::pair<std::uint64_t, Row>> byUse;
    byUse.reserve(m_tables.size());
    for (const auto& [word, cached] : m_tables) {
        byUse.emplace_back(cached.lastUse, word);
    }
    const auto end = byUse.begin() + static_cast<std::ptrdiff_t>(count);
    std::nth_element(byUse.begin(), end - 1, byUse.end());
    std::for_each(byUse.begin(), end, [&](const auto& one) { m_tables.erase(one.second); });
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
