#include "core/text/nearest_spellings.h"

#include <algorithm>
#include <string>
#include <tuple>
#include <vector>

#include <catch2/catch.hpp>

#include "core/base/random_stream.h"
#include "tests/core/text/vocabulary_of.h"

using namespace epsilens;
using namespace epsilens::text;
using epsilens::embedding::Row;
using epsilens::embedding::Vocabulary;
using epsilens::test::vocabularyOf;

namespace {

std::vector<std::string> words(const Vocabulary& vocabulary, std::string_view word,
                               std::size_t count = 3) {
    std::vector<std::string> result;
    for (const Spelling& spelling : nearestSpellings(vocabulary, word, count)) {
        result.emplace_back(vocabulary.word(spelling.row));
    }
    return result;
}

using Words = std::vector<std::string>;

/// Optimal string alignment distance by its recurrence over the whole table.
int plainDistance(std::string_view a, std::string_view b) {
    std::vector<std::vector<int>> d(a.size() + 1, std::vector<int>(b.size() + 1));
    for (std::size_t i = 0; i <= a.size(); ++i) {
        for (std::size_t j = 0; j <= b.size(); ++j) {
            if (i == 0 || j == 0) {
                d[i][j] = static_cast<int>(i + j);
                continue;
            }
            d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1,
                                d[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
                d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
            }
        }
    }
    return d[a.size()][b.size()];
}

std::vector<Spelling> slowNearest(const Vocabulary& vocabulary, std::string_view word,
                                  std::size_t count) {
    const int limit = word.size() <= 5 ? 1 : word.size() <= 8 ? 2 : 3;
    std::vector<std::tuple<int, bool, Row>> all;
    for (Row row = 0; row < static_cast<Row>(vocabulary.size()); ++row) {
        const std::string_view other = vocabulary.word(row);
        const int distance = plainDistance(word, other);
        if (distance <= limit && distance < static_cast<int>(std::max(word.size(), other.size()))) {
            all.emplace_back(distance, other[0] != word[0], row);
        }
    }
    std::ranges::sort(all);
    std::vector<Spelling> result;
    for (std::size_t i = 0; i < std::min(count, all.size()); ++i) {
        result.push_back({std::get<2>(all[i]), std::get<0>(all[i])});
    }
    return result;
}

std::string randomWord(SeededStream& stream, std::size_t longest) {
    std::string word(1 + stream.below(longest), ' ');
    for (char& letter : word) {
        letter = static_cast<char>('a' + stream.below(4));
    }
    return word;
}

}  // namespace

// Hand-made; each edit is counted in the comment.
TEST_CASE("Nearest spellings") {
    const Vocabulary vocabulary = vocabularyOf({"relieve", "receive", "deceive", "harbour", "the"});
    const std::vector<Spelling> found = nearestSpellings(vocabulary, "recieve");
    // ei/ie exchanged: 1. c to l: 1, same first letter, lower row. deceive: exchange and r to d: 2.
    CHECK(found == std::vector<Spelling>{{0, 1}, {1, 1}, {2, 2}});
    CHECK(words(vocabulary, "harbor") == Words{"harbour"});
    CHECK(words(vocabulary, "hte") == Words{"the"});
    CHECK(words(vocabulary, "xylophone").empty());
    CHECK(words(vocabulary, "recieve", 1) == Words{"relieve"});
    CHECK(words(vocabulary, "recieve", 0).empty());
    // Two letters of five are another word, two of six a slip.
    CHECK(words(vocabularyOf({"horse", "house"}), "hxuxe").empty());
    CHECK(words(vocabularyOf({"houses"}), "hxuxes") == Words{"houses"});
}

TEST_CASE("The first letter decides between equals, then the row") {
    const Vocabulary vocabulary = vocabularyOf({"bold", "sold", "cold", "golf", "gold", "goad"});
    CHECK(words(vocabulary, "gald") == Words{"gold"});
    CHECK(words(vocabulary, "gold") == Words{"gold", "golf", "goad"});
    CHECK(words(vocabulary, "vold") == Words{"bold", "sold", "cold"});
}

TEST_CASE("Letter case costs nothing, characters count and not bytes") {
    const Vocabulary vocabulary = vocabularyOf({"Paris", "naïve", "über", "東京"});
    CHECK(nearestSpellings(vocabulary, "PARIS") == std::vector<Spelling>{{0, 0}});
    CHECK(nearestSpellings(vocabulary, "naive") == std::vector<Spelling>{{1, 1}});
    CHECK(nearestSpellings(vocabulary, "ÜBR") == std::vector<Spelling>{{2, 1}});
    CHECK(nearestSpellings(vocabulary, "東") == std::vector<Spelling>{{3, 1}});
}

TEST_CASE("A suggestion keeps something of the word") {
    CHECK(words(vocabularyOf({"a", "b", "xb"}), "x") == Words{"xb"});
}

TEST_CASE("Nothing is suggested for what is no word") {
    const Vocabulary vocabulary = vocabularyOf({"a", std::string(64, 'a'), std::string(65, 'a')});
    CHECK(words(vocabulary, "").empty());
    CHECK(words(vocabulary, "\xff").empty());
    CHECK(words(vocabulary, std::string(65, 'a')).empty());
    CHECK(nearestSpellings(vocabulary, std::string(63, 'a') + "b") ==
          std::vector<Spelling>{{1, 1}});
    CHECK(words(Vocabulary{}, "word").empty());
}

// Fast path against the recurrence; four letters make near words and exchanges common.
TEST_CASE("The search finds what comparing by the recurrence finds") {
    SeededStream stream({11, StreamPurpose::wordSelection, 4, 0});
    for (int round = 0; round < 200; ++round) {
        const std::size_t longest = 1 + stream.below(14);
        Vocabulary vocabulary;
        for (int i = 0; i < 60; ++i) {
            vocabulary.add(randomWord(stream, longest));
        }
        for (int i = 0; i < 5; ++i) {
            const std::string word = randomWord(stream, longest + 1);
            CAPTURE(round, word);
            REQUIRE(nearestSpellings(vocabulary, word) == slowNearest(vocabulary, word, 3));
        }
    }
}
