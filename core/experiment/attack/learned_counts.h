#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "core/experiment/attack/attacked_text.h"
#include "core/experiment/attack/learned_attack.h"

namespace epsilens::experiment {

/// The best of some guesses, the lowest row of equal ones.
struct Candidate {
    double score = -std::numeric_limits<double>::infinity();
    Row word = kUnknownWord;

    void improve(double otherScore, Row otherWord) {
        if (otherScore > score || (otherScore == score && otherWord < word)) {
            score = otherScore;
            word = otherWord;
        }
    }
};

/// How often each output came from each word in the draws that an attacker learns from.
class LearnedCounts {
public:
    struct Entry {
        Row word = 0;
        int count = 0;
    };

    LearnedCounts(const LearningDraws& learning, Row words)
        : m_draws(learning.draws), m_isLearned(static_cast<std::size_t>(words)) {
        std::vector<std::pair<Row, Row>> pairs;  // output, word
        for (std::size_t i = 0; i < learning.outputs.size(); ++i) {
            pairs.emplace_back(learning.outputs[i],
                               learning.words[i / static_cast<std::size_t>(learning.draws)]);
        }
        std::sort(pairs.begin(), pairs.end());
        m_begins.resize(static_cast<std::size_t>(words) + 1);
        for (std::size_t i = 0; i < pairs.size(); ++i) {
            if (i == 0 || pairs[i] != pairs[i - 1]) {
                m_entries.push_back({pairs[i].second, 0});
                ++m_begins[static_cast<std::size_t>(pairs[i].first) + 1];
            }
            ++m_entries.back().count;
        }
        std::partial_sum(m_begins.begin(), m_begins.end(), m_begins.begin());
        for (const Row word : learning.words) {
            m_isLearned[static_cast<std::size_t>(word)] = 1;
        }
    }

    [[nodiscard]] double draws() const { return m_draws; }
    [[nodiscard]] bool isLearned(Row word) const {
        return m_isLearned[static_cast<std::size_t>(word)] != 0;
    }
    [[nodiscard]] std::span<const Entry> of(Row output) const {
        const std::size_t begin = m_begins[static_cast<std::size_t>(output)];
        return std::span(m_entries).subspan(begin,
                                            m_begins[static_cast<std::size_t>(output) + 1] - begin);
    }
    [[nodiscard]] int of(Row output, Row word) const {
        const std::span<const Entry> entries = of(output);
        const auto found =
            std::lower_bound(entries.begin(), entries.end(), word,
                             [](const Entry& entry, Row wanted) { return entry.word < wanted; });
        return found != entries.end() && found->word == word ? found->count : 0;
    }

private:
    double m_draws;
    std::vector<std::uint8_t> m_isLearned;
    std::vector<Entry> m_entries{};
    std::vector<std::size_t> m_begins{};
};

}  // namespace epsilens::experiment
