#include "core/experiment/attack/bigrams.h"

#include <algorithm>
#include <utility>

namespace epsilens::experiment {
namespace {

using Pair = std::pair<Row, Row>;

std::vector<Pair> sortedPairs(std::span<const Row> tokens, std::span<const std::int64_t> lineEnds,
                              Row words) {
    const auto isKnown = [&](Row row) { return row >= 0 && row < words; };
    std::vector<Pair> pairs;
    std::int64_t begin = 0;
    for (const std::int64_t end : lineEnds) {
        for (std::int64_t token = begin + 1; token < end; ++token) {
            const Row first = tokens[static_cast<std::size_t>(token - 1)];
            const Row second = tokens[static_cast<std::size_t>(token)];
            if (isKnown(first) && isKnown(second)) {
                pairs.emplace_back(first, second);
            }
        }
        begin = end;
    }
    std::sort(pairs.begin(), pairs.end());
    return pairs;
}

}  // namespace

Bigrams::Bigrams(std::span<const Row> tokens, std::span<const std::int64_t> lineEnds, Row words)
    : m_begins(static_cast<std::size_t>(words) + 1), m_totals(static_cast<std::size_t>(words)) {
    Pair previous{kUnknownWord, kUnknownWord};
    for (const Pair& pair : sortedPairs(tokens, lineEnds, words)) {
        if (pair != previous) {
            m_followers.push_back({pair.second, 0});
            ++m_begins[static_cast<std::size_t>(pair.first) + 1];
        }
        ++m_followers.back().count;
        ++m_totals[static_cast<std::size_t>(pair.first)];
        previous = pair;
    }
    for (std::size_t word = 1; word < m_begins.size(); ++word) {
        m_begins[word] += m_begins[word - 1];
    }
}

std::span<const Bigrams::Follower> Bigrams::after(Row word) const {
    const std::size_t begin = m_begins[static_cast<std::size_t>(word)];
    return std::span(m_followers)
        .subspan(begin, m_begins[static_cast<std::size_t>(word) + 1] - begin);
}

}  // namespace epsilens::experiment
