#include "core/text/nearest_spellings.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <tuple>
#include <utility>

#include <unicode/uchar.h>

#include "core/base/ascii.h"
#include "core/text/characters.h"

namespace epsilens::text {

namespace {

constexpr std::size_t kLongestWord = 64;
constexpr std::size_t kTableSize = 256;

char32_t folded(char32_t codePoint) {
    if (codePoint < 0x80) {
        return static_cast<char32_t>(asciiLower(static_cast<char>(codePoint)));
    }
    return static_cast<char32_t>(u_foldCase(static_cast<UChar32>(codePoint), U_FOLD_CASE_DEFAULT));
}

/// Folded characters of a word of at most kLongestWord; nothing if it is longer or no UTF-8.
struct FoldedWord {
    std::array<char32_t, kLongestWord> characters{};
    std::size_t size = 0;

    bool assign(std::string_view word);
};

bool FoldedWord::assign(std::string_view word) {
    size = 0;
    for (std::size_t at = 0; at < word.size();) {
        const Character character = decode(word, at);
        if (!character.valid || size == kLongestWord) {
            return false;
        }
        characters[size++] = folded(character.codePoint);
        at = character.end;
    }
    return true;
}

/// One bit for each character, of a set too small for all: different bits mean different
/// characters.
std::uint64_t bitOf(char32_t character) {
    return std::uint64_t{1} << (character & 63U);
}

/// Optimal string alignment distance from one fixed word of at most 64 characters, by whole columns
/// of the dynamic program in one machine word.
/// Source: Hyyrö 2003, "A bit-vector algorithm for computing Levenshtein and Damerau edit
/// distances".
class EditDistance {
public:
    explicit EditDistance(const FoldedWord& pattern);

    /// The distance, or something above `limit` where it is above.
    [[nodiscard]] int to(const FoldedWord& word, int limit) const;

private:
    [[nodiscard]] std::uint64_t matches(char32_t character) const;

    std::array<std::uint64_t, kTableSize> m_table{};  ///< bit i: pattern[i] is this character
    std::vector<std::pair<char32_t, std::uint64_t>> m_others;
    std::size_t m_size;
};

EditDistance::EditDistance(const FoldedWord& pattern) : m_size(pattern.size) {
    for (std::size_t i = 0; i < m_size; ++i) {
        const char32_t character = pattern.characters[i];
        const std::uint64_t bit = std::uint64_t{1} << i;
        if (character < kTableSize) {
            m_table[character] |= bit;
        } else {
            m_others.emplace_back(character, bit);
        }
    }
}

std::uint64_t EditDistance::matches(char32_t character) const {
    if (character < kTableSize) {
        return m_table[character];
    }
    std::uint64_t bits = 0;
    for (const auto& [other, bit] : m_others) {
        bits |= other == character ? bit : 0;
    }
    return bits;
}

int EditDistance::to(const FoldedWord& word, int limit) const {
    const std::uint64_t lastBit = std::uint64_t{1} << (m_size - 1);
    std::uint64_t positive = ~std::uint64_t{0};  // vertical differences of +1
    std::uint64_t negative = 0;                  // and of -1
    std::uint64_t zero = 0;                      // diagonal differences of 0
    std::uint64_t previousMatches = 0;
    int distance = static_cast<int>(m_size);
    for (std::size_t i = 0; i < word.size; ++i) {
        const std::uint64_t match = matches(word.characters[i]);
        const std::uint64_t exchanged = ((~zero & match) << 1) & previousMatches;
        zero = (((match & positive) + positive) ^ positive) | match | negative | exchanged;
        std::uint64_t right = negative | ~(zero | positive);
        std::uint64_t left = zero & positive;
        distance += (right & lastBit) != 0 ? 1 : 0;
        distance -= (left & lastBit) != 0 ? 1 : 0;
        if (distance - static_cast<int>(word.size - 1 - i) > limit) {
            return limit + 1;
        }
        right = (right << 1) | 1U;
        left <<= 1;
        positive = left | ~(zero | right);
        negative = right & zero;
        previousMatches = match;
    }
    return distance;
}

int largestDistance(std::size_t characters) {
    // Two letters of five make another word more often than the one that was meant.
    if (characters <= 5) {
        return 1;
    }
    return characters <= 8 ? 2 : 3;
}

struct Candidate {
    Spelling spelling{};
    bool otherFirstLetter = false;

