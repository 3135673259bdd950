#include "core/text/nearest_spellings.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <numeric>
#include <string>
#include <tuple>

#include <unicode/uchar.h>

#include "core/text/characters.h"

namespace epsilens::text {

namespace {

using embedding::Row;

constexpr std::size_t kLongestWord = 64;

/// The characters of a word in one letter case; none if there are more than `longest` or it is no
/// UTF-8.
void fold(std::string_view word, std::size_t longest, std::u32string& folded) {
    folded.clear();
    for (std::size_t at = 0; at < word.size();) {
        const Character character = decode(word, at);
        if (!character.valid || folded.size() == longest) {
            folded.clear();
            return;
        }
        folded += static_cast<char32_t>(
            u_foldCase(static_cast<UChar32>(character.codePoint), U_FOLD_CASE_DEFAULT));
        at = character.end;
    }
}

/// One bit for each character, of a set too small for all: different bits mean different
/// characters.
std::uint64_t lettersOf(std::u32string_view word) {
    std::uint64_t letters = 0;
    for (const char32_t character : word) {
        letters |= std::uint64_t{1} << (character & 63U);
    }
    return letters;
}

/// Optimal string alignment distance of two words of at most 64 characters, by its recurrence.
int editDistance(std::u32string_view a, std::u32string_view b) {
    using Line = std::array<int, kLongestWord + 1>;  ///< distances of a begin of a to those of b
    std::array<Line, 3> lines;
    std::iota(lines[0].begin(), lines[0].end(), 0);
    for (std::size_t i = 1; i <= a.size(); ++i) {
        const Line& before = lines[(i + 1) % 3];
        const Line& last = lines[(i + 2) % 3];
        Line& line = lines[i % 3];
        line[0] = static_cast<int>(i);
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const int other = a[i - 1] == b[j - 1] ? 0 : 1;
            line[j] = std::min({last[j] + 1, line[j - 1] + 1, last[j - 1] + other});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
                line[j] = std::min(line[j], before[j - 2] + 1);
            }
        }
    }
    return lines[a.size() % 3][b.size()];
}

int largestDistance(std::size_t characters) {
    // Two letters of five make another word more often than the one that was meant.
    if (characters <= 5) {
        return 1;
    }
    return characters <= 8 ? 2 : 3;
}

}  // namespace

std::vector<Spelling> nearestSpellings(const embedding::Vocabulary& vocabulary,
                                       std::string_view word, std::size_t count) {
    std::u32string wanted;
    fold(word, kLongestWord, wanted);
    if (count == 0 || wanted.empty()) {
        return {};
    }
    const std::uint64_t letters = lettersOf(wanted);
    int limit = largestDistance(wanted.size());
    /// Distance, whether the first letter is another, row; ascending.
    std::vector<std::tuple<int, bool, Row>> best;
    std::u32string other;
    for (Row row = 0; row < static_cast<Row>(vocabulary.size()); ++row) {
        const std::size_t most = static_cast<std::size_t>(limit);
        fold(vocabulary.word(row), std::min(wanted.size() + most, kLongestWord), other);
        if (other.empty() || other.size() + most < wanted.size()) {
            continue;
        }
        const std::uint64_t others = lettersOf(other);
        if (std::popcount(letters & ~others) > limit || std::popcount(others & ~letters) > limit) {
            continue;
        }
        const int distance = editDistance(wanted, other);
        if (distance > limit ||
            distance == static_cast<int>(std::max(wanted.size(), other.size()))) {
            continue;
        }
        const std::tuple candidate(distance, other[0] != wanted[0], row);
        best.insert(std::ranges::upper_bound(best, candidate), candidate);
        if (best.size() > count) {
            best.pop_back();
        }
        if (best.size() == count) {
            limit = std::get<0>(best.back());
        }
    }
    std::vector<Spelling> spellings;
    spellings.reserve(best.size());
    for (const auto& [distance, isOtherLetter, row] : best) {
        spellings.push_back({row, distance});
    }
    return spellings;
}

}  // namespace epsilens::text
