#include "core/training/epoch_schedule.h"

#include <algorithm>
#include <numeric>

namespace epsilens::training {
namespace {

/// Draws beyond those wanted before the negatives are listed instead.
constexpr int kTriesPerNegative = 8;

bool contains(std::span<const Row> rows, Row row) {
    return std::ranges::find(rows, row) != rows.end();
}

constexpr int kMostMatches = 16;
/// Below these a match takes about as long as starting it, or chooses its negatives among few.
constexpr std::size_t kFewestPairsPerMatch = 200;
constexpr Row kFewestNodesPerMatch = 128;

}  // namespace

void NegativeSampler::draw(Row child, const Urn& urn, const Urn& nodes, int wanted,
                           IndexStream& stream, std::vector<Row>& targets) {
    const std::size_t others = targets.size();
    const std::size_t full = others + static_cast<std::size_t>(wanted);
    const auto drawn = [&] { return std::span(targets).subspan(others); };
    const std::size_t first = urn[0].size();
    const auto entries = static_cast<std::uint32_t>(first + urn[1].size());
    for (int tries = kTriesPerNegative * wanted; tries > 0 && targets.size() < full; --tries) {
        const std::size_t entry = stream.below(entries);
        const Row node = entry < first ? urn[0][entry] : urn[1][entry - first];
        if (isNegative(child, node) && !contains(drawn(), node)) {
            targets.push_back(node);
        }
    }
    if (targets.size() == full) {
        return;
    }
    m_left.clear();
    for (const std::span<const Row> part : nodes) {
        std::ranges::copy_if(part, std::back_inserter(m_left), [&](Row node) {
            return isNegative(child, node) && !contains(drawn(), node);
        });
    }
    while (targets.size() < full && !m_left.empty()) {
        const std::size_t index = stream.below(static_cast<std::uint32_t>(m_left.size()));
        targets.push_back(m_left[index]);
        m_left[index] = m_left.back();
        m_left.pop_back();
    }
}

int EpochSchedule::matchesFor(Row nodes, std::size_t pairs) {
    int matches = kMostMatches;
    const auto tooMany = [&](int count) {
        const std::size_t groups =
            static_cast<std::size_t>(count) * (2U * static_cast<std::size_t>(count) - 1U);
        return nodes / count < kFewestNodesPerMatch || pairs / groups < kFewestPairsPerMatch;
    };
    while (matches > 1 && tooMany(matches)) {
        matches /= 2;
    }
    return matches;
}

EpochSchedule::EpochSchedule(Row nodes, std::span<const IsAPair> pairs, int matches,
                             std::uint64_t seed)
    : m_pairs(pairs),
      m_matches(matches),
      m_seed(seed),
      m_nodes(static_cast<std::size_t>(nodes)),
      m_blockOf(m_nodes.size()),
      m_groupOf(pairs.size()),
      m_dealt(pairs.size()) {
    const int others = blocks() - 1;
    const auto count = static_cast<std::size_t>(blocks());
    m_meeting.resize(count * count);
    m_own.resize(static_cast<std::size_t>(rounds()) * count);
    for (int round = 0; round < rounds(); ++round) {
        for (int index = 0; index < m_matches; ++index) {
            // The last block stays in its seat, the others move on by one in every round.
            const int first = index == 0 ? others : (round + index) % others;
            const int second = (round - index + others) % others;
            const auto group = static_cast<std::uint16_t>(groupOf(round, index));
            m_tournament.push_back({first, second, {}});
            const auto a = static_cast<std::size_t>(first);
            const auto b = static_cast<std::size_t>(second);
            m_meeting[a * count + b] = m_meeting[b * count + a] = group;
            m_own[static_cast<std::size_t>(round) * count + a] = group;
            m_own[static_cast<std::size_t>(round) * count + b] = group;
        }
    }
    m_begins.resize(m_tournament.size() + 1);
}

void EpochSchedule::deal(std::uint32_t epoch) {
    IndexStream stream({m_seed, StreamPurpose::trainingSchedule, epoch, 0});
    std::iota(m_nodes.begin(), m_nodes.end(), Row{0});
    stream.shuffle(std::span(m_nodes));
    for (int block = 0; block < blocks(); ++block) {
        for (std::size_t i = firstNodeOf(block); i < firstNodeOf(block + 1); ++i) {
            m_blockOf[static_cast<std::size_t>(m_nodes[i])] = static_cast<std::uint8_t>(block);
        }
    }
    const auto count = static_cast<std::size_t>(blocks());
    std::ranges::fill(m_begins, 0);
    for (std::size_t i = 0; i < m_pairs.size(); ++i) {
        const std::size_t first = m_blockOf[static_cast<std::size_t>(m_pairs[i].child)];
        const std::size_t second = m_blockOf[static_cast<std::size_t>(m_pairs[i].parent)];
        m_groupOf[i] =
            first != second
                ? m_meeting[first * count + second]
                : m_own[stream.below(static_cast<std::uint32_t>(rounds())) * count + first];
        ++m_begins[m_groupOf[i] + 1U];
    }
    std::partial_sum(m_begins.begin(), m_begins.end(), m_begins.begin());
    std::vector<std::size_t> next(m_begins.begin(), m_begins.end() - 1);
    for (std::size_t i = 0; i < m_pairs.size(); ++i) {
        m_dealt[next[m_groupOf[i]]++] = m_pairs[i];
    }
}

std::size_t EpochSchedule::firstNodeOf(int block) const {
    return m_nodes.size() * static_cast<std::size_t>(block) / static_cast<std::size_t>(blocks());
}

EpochSchedule::Match EpochSchedule::match(int round, int index) {
    const std::size_t group = groupOf(round, index);
    Match match = m_tournament[group];
    match.pairs =
        std::span(m_dealt).subspan(m_begins[group], m_begins[group + 1] - m_begins[group]);
    return match;
}

}  // namespace epsilens::training
