#include "core/corpus/tokenised_documents.h"

#include <cmath>

#include <catch2/catch.hpp>

using namespace epsilens::corpus;

TEST_CASE("A sample of few tokens is all of them, counted by word") {
    const auto documents = TokenisedDocuments::ofWords(std::vector<std::vector<Row>>{{7, 2}, {7}});
    const TokenSample sample = sampleTokens(documents, 10);
    CHECK(sample.rows == std::vector<Row>{2, 7});
    CHECK(sample.weights == std::vector<double>{1.0, 2.0});
    CHECK(sample.tokens == 3);
}

TEST_CASE("Words have their share of a sample of tokens, give or take one") {
    // Word w occurs w times.
    std::vector<std::vector<Row>> documents;
    constexpr Row kWords = 60;
    constexpr std::int64_t kTokens = kWords * (kWords - 1) / 2;
    for (Row word = 1; word < kWords; ++word) {
        documents.emplace_back(static_cast<std::size_t>(word), word);
    }
    constexpr std::int64_t kMost = 200;
    const TokenSample sample = sampleTokens(TokenisedDocuments::ofWords(documents), kMost);
    double sum = 0.0;
    for (std::size_t i = 0; i < sample.rows.size(); ++i) {
        const double share = static_cast<double>(sample.rows[i]) * kMost / kTokens;
        CHECK(std::fabs(sample.weights[i] - share) <= 1.0);
        sum += sample.weights[i];
    }
    CHECK(sum == static_cast<double>(kMost));
    CHECK(sample.tokens == kMost);
}
