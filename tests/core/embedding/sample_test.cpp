// The two embeddings in the program, and the examples that are shown with them.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>

#include "core/base/ascii.h"
#include "core/embedding/examples.h"
#include "core/embedding/load.h"
#include "tests/support/shared_data.h"

namespace epsilens::embedding {
namespace {

/// A sample and its distances: Euclidean ones, or those of the ball.
class Sample {
public:
    explicit Sample(std::string_view name)
        : m_isBall(name == kPoincareSampleName),
          m_embedding(loadEmbedding({.path = std::string(name)}).value()) {}

    const Embedding* operator->() const { return &m_embedding; }
    [[nodiscard]] Row rowOf(std::string_view word) const {
        CAPTURE(word);
        const auto row = m_embedding.vocabulary.find(word);
        REQUIRE(row.has_value());
        return *row;
    }
    [[nodiscard]] double distance(Row first, Row second) const {
        const Eigen::RowVectorXd u = m_embedding.vectors.row(first).cast<double>();
        const Eigen::RowVectorXd v = m_embedding.vectors.row(second).cast<double>();
        const double squared = (u - v).squaredNorm();
        return m_isBall ? std::acosh(1.0 + 2.0 * squared /
                                               ((1.0 - u.squaredNorm()) * (1.0 - v.squaredNorm())))
                        : std::sqrt(squared);
    }
    [[nodiscard]] double distance(std::string_view first, std::string_view second) const {
        return distance(rowOf(first), rowOf(second));
    }
    /// Place of a word among all others by distance to another, 1 for the nearest.
    [[nodiscard]] int rankOf(std::string_view word, std::string_view from) const {
        const Row origin = rowOf(from);
        const double own = distance(origin, rowOf(word));
        int rank = 1;
        for (Row row = 0; row < m_embedding.wordCount(); ++row) {
            rank += row != origin && distance(origin, row) < own ? 1 : 0;
        }
        return rank;
    }

private:
    bool m_isBall;
    Embedding m_embedding;
};

struct Value {
    std::string_view word;
    Row row;
    Eigen::Index column;
    float value;
};

struct Expected {
    std::string_view name;
    Row words;
    Eigen::Index dimensions;
    std::string_view letters;  ///< of the words
    std::uint64_t fileBytes;   ///< wc -c and sha256sum; resources/sample/README.md says the same
    std::string_view sha256;
    std::vector<Value> values;  ///< read from the files by numpy, frombuffer after the words
};

constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyz0123456789'";
const std::vector<Expected> kSamples{
    {"sample",
     12000,
     100,
     kLetters,
     2497121,
     "3c8a39d49f9b7fdbc6d51f7f0f82cade6275a520608edd4140a2aaef89080b33",
     {{"the", 1, 0, -1.41796875F},
      {"the", 1, 99, -0.482666015625F},
      {"car", 228, 1, -2.9140625F},
      {"car", 228, 99, -0.0186004638671875F}}},
    {"sample-poincare",
     14065,
     10,
     "abcdefghijklmnopqrstuvwxyz0123456789'_-",
     692895,
     "68241db4c165ce5f8761e20c89e2efce2ed9e200c234f96c7752d8a7ab3116a0",
     {{"entity", 6, 0, 0.0015101393F},
      {"entity", 6, 9, 0.00043891554F},
      {"dog", 603, 0, -0.05869071F},
      {"dog", 603, 9, -0.2740722F}}}};

}  // namespace

TEST_CASE("samples: their words, values and bytes are those of their files") {
    for (const Expected& expected : kSamples) {
        CAPTURE(expected.name);
        const Sample sample(expected.name);
        CHECK(sample->name == expected.name);
        CHECK(sample->path.empty());
        CHECK(sample->report.format == FileFormat::builtIn);
        CHECK(sample->report.compression.empty());
        CHECK(sample->report.fileBytes == expected.fileBytes);
        CHECK(sample->report.sha256 == expected.sha256);
        CHECK(sample->wordCount() == expected.words);
        CHECK(sample->vocabulary.size() == expected.words);
        CHECK(sample->dimensions() == expected.dimensions);
        CHECK(sample->vectors.allFinite());
        CHECK(sample->vectors.rowwise().squaredNorm().minCoeff() > 0.0F);
        for (const Value& value : expected.values) {
            CHECK(sample.rowOf(value.word) == value.row);
            CHECK(sample->vectors(value.row, value.column) == value.value);
        }
        std::set<std::string> rows;
        for (Row row = 0; row < sample->wordCount(); ++row) {
            const std::string_view word = sample->vocabulary.word(row);
            CAPTURE(word);
            REQUIRE(word.find_first_not_of(expected.letters) == std::string_view::npos);
            rows.emplace(reinterpret_cast<const char*>(sample->vectors.row(row).data()),
                         sizeof(float) * static_cast<std::size_t>(sample->dimensions()));
        }
        // No two words of the ball have the same vector.
        CHECK((expected.name == "sample" || std::ssize(rows) == sample->vectors.rows()));
    }
}

TEST_CASE("sample: holds at least 72 % of the tokens of real messages") {
    const auto path = test::sharedFile("data/datasets/union-vocabulary.tsv");
    if (!path) {
        WARN("SKIPPED: the shared data is absent");
        return;
    }
    const Sample sample(kSampleName);
    std::ifstream file(*path);
    std::int64_t all = 0;
    std::int64_t held = 0;
    std::string word;
    std::string count;
    while (std::getline(file, word, '\t') && std::getline(file, count)) {
        const std::int64_t tokens = std::stoll(count);
        all += tokens;
        held += sample->vocabulary.find(word) ? tokens : 0;
    }
    REQUIRE(all == 216521);  // data/README.md
    CHECK(static_cast<double>(held) >= 0.72 * static_cast<double>(all));
}

TEST_CASE("sample: lengths differ as those of trained vectors do, with mean 6") {
    const Sample sample(kSampleName);
    const Eigen::VectorXd lengths = sample->vectors.cast<double>().rowwise().norm();
    // The recipe scales to mean 6; rounding to 11 significant bits changes a length by at most 1 in
    // 2048.
    CHECK(std::abs(lengths.mean() - 6.0) <= 6.0 / 2048);
    CHECK(lengths.maxCoeff() >= 2.0 * lengths.minCoeff());
}

TEST_CASE("poincare sample: no word is at the edge of the ball") {
    // Training ends at norm 1 - 1e-5, the hyperbolic distance ln(2e5) from the middle; a quarter of
    // that is norm tanh(ln(2e5) / 8) = 0.9097. Rounding to float32 near the edge adds less than
    // 1e-4.
    CHECK(Sample(kPoincareSampleName)->vectors.cast<double>().rowwise().norm().maxCoeff() <=
          std::tanh(std::log(2e5) / 8.0) + 1e-4);
}

TEST_CASE("samples: near words are related in meaning") {
    struct Near {
        std::string_view word;
        std::string_view other;
        int lowestRank;
    };
    // Of one synset of WordNet, of one kind, antonyms, or one in the definition of the other.
    const Sample english(kSampleName);
    for (const auto& [word, other, lowestRank] :
         {Near{"car", "automobile", 10}, Near{"car", "auto", 10}, Near{"salmon", "trout", 10},
          Near{"cancer", "malignant", 10}, Near{"paris", "london", 10},
          Near{"mother", "father", 10}, Near{"friday", "thursday", 10},
          Near{"nurse", "hospital", 10}, Near{"pizza", "muffin", 10}, Near{"the", "a", 10}}) {
        CAPTURE(word, other);
        CHECK(english.rankOf(other, word) <= lowestRank);
    }
    // The hypernym of the first sense, as `wn WORD -hypen` shows. The words of its own kind come
    // first; of 14,065 names those above it are among the next.
    const Sample ball(kPoincareSampleName);
    for (const auto& [word, other, lowestRank] :
         {Near{"dog", "canid", 10}, Near{"dog", "animal", 200}, Near{"cat", "feline", 30},
          Near{"salmon", "fish", 20}, Near{"car", "motor_vehicle", 10},
          Near{"paris", "national_capital", 200}, Near{"doctor", "medical_practitioner", 10},
          Near{"monday", "weekday", 100}, Near{"money", "medium_of_exchange", 10},
          Near{"king", "sovereign", 30}, Near{"hospital", "building", 200},
          Near{"love", "emotion", 100}}) {
        CAPTURE(word, other);
        CHECK(ball.rankOf(other, word) <= lowestRank);
    }
}

TEST_CASE("samples: words of one kind are nearer than words of two") {
    struct Kinds {
        std::string_view word;
        std::string_view same;
        std::string_view other;
    };
    const std::vector<Kinds> both{{"paris", "london", "monday"}, {"doctor", "nurse", "trout"}};
    std::vector<Kinds> ofEnglish{{"car", "bus", "happy"}, {"friday", "monday", "salmon"}};
    std::vector<Kinds> ofBall{{"dog", "wolf", "car"},
                              {"dog", "cat", "hospital"},
                              {"car", "bus", "love"},
                              {"monday", "friday", "salmon"}};
    for (const auto& [name, kinds] :
         {std::pair(kSampleName, &ofEnglish), std::pair(kPoincareSampleName, &ofBall)}) {
        const Sample sample(name);
        kinds->insert(kinds->end(), both.begin(), both.end());
        for (const auto& [word, same, other] : *kinds) {
            CAPTURE(name, word);
            CHECK(sample.distance(word, same) < sample.distance(word, other));
        }
    }
}

TEST_CASE("poincare sample: the general lies nearer to the middle than the special") {
    const Sample sample(kPoincareSampleName);
    double before = 0.0;
    for (const std::string_view word :
         {"entity", "organism", "animal", "mammal", "carnivore", "canid", "dog", "hound"}) {
        const double norm = sample->vectors.row(sample.rowOf(word)).cast<double>().norm();
        CAPTURE(word);
        CHECK(norm > before);
        before = norm;
    }
}

TEST_CASE("samples: hold the words of the examples") {
    const Sample english(kSampleName);
    const Sample ball(kPoincareSampleName);
    for (const std::string_view sentence : exampleSentences()) {
        CAPTURE(sentence);
        std::string word;
        int words = 0;
        for (const char letter : std::string(sentence) + ' ') {
            if (letter != ' ') {
                word += asciiLower(letter);
                continue;
            }
            static_cast<void>(english.rowOf(std::exchange(word, {})));
            ++words;
        }
        CHECK(words >= 8);   // ux: long enough for a kept, a near and a far word,
        CHECK(words <= 12);  // short enough for one line of a window 960 wide
    }
    for (const ExamplePair& pair : examplePairs()) {
        CHECK(pair.first != pair.second);
        for (const std::string_view word : {pair.first, pair.second}) {
            static_cast<void>(english.rowOf(word));
            static_cast<void>(ball.rowOf(word));
        }
    }
    for (const std::string_view noun :
         {"doctor", "appointment", "hospital", "friday", "morning", "train", "paris", "london",
          "tomorrow", "money", "rent", "bank", "today", "dog", "fox", "salmon", "cancer", "car"}) {
        static_cast<void>(ball.rowOf(noun));
    }
}

}  // namespace epsilens::embedding
