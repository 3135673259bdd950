#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/experiment/attack/attacked_text.h"

namespace epsilens::experiment {

/// How often each known word follows each other one within a line of a text. Pairs with an unknown
/// word do not count.
class Bigrams {
public:
    struct Follower {
        Row row = 0;
        std::int64_t count = 0;
    };

    Bigrams() = default;
    /// tokens    rows of a vocabulary of V words; others are unknown words
    /// lineEnds  end of each line in tokens, rising
    /// words     V
    Bigrams(std::span<const Row> tokens, std::span<const std::int64_t> lineEnds, Row words);

    [[nodiscard]] Row words() const { return static_cast<Row>(m_totals.size()); }
    /// The words that follow a word, ascending.
    [[nodiscard]] std::span<const Follower> after(Row word) const;
    /// How often any known word follows it: the sum of the counts above.
    [[nodiscard]] std::int64_t total(Row word) const {
        return m_totals[static_cast<std::size_t>(word)];
    }
    /// Number of different pairs.
    [[nodiscard]] std::int64_t pairs() const {
        return static_cast<std::int64_t>(m_followers.size());
    }

private:
    std::vector<Follower> m_followers{};  ///< of all words, one after the other
    std::vector<std::size_t> m_begins{};  ///< V + 1
    std::vector<std::int64_t> m_totals{};
};

}  // namespace epsilens::experiment
