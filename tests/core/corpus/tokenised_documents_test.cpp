#include "core/corpus/tokenised_documents.h"

#include <cmath>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "tests/core/text/vocabulary_of.h"
#include "tests/support/temporary_folder.h"

using namespace epsilens;
using namespace epsilens::corpus;
using test::vocabularyOf;
using Rows = std::vector<Row>;

namespace {

std::vector<Document> documentsOf(const std::vector<std::string>& texts) {
    std::vector<Document> documents;
    for (const std::string& text : texts) {
        documents.push_back({text});
    }
    return documents;
}

Rows listOf(std::span<const Row> rows) {
    return {rows.begin(), rows.end()};
}

}  // namespace

TEST_CASE("Words become rows, and unknown ones numbers of their spellings") {
    const auto vocabulary = vocabularyOf({"free", "win", "call"});
    const ReplacementPolicies policies;
    const TokenisedDocuments words =
        tokeniseDocuments(documentsOf({"Free WIN, blorp!", "...", "Blorp call <unk> zap"}),
                          vocabulary, policies)
            .value();
    CHECK(listOf(words.rows()) == Rows{0, 1, kMasked, kMasked, 2, kMasked, kMasked});
    CHECK(listOf(words.spellings()) == Rows{0, 1, 3, 3, 2, 4, 5});
    CHECK(words.documents() == 3);
    CHECK(words.begin(1) == 3);
    CHECK(words.end(1) == 3);
    CHECK(words.end(2) == 7);
    CHECK(words.tokens() == 7);
    CHECK(words.knownTokens() == 3);
    CHECK(words.unknownSpellings() == 3);
}

TEST_CASE("The lengths of texts count the words that are replaced") {
    const auto vocabulary = vocabularyOf({"free", "win", "call"});
    const auto lengthsOf = [&](const std::vector<std::string>& texts) {
        const auto words = tokeniseDocuments(documentsOf(texts), vocabulary, {}).value();
        const TextLengths lengths = textLengths(words);
        return std::pair(lengths.median, lengths.longest);
    };
    CHECK(lengthsOf({"free blorp win call", "...", "call"}) ==
          std::pair<std::int64_t, std::int64_t>(1, 3));
    CHECK(lengthsOf({"free", "win win call"}) == std::pair<std::int64_t, std::int64_t>(3, 3));
}

TEST_CASE("Stop words and lists exempt known words") {
    const test::TemporaryFolder folder;
    const auto vocabulary = vocabularyOf({"free", "win", "call"});
    ReplacementPolicies policies;
    policies.stopWords = release::readStopWords(folder.file("stop", "WIN\n")).value();
    const auto documents = documentsOf({"free win call"});
    const auto some = tokeniseDocuments(documents, vocabulary, policies).value();
    CHECK(some.isReplaced(0));
    CHECK_FALSE(some.isReplaced(1));
    CHECK(some.replacedTokens() == 2);
    policies.onlyWords = release::readStopWords(folder.file("only", "call\n")).value();
    CHECK(tokeniseDocuments(documents, vocabulary, policies)->replacedTokens() == 1);
    policies.onlyWords = release::readStopWords(folder.file("none", "other\n")).value();
    CHECK(tokeniseDocuments(documents, vocabulary, policies).error().code ==
          ErrorCode::unsupported);
    CHECK(tokeniseDocuments(documentsOf({"nothing known"}), vocabulary, {}).error().code ==
          ErrorCode::unsupported);
}

TEST_CASE("Words do not depend on the number of threads") {
    std::vector<std::string> texts;
    for (int i = 0; i < 5000; ++i) {
        texts.push_back("win x" + std::to_string(i % 700) + " free");
    }
    const auto vocabulary = vocabularyOf({"free", "win", "call"});
    const auto documents = documentsOf(texts);
    const auto one = tokeniseDocuments(documents, vocabulary, {}, 1).value();
    const auto three = tokeniseDocuments(documents, vocabulary, {}, 3).value();
    CHECK(listOf(one.spellings()) == listOf(three.spellings()));
    CHECK(one.unknownSpellings() == 700);
}

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
