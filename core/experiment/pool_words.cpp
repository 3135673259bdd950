#include "core/experiment/pool_words.h"

#include <algorithm>
#include <bit>
#include <map>
#include <numeric>
#include <utility>

#include "core/experiment/streams.h"

namespace epsilens::experiment {
namespace {

constexpr int kLeastDraws = 100;
constexpr int kMostDraws = 1024;

int drawsFor(std::size_t occurrences) {
    return occurrences <= kLeastDraws
               ? kLeastDraws
               : static_cast<int>(std::min<std::size_t>(std::bit_ceil(occurrences), kMostDraws));
}

}  // namespace

PoolWords::PoolWords(const TokenisedDocuments& words, const DrawPool& pool) {
    std::vector<std::pair<Row, std::uint32_t>> replaced;
    for (const std::int64_t document : pool.documents) {
        for (std::size_t place = words.begin(document); place < words.end(document); ++place) {
            if (words.isReplaced(place)) {
                replaced.emplace_back(words.rows()[place],
                                      static_cast<std::uint32_t>(m_places.size()));
            }
            m_places.push_back(place);
        }
        m_starts.push_back(m_places.size());
    }
    std::sort(replaced.begin(), replaced.end());
    m_occurrences.reserve(replaced.size());
    for (const auto& [row, word] : replaced) {
        if (m_rows.empty() || m_rows.back() != row) {
            m_rows.push_back(row);
            m_firstOfRow.push_back(m_occurrences.size());
        }
        m_occurrences.push_back(word);
    }
    m_firstOfRow.push_back(m_occurrences.size());
}

std::span<const std::uint32_t> PoolWords::occurrences(Row row) const {
    const auto found = std::lower_bound(m_rows.begin(), m_rows.end(), row);
    if (found == m_rows.end() || *found != row) {
        return {};
    }
    const auto index = static_cast<std::size_t>(found - m_rows.begin());
    return std::span(m_occurrences)
        .subspan(m_firstOfRow[index], m_firstOfRow[index + 1] - m_firstOfRow[index]);
}

std::vector<DrawBlock> drawBlocks(const TokenisedDocuments& words) {
    std::map<Row, std::size_t> counts;
    for (std::size_t place = 0; place < words.rows().size(); ++place) {
        if (words.isReplaced(place)) {
            ++counts[words.rows()[place]];
        }
    }
    std::vector<std::pair<Row, std::size_t>> falling(counts.begin(), counts.end());
    std::stable_sort(falling.begin(), falling.end(),
                     [](const auto& a, const auto& b) { return a.second > b.second; });
    std::vector<DrawBlock> blocks;
    for (std::size_t i = 0; i < falling.size(); ++i) {
        if (i % kWordsPerBlock == 0) {
            blocks.push_back({drawsFor(falling[i].second), {}});
        }
        blocks.back().words.push_back(falling[i].first);
    }
    return blocks;
}

std::vector<std::uint16_t> drawOrder(std::uint64_t seed, std::uint32_t pool, Row row, int draws,
                                     std::size_t count) {
    SeededStream stream({seed, kOrderStream, pool, static_cast<std::uint32_t>(row)});
    std::vector<std::uint16_t> order(static_cast<std::size_t>(draws));
    std::iota(order.begin(), order.end(), std::uint16_t{0});
    std::vector<std::uint16_t> taken;
    taken.reserve(count);
    while (taken.size() < count) {
        const std::size_t some = std::min(order.size(), count - taken.size());
        for (std::size_t i = 0; i < some; ++i) {
            std::swap(order[i], order[i + stream.below(order.size() - i)]);
            taken.push_back(order[i]);
        }
    }
    return taken;
}

}  // namespace epsilens::experiment
