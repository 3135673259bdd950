#include "core/embedding/examples.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <catch2/catch.hpp>

#include "core/embedding/load.h"

namespace epsilens::embedding {
namespace {

/// Words of a sentence without punctuation, in lower case.
std::vector<std::string> wordsOf(std::string_view sentence) {
    std::vector<std::string> words(1);
    for (const char letter : sentence) {
        if (letter == ' ') {
            words.emplace_back();
        } else {
            words.back() +=
                letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
        }
    }
    return words;
}

}  // namespace

TEST_CASE("examples: every word of the sentences is in the sample") {
    const auto sample = loadEmbedding({"sample"});
    REQUIRE(sample.has_value());
    for (const std::string_view sentence : exampleSentences()) {
        const std::vector<std::string> words = wordsOf(sentence);
        CAPTURE(sentence);
        CHECK(words.size() >= 8);   // ux: long enough for a kept, a near and a far word,
        CHECK(words.size() <= 12);  // short enough for one line of a window 960 wide
        for (const std::string& word : words) {
            CAPTURE(word);
            CHECK(sample->vocabulary.find(word).has_value());
        }
    }
}

TEST_CASE("examples: every pair is two different words of the sample") {
    const auto sample = loadEmbedding({"sample"});
    REQUIRE(sample.has_value());
    for (const ExamplePair& pair : examplePairs()) {
        CAPTURE(pair.first, pair.second);
        CHECK(pair.first != pair.second);
        CHECK(sample->vocabulary.find(pair.first).has_value());
        CHECK(sample->vocabulary.find(pair.second).has_value());
    }
}

}  // namespace epsilens::embedding
