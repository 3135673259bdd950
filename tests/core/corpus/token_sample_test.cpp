#include "core/corpus/tokenised_documents.h"

#include <cmath>

#include <catch2/catch.hpp>

using namespace epsilens::corpus;

TEST_CASE("A sample of few tokens is all of them, counted by word") {
    TokenisedDocuments words(10);
    for (const Row row : {7, 2, 7}) {
        words.addWord(row, row, true);
        words.endDocument();
    }
    words.addWord(3, 3, false);
    const TokenSample sample = sampleTokens(words, 10);
    CHECK(sample.rows == std::vector<Row>{2, 7});
    CHECK(sample.weights == std::vector<double>{1.0, 2.0});
    CHECK(sample.tokens == 3);
}

TEST_CASE("Words have their share of a sample of tokens, give or take one") {
    // Word w occurs w times.
    constexpr Row kWords = 60;
    constexpr std::int64_t kTokens = kWords * (kWords - 1) / 2;
    TokenisedDocuments words(kWords);
    for (Row word = 1; word < kWords; ++word) {
        for (Row i = 0; i < word; ++i) {
            words.addWord(word, word, true);
        }
    }
    constexpr std::int64_t kMost = 200;
    const TokenSample sample = sampleTokens(words, kMost);
    double sum = 0.0;
    for (std::size_t i = 0; i < sample.rows.size(); ++i) {
        const double share = static_cast<double>(sample.rows[i]) * kMost / kTokens;
        CHECK(std::fabs(sample.weights[i] - share) <= 1.0);
        sum += sample.weights[i];
    }
    CHECK(sum == static_cast<double>(kMost));
    CHECK(sample.tokens == kMost);
}
