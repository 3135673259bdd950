#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <initializer_list>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>

#include "core/embedding/load.h"
#include "tests/support/shared_data.h"

namespace epsilens::embedding {
namespace {

Embedding sample() {
    Result<Embedding> result = loadEmbedding({"sample"});
    REQUIRE(result.has_value());
    return std::move(*result);
}

Row rowOf(const Embedding& embedding, std::string_view word) {
    CAPTURE(word);
    const auto row = embedding.vocabulary.find(word);
    REQUIRE(row.has_value());
    return *row;
}

/// Other words by Euclidean distance, nearest first.
std::vector<std::string_view> neighbours(const Embedding& embedding, std::string_view word,
                                         std::size_t count) {
    const Row own = rowOf(embedding, word);
    std::vector<std::pair<float, Row>> ranked;
    for (Row row = 0; row < embedding.wordCount(); ++row) {
        const float distance =
            (embedding.vectors.row(row) - embedding.vectors.row(own)).squaredNorm();
        ranked.emplace_back(row == own ? std::numeric_limits<float>::infinity() : distance, row);
    }
    std::partial_sort(ranked.begin(), ranked.begin() + static_cast<std::ptrdiff_t>(count),
                      ranked.end());
    std::vector<std::string_view> words;
    for (std::size_t i = 0; i < count; ++i) {
        words.push_back(embedding.vocabulary.word(ranked[i].second));
    }
    return words;
}

double distance(const Embedding& embedding, std::string_view first, std::string_view second) {
    return (embedding.vectors.row(rowOf(embedding, first)) -
            embedding.vectors.row(rowOf(embedding, second)))
        .norm();
}

}  // namespace

TEST_CASE("sample: 12,000 different words with 100 finite values each") {
    const Embedding embedding = sample();
    CHECK(embedding.wordCount() == 12000);
    CHECK(embedding.dimensions() == 100);
    // The vocabulary keeps a word once only, so equal sizes mean that none is there twice.
    CHECK(embedding.vocabulary.size() == 12000);
    CHECK(embedding.vectors.allFinite());
    CHECK(embedding.vectors.rowwise().squaredNorm().minCoeff() > 0.0F);
}

TEST_CASE("sample: words are lower-case tokens, without blanks") {
    const Embedding embedding = sample();
    for (Row row = 0; row < embedding.wordCount(); ++row) {
        const std::string_view word = embedding.vocabulary.word(row);
        CAPTURE(word);
        REQUIRE(word.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789'") ==
                std::string_view::npos);
    }
}

TEST_CASE("sample: the report names it and the bytes in the program") {
    const Embedding embedding = sample();
    CHECK(embedding.name == "sample");
    CHECK(embedding.path.empty());
    CHECK(embedding.report.format == FileFormat::builtIn);
    CHECK(embedding.report.compression.empty());
    // wc -c and sha256sum of resources/sample/sample.embedding; README.md there says the same.
    CHECK(embedding.report.fileBytes == 2497121);
    CHECK(embedding.report.sha256 ==
          "3c8a39d49f9b7fdbc6d51f7f0f82cade6275a520608edd4140a2aaef89080b33");
}

TEST_CASE("sample: values are those of the file") {
    const Embedding embedding = sample();
    // Read from the file by numpy: frombuffer(data, "<f2") after the words, reshaped to 12000 x
    // 100.
    CHECK(embedding.vocabulary.word(0) == "a");
    const Row the = rowOf(embedding, "the");
    CHECK(the == 1);
    CHECK(embedding.vectors(the, 0) == -1.41796875F);
    CHECK(embedding.vectors(the, 99) == -0.482666015625F);
    const Row car = rowOf(embedding, "car");
    CHECK(car == 228);
    CHECK(embedding.vectors(car, 1) == -2.9140625F);
    CHECK(embedding.vectors(car, 99) == -0.0186004638671875F);
}

TEST_CASE("sample: holds at least 72 % of the tokens of real messages") {
    const auto path = test::sharedFile("data/datasets/union-vocabulary.tsv");
    if (!path) {
        WARN("SKIPPED: data/datasets/union-vocabulary.tsv is absent");
        return;
    }
    const Embedding embedding = sample();
    std::ifstream file(*path);
    std::int64_t all = 0;
    std::int64_t held = 0;
    std::string word;
    std::string count;
    while (std::getline(file, word, '\t') && std::getline(file, count)) {
        const std::int64_t tokens = std::stoll(count);
        all += tokens;
        held += embedding.vocabulary.find(word) ? tokens : 0;
    }
    REQUIRE(all == 216521);  // data/README.md
    CHECK(static_cast<double>(held) >= 0.72 * static_cast<double>(all));
}

TEST_CASE("sample: lengths differ as those of trained vectors do, with mean 6") {
    const Embedding embedding = sample();
    const Eigen::VectorXd lengths = embedding.vectors.cast<double>().rowwise().norm();
    // The recipe scales to mean 6; rounding to 11 significant bits changes a length by at most 1 in
    // 2048.
    CHECK(std::abs(lengths.mean() - 6.0) <= 6.0 / 2048);
    CHECK(lengths.maxCoeff() >= 2.0 * lengths.minCoeff());
}

TEST_CASE("sample: near words are related in meaning") {
    const Embedding embedding = sample();
    struct Expected {
        std::string_view word;
        std::string_view neighbour;
        std::string_view reason;
    };
    for (const Expected& expected :
         std::initializer_list<Expected>{{"car", "automobile", "one synset of WordNet"},
                                         {"car", "auto", "one synset of WordNet"},
                                         {"salmon", "trout", "both are salmonids"},
                                         {"cancer", "malignant", "the definition of cancer has it"},
                                         {"paris", "london", "both are capitals"},
                                         {"mother", "father", "antonyms in WordNet"},
                                         {"friday", "thursday", "both are weekdays"},
                                         {"nurse", "hospital", "where the one works"},
                                         {"pizza", "muffin", "both are baked"},
                                         {"the", "a", "both are articles"}}) {
        const auto near = neighbours(embedding, expected.word, 10);
        CAPTURE(expected.word, expected.neighbour, expected.reason);
        CHECK(std::find(near.begin(), near.end(), expected.neighbour) != near.end());
    }
}

TEST_CASE("sample: words of one kind are nearer than words of two") {
    const Embedding embedding = sample();
    CHECK(distance(embedding, "paris", "london") < distance(embedding, "paris", "monday"));
    CHECK(distance(embedding, "doctor", "nurse") < distance(embedding, "doctor", "trout"));
    CHECK(distance(embedding, "car", "bus") < distance(embedding, "car", "happy"));
    CHECK(distance(embedding, "monday", "friday") < distance(embedding, "friday", "salmon"));
}

}  // namespace epsilens::embedding
