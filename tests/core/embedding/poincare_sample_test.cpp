#include <algorithm>
#include <cmath>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include <catch2/catch.hpp>

#include "core/embedding/examples.h"
#include "core/embedding/load.h"

namespace epsilens::embedding {
namespace {

Embedding poincareSample() {
    LoadOptions options;
    options.path = "sample-poincare";
    Result<Embedding> result = loadEmbedding(options);
    REQUIRE(result.has_value());
    return std::move(*result);
}

Row nodeOf(const Embedding& embedding, std::string_view word) {
    CAPTURE(word);
    const auto row = embedding.vocabulary.find(word);
    REQUIRE(row.has_value());
    return *row;
}

/// Poincaré distance by its formula.
double distanceOf(const Embedding& embedding, Row first, Row second) {
    const Eigen::RowVectorXd u = embedding.vectors.row(first).cast<double>();
    const Eigen::RowVectorXd v = embedding.vectors.row(second).cast<double>();
    return std::acosh(1.0 + 2.0 * (u - v).squaredNorm() /
                                ((1.0 - u.squaredNorm()) * (1.0 - v.squaredNorm())));
}

double distanceOf(const Embedding& embedding, std::string_view first, std::string_view second) {
    return distanceOf(embedding, nodeOf(embedding, first), nodeOf(embedding, second));
}

/// Place of a word among all others by distance to another, 1 for the nearest.
int rankOf(const Embedding& embedding, std::string_view word, std::string_view from) {
    const Row origin = nodeOf(embedding, from);
    const double own = distanceOf(embedding, origin, nodeOf(embedding, word));
    int rank = 1;
    for (Row row = 0; row < embedding.wordCount(); ++row) {
        rank += row != origin && distanceOf(embedding, origin, row) < own ? 1 : 0;
    }
    return rank;
}

}  // namespace

TEST_CASE("poincare sample: at least 8,000 nouns in few dimensions and less than 1 MB") {
    const Embedding embedding = poincareSample();
    CHECK(embedding.name == "sample-poincare");
    CHECK(embedding.path.empty());
    CHECK(embedding.report.format == FileFormat::builtIn);
    CHECK(embedding.dimensions() == 10);
    CHECK(embedding.vocabulary.size() == 14065);
    std::int64_t singleWords = 0;
    for (Row row = 0; row < embedding.wordCount(); ++row) {
        const std::string_view word = embedding.vocabulary.word(row);
        CAPTURE(word);
        REQUIRE(word.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789'_-") ==
                std::string_view::npos);
        singleWords += word.find('_') == std::string_view::npos ? 1 : 0;
    }
    CHECK(singleWords >= 12'000);
    // wc -c and sha256sum of resources/sample/poincare.embedding; README.md there says the same.
    CHECK(embedding.report.fileBytes == 692895);
    CHECK(embedding.report.fileBytes < 1'000'000);
    CHECK(embedding.report.sha256 ==
          "68241db4c165ce5f8761e20c89e2efce2ed9e200c234f96c7752d8a7ab3116a0");
}

TEST_CASE("poincare sample: no word is at the edge of the ball") {
    const Embedding embedding = poincareSample();
    CHECK(embedding.vectors.allFinite());
    // Training ends at norm 1 - 1e-5, the hyperbolic distance ln(2e5) from the middle; a quarter of
    // that is norm tanh(ln(2e5) / 8) = 0.9097. Rounding to float32 near the edge adds less than
    // 1e-4.
    CHECK(embedding.vectors.cast<double>().rowwise().norm().maxCoeff() <=
          std::tanh(std::log(2e5) / 8.0) + 1e-4);
}

TEST_CASE("poincare sample: values are those of the file") {
    const Embedding embedding = poincareSample();
    // Read from the file by numpy: frombuffer(data, "<f4") after the words, reshaped to 14065 x 10.
    const Row entity = nodeOf(embedding, "entity");
    CHECK(entity == 6);
    CHECK(embedding.vectors(entity, 0) == 0.0015101393F);
    CHECK(embedding.vectors(entity, 9) == 0.00043891554F);
    const Row dog = nodeOf(embedding, "dog");
    CHECK(dog == 603);
    CHECK(embedding.vectors(dog, 0) == -0.05869071F);
    CHECK(embedding.vectors(dog, 9) == -0.2740722F);
}

TEST_CASE("poincare sample: no two words have the same vector") {
    const Embedding embedding = poincareSample();
    std::set<std::string> rows;
    for (Row row = 0; row < embedding.wordCount(); ++row) {
        const float* const values = embedding.vectors.row(row).data();
        rows.emplace(reinterpret_cast<const char*>(values),
                     sizeof(float) * static_cast<std::size_t>(embedding.dimensions()));
    }
    CHECK(static_cast<std::int64_t>(rows.size()) == embedding.vocabulary.size());
}

TEST_CASE("poincare sample: holds the nouns of the examples") {
    const Embedding embedding = poincareSample();
    for (const ExamplePair& pair : examplePairs()) {
        CHECK(embedding.vocabulary.find(pair.first).has_value());
        CHECK(embedding.vocabulary.find(pair.second).has_value());
    }
    for (const std::string_view noun :
         {"doctor", "appointment", "hospital", "friday", "morning", "train", "paris", "london",
          "tomorrow", "money", "rent", "bank", "today", "dog", "fox", "salmon", "cancer", "car"}) {
        CAPTURE(noun);
        CHECK(embedding.vocabulary.find(noun).has_value());
    }
}

TEST_CASE("poincare sample: a word is near to what WordNet says it is") {
    const Embedding embedding = poincareSample();
    struct Expected {
        std::string_view word;
        std::string_view hypernym;  ///< of its first sense, as `wn WORD -hypen` shows
        int lowestRank;
    };
    // The words of its own kind come first; of 14,065 names those above it are among the next.
    for (const Expected& expected :
         {Expected{"dog", "canid", 10}, Expected{"dog", "animal", 200},
          Expected{"cat", "feline", 30}, Expected{"salmon", "fish", 20},
          Expected{"car", "motor_vehicle", 10}, Expected{"paris", "national_capital", 200},
          Expected{"doctor", "medical_practitioner", 10}, Expected{"monday", "weekday", 100},
          Expected{"money", "medium_of_exchange", 10}, Expected{"king", "sovereign", 30},
          Expected{"hospital", "building", 200}, Expected{"love", "emotion", 100}}) {
        CAPTURE(expected.word, expected.hypernym);
        CHECK(rankOf(embedding, expected.hypernym, expected.word) <= expected.lowestRank);
    }
}

TEST_CASE("poincare sample: words of one kind are nearer than words of two") {
    const Embedding embedding = poincareSample();
    CHECK(distanceOf(embedding, "dog", "wolf") < distanceOf(embedding, "dog", "car"));
    CHECK(distanceOf(embedding, "dog", "cat") < distanceOf(embedding, "dog", "hospital"));
    CHECK(distanceOf(embedding, "paris", "london") < distanceOf(embedding, "paris", "monday"));
    CHECK(distanceOf(embedding, "doctor", "nurse") < distanceOf(embedding, "doctor", "trout"));
    CHECK(distanceOf(embedding, "car", "bus") < distanceOf(embedding, "car", "love"));
    CHECK(distanceOf(embedding, "monday", "friday") < distanceOf(embedding, "monday", "salmon"));
}

TEST_CASE("poincare sample: the general lies nearer to the middle than the special") {
    const Embedding embedding = poincareSample();
    double before = 0.0;
    for (const std::string_view word :
         {"entity", "organism", "animal", "mammal", "carnivore", "canid", "dog", "hound"}) {
        const double norm = embedding.vectors.row(nodeOf(embedding, word)).cast<double>().norm();
        CAPTURE(word);
        CHECK(norm > before);
        before = norm;
    }
}

}  // namespace epsilens::embedding
