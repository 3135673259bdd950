#include "core/embedding/vocabulary.h"

#include <stdexcept>
#include <string>

#include <catch2/catch.hpp>

#include "core/embedding/word_list.h"
#include "tests/support/refusal.h"
#include "tests/support/temporary_folder.h"

using namespace epsilens::embedding;
using namespace epsilens;
using test::TemporaryFolder;

TEST_CASE("A vocabulary gives rows to words and words to rows") {
    Vocabulary words;
    CHECK(words.size() == 0);
    CHECK_FALSE(words.find("a"));
    CHECK(words.add("alpha") == 0);
    CHECK(words.add("beta") == 1);
    CHECK_FALSE(words.add("alpha"));
    CHECK(words.size() == 2);
    CHECK(words.word(0) == "alpha");
    CHECK(words.word(1) == "beta");
    CHECK(words.find("beta") == 1);
    CHECK_FALSE(words.find("bet"));
}

TEST_CASE("A vocabulary keeps thousands of words apart while it grows") {
    constexpr Row kWords = 20'000;
    Vocabulary words;
    if (GENERATE(false, true)) {
        words.reserve(kWords, 6 * kWords);
    }
    for (Row row = 0; row < kWords; ++row) {
        REQUIRE(words.add("w" + std::to_string(row)) == row);
    }
    for (Row row = 0; row < kWords; ++row) {
        const std::string word = "w" + std::to_string(row);
        REQUIRE(words.word(row) == word);
        REQUIRE(words.find(word) == row);
        REQUIRE_FALSE(words.add(word));
    }
    CHECK_FALSE(words.find("w20000"));
}

TEST_CASE("The empty word and words with zero bytes are words like others") {
    Vocabulary words;
    CHECK(words.add("") == 0);
    CHECK(words.add(std::string_view("a\0b", 3)) == 1);
    CHECK(words.add("a") == 2);
    CHECK(words.find("") == 0);
    CHECK(words.word(1).size() == 3);
}

TEST_CASE("A vocabulary refuses rows that it does not have") {
    Vocabulary words;
    CHECK_THROWS_AS(words.word(0), std::logic_error);
    REQUIRE(words.add("alpha") == 0);
    CHECK_THROWS_AS(words.word(1), std::logic_error);
    CHECK_THROWS_AS(words.word(-1), std::logic_error);
}

TEST_CASE("A list of words: blanks, blank lines and repetitions do not count") {
    const TemporaryFolder folder;
    const std::string path = folder.file("words.txt", "  sea \r\n\n\t\nnew york\nsea\nlast");
    const auto list = readWordList(path).value();
    REQUIRE(list.size() == 3);
    CHECK(list.word(0) == "sea");
    CHECK(list.word(1) == "new york");
    CHECK(list.word(2) == "last");
}

TEST_CASE("A list without a word is refused, with its name") {
    const TemporaryFolder folder;
    const std::string path = folder.file("none.txt", " \n\r\n");
    const Error error = test::checkRefused(readWordList(path), ErrorCode::badFile);
    CHECK(error.file == path);
}

TEST_CASE("A list of more words than memory has room for is refused, with its name") {
    const TemporaryFolder folder;
    std::string words;
    for (int word = 0; word < 100'000; ++word) {
        words += std::to_string(word) + "\n";
    }
    const std::string path = folder.file("words.txt", words);
    // Text, ends and slots of 100,000 words take more than 5 + 8 + 4 bytes each.
    const Error error = test::checkRefused(readWordList(path, {}, 1'700'000),
                                           ErrorCode::resourceLimit, "use a shorter list");
    CHECK(error.file == path);
    CHECK(readWordList(path, {}, 100'000'000));
}

TEST_CASE("Words of a list are looked up as they are written, in the order of the list") {
    Vocabulary vocabulary;
    for (const auto* word : {"sea", "lake", "pond", "river"}) {
        vocabulary.add(word);
    }
    const TemporaryFolder folder;
    const auto found =
        findListedWords(folder.file("words.txt", "river\nLake\nocean\nsea\nriver\n"), vocabulary)
            .value();
    CHECK(found.rows == std::vector<Row>{3, 0});
    CHECK(found.words == 4);
}

TEST_CASE("A list of which no word is known is no failure") {
    Vocabulary vocabulary;
    vocabulary.add("sea");
    const TemporaryFolder folder;
    const auto found = findListedWords(folder.file("words.txt", "ocean\n"), vocabulary).value();
    CHECK(found.rows.empty());
    CHECK(found.words == 1);
    CHECK_FALSE(findListedWords(folder.path("missing.txt"), vocabulary));
}
