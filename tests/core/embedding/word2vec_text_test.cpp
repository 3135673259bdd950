#include "core/embedding/load.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>

#include <catch2/catch.hpp>

#include "core/base/random_stream.h"
#include "tests/core/embedding/embedding_files.h"

namespace epsilens::embedding {
namespace {

Vocabulary wordsOf(Row count) {
    Vocabulary words;
    for (Row row = 0; row < count; ++row) {
        words.add("w" + std::to_string(row));
    }
    return words;
}

}  // namespace

TEST_CASE("word2vec text: header, words and shortest numbers") {
    Vocabulary words;
    words.add("dog");
    words.add("S\xc3\xa4ugetier");
    RowMatrixF vectors(2, 3);
    vectors << 0.1F, -1.0F, 0.0F, 1e-7F, 16777216.0F, 0.33333334F;
    // The shortest decimals of these float32 numbers, written down by hand.
    CHECK(word2vecText(words, vectors) ==
          "2 3\ndog 0.1 -1 0\nS\xc3\xa4ugetier 1e-07 16777216 0.33333334\n");
}

TEST_CASE("word2vec text: what is written reads back bit for bit") {
    constexpr Row kRows = 500;
    SeededStream stream({1, StreamPurpose::wordSelection, 0, 0});
    RowMatrixF vectors(kRows, 4);
    for (Eigen::Index i = 0; i < vectors.size(); ++i) {
        float value = std::numeric_limits<float>::quiet_NaN();
        while (!std::isfinite(value)) {
            value = std::bit_cast<float>(static_cast<std::uint32_t>(stream()));
        }
        vectors.data()[i] = value;
    }
    vectors.row(0) << std::numeric_limits<float>::denorm_min(), std::numeric_limits<float>::max(),
        std::numeric_limits<float>::lowest(), -0.0F;
    const auto loaded = test::loadContent(word2vecText(wordsOf(kRows), vectors)).value();
    CHECK(loaded.report.format == FileFormat::word2vecText);
    CHECK(loaded.report.badLines() == 0);
    REQUIRE(loaded.wordCount() == kRows);
    CHECK(loaded.vocabulary.word(kRows - 1) == "w499");
    for (Eigen::Index i = 0; i < vectors.size(); ++i) {
        REQUIRE(std::bit_cast<std::uint32_t>(loaded.vectors.data()[i]) ==
                std::bit_cast<std::uint32_t>(vectors.data()[i]));
    }
}

}  // namespace epsilens::embedding