    [[nodiscard]] bool operator<(const Candidate& other) const {
        return std::tie(spelling.distance, otherFirstLetter, spelling.row) <
               std::tie(other.spelling.distance, other.otherFirstLetter, other.spelling.row);
    }
};

/// One search: looks at all words, cheapest tests first.
class Search {
public:
    Search(const FoldedWord& wanted, std::size_t count)
        : m_wanted(wanted),
          m_distance(wanted),
          m_count(count),
          m_limit(largestDistance(wanted.size)) {
        for (std::size_t i = 0; i < wanted.size; ++i) {
            m_letters |= bitOf(wanted.characters[i]);
        }
        m_best.reserve(count + 1);
    }

    void lookAt(embedding::Row row, std::string_view word);
    [[nodiscard]] std::vector<Spelling> best() const;

private:
    [[nodiscard]] bool tooFar(std::string_view word) const;
    void keep(const Candidate& candidate);

    const FoldedWord& m_wanted;
    EditDistance m_distance;
    std::size_t m_count;
    int m_limit;
    std::uint64_t m_letters = 0;
    FoldedWord m_word{};
    std::vector<Candidate> m_best;
};

/// Tests that need no alignment. A character takes one to four bytes.
bool Search::tooFar(std::string_view word) const {
    const std::size_t limit = static_cast<std::size_t>(m_limit);
    return word.size() + limit < m_wanted.size || word.size() > 4 * (m_wanted.size + limit);
}

void Search::lookAt(embedding::Row row, std::string_view word) {
    if (tooFar(word) || !m_word.assign(word) || m_word.size == 0) {
        return;
    }
    std::uint64_t letters = 0;
    for (std::size_t i = 0; i < m_word.size; ++i) {
        letters |= bitOf(m_word.characters[i]);
    }
    const std::size_t longer = std::max(m_word.size, m_wanted.size);
    const std::size_t shorter = std::min(m_word.size, m_wanted.size);
    if (longer - shorter > static_cast<std::size_t>(m_limit) ||
        std::popcount(m_letters & ~letters) > m_limit ||
        std::popcount(letters & ~m_letters) > m_limit) {
        return;
    }
    const int distance = m_distance.to(m_word, m_limit);
    if (distance <= m_limit && distance < static_cast<int>(longer)) {
        keep({{row, distance}, m_word.characters[0] != m_wanted.characters[0]});
    }
}

void Search::keep(const Candidate& candidate) {
    m_best.insert(std::upper_bound(m_best.begin(), m_best.end(), candidate), candidate);
    if (m_best.size() > m_count) {
        m_best.pop_back();
    }
    if (m_best.size() == m_count) {
        m_limit = m_best.back().spelling.distance;
    }
}

std::vector<Spelling> Search::best() const {
    std::vector<Spelling> spellings;
    spellings.reserve(m_best.size());
    for (const Candidate& candidate : m_best) {
        spellings.push_back(candidate.spelling);
    }
    return spellings;
}

}  // namespace

std::vector<Spelling> nearestSpellings(const embedding::Vocabulary& vocabulary,
                                       std::string_view word, std::size_t count) {
    FoldedWord wanted;
    if (count == 0 || !wanted.assign(word) || wanted.size == 0) {
        return {};
    }
    Search search(wanted, count);
    const auto words = static_cast<embedding::Row>(vocabulary.size());
    for (embedding::Row row = 0; row < words; ++row) {
        search.lookAt(row, vocabulary.word(row));
    }
    return search.best();
}

}  // namespace epsilens::text
