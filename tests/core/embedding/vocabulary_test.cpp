#include "core/embedding/vocabulary.h"

#include <stdexcept>
#include <string>

#include <catch2/catch.hpp>

using namespace epsilens::embedding;

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
