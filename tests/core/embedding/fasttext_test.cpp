#include "core/embedding/row_readers.h"

#include <limits>
#include <string>
#include <vector>

#include <fasttext/fasttext.h>
#include <catch2/catch.hpp>

#include "core/embedding/load.h"
#include "tests/core/embedding/embedding_files.h"
#include "tests/support/refusal.h"
#include "tests/support/shared_data.h"

using namespace epsilens;
using namespace epsilens::embedding;
using test::FasttextParts;

namespace {

/// Compares each word's vector with the one that the fastText library computes from the same file.
void checkAgainstLibrary(const std::string& path) {
    const auto ours = loadEmbedding({.path = path}).value();
    fasttext::FastText library;
    library.loadModel(path);
    fasttext::Vector expected(library.getDimension());
    for (Row row = 0; row < ours.wordCount(); ++row) {
        const std::string word(ours.vocabulary.word(row));
        CAPTURE(word);
        library.getWordVector(expected, word);
        for (Eigen::Index i = 0; i < ours.dimensions(); ++i) {
            REQUIRE(ours.vectors(row, i) == expected[i]);
        }
    }
}

void checkRefused(const FasttextParts& parts, const std::string& part) {
    test::checkBadContent(test::fasttextModel(parts), part);
}

}  // namespace

TEST_CASE("fastText vectors equal those of the fastText library") {
    for (const char* file : {"finalfusion-fasttext.bin", "gensim-crime-and-punishment.bin",
                             "gensim-lee_fasttext_new.bin", "gensim-pang_lee_polarity_fasttext.bin",
                             "gensim-toy-model-pretrained.bin", "gensim-toy-model.bin"}) {
        const auto path = test::sharedFile(std::string("data/formats/") + file);
        if (!path) {
            return test::skipForWantOfData();
        }
        CAPTURE(file);
        checkAgainstLibrary(*path);
    }
}

// The library refuses this layout, so the text file that was written from the same training is the
// reference; it has five significant digits.
TEST_CASE("fastText vectors of the old layout equal those in the text file of the model") {
    const auto model = test::sharedFile("data/formats/gensim-lee_fasttext.bin");
    const auto text = test::sharedFile("data/formats/gensim-lee_fasttext.vec");
    if (!model || !text) {
        return test::skipForWantOfData();
    }
    const auto ours = loadEmbedding({.path = *model}).value();
    const auto expected = loadEmbedding({.path = *text}).value();
    REQUIRE(ours.wordCount() == expected.wordCount());
    for (Row row = 0; row < ours.wordCount(); ++row) {
        REQUIRE(ours.vocabulary.word(row) == expected.vocabulary.word(row));
    }
    const Eigen::ArrayXXf differences = (ours.vectors - expected.vectors).array().abs();
    constexpr float kHalfOfFifthDigit = 5.01e-5F;
    CHECK((differences <= kHalfOfFifthDigit * expected.vectors.array().abs()).all());
}

TEST_CASE("A made-up model equals the fastText library in ASCII and other scripts") {
    const test::TemporaryFolder folder;
    FasttextParts parts;
    parts.words = {"ab", "</s>", "a", "Größe", "日本語", "x.y"};
    parts.labels = {"__label__a"};
    parts.buckets = 50;
    parts.shortest = GENERATE(1, 2, 3);
    parts.longest = GENERATE(3, 6);
    checkAgainstLibrary(folder.file("model.bin", test::fasttextModel(parts)));
}

// Worked out in Python: FNV-1a (offset 2166136261, prime 16777619) of "<a", "a>" and of the two
// bytes of "é", each extended with its sign to 32 bits. Plain FNV-1a gives 513665217 for "é".
TEST_CASE("N-grams are hashed byte by byte with sign extension") {
    constexpr std::uint32_t kBuckets = 4'294'967'295U;
    const auto ngrams = [](std::string_view word, std::int32_t length) {
        std::vector<std::uint32_t> numbers;
        visitFasttextNgrams(word, length, length, kBuckets, [&](std::uint32_t number) {
            numbers.push_back(number);
            return true;
        });
        return numbers;
    };
    CHECK(ngrams("a", 2) == std::vector<std::uint32_t>{1761008750U, 287614806U});
    CHECK(ngrams("é", 1) == std::vector<std::uint32_t>{1023043777U});
    CHECK(ngrams("a", 0).empty());
}

// A word of 60,000 letters has 60 million of them, which a stop request must not wait for.
TEST_CASE("The n-grams of a word end when they are told to") {
    int visits = 0;
    visitFasttextNgrams(std::string(60'000, 'a'), 1, 1'000, 7, [&](std::uint32_t number) {
        CHECK(number < 7);
        return ++visits < 3;
    });
    CHECK(visits == 3);
}

TEST_CASE("Vectors are the mean of the word's row and its n-grams") {
    // Without n-grams the rows themselves: value j of row i is i + j / 4.
    FasttextParts parts;
    parts.oldLayout = GENERATE(false, true);
    parts.shortest = 0;
    parts.longest = 0;
    const auto plain = test::loadContent(test::fasttextModel(parts)).value();
    CHECK(plain.vectors == (RowMatrixF(2, 2) << 0.0F, 0.25F, 1.0F, 1.25F).finished());

    // All n-grams fall into one bucket, row 2: "<a", "<ab", "ab", "ab>", "b>" (5 of them) and row
    // 0.
    parts.shortest = 2;
    parts.longest = 3;
    parts.buckets = 1;
    const auto averaged = test::loadContent(test::fasttextModel(parts)).value();
    CHECK(averaged.vectors(0, 0) == Approx(5.0 * 2.0 / 6.0));
    CHECK(averaged.vectors(0, 1) == Approx((0.25 + 5.0 * 2.25) / 6.0));
    // The end of a sentence has no n-grams, but in the old layout, where it has 9 of "</s>".
    CHECK(averaged.vectors(1, 0) == Approx(parts.oldLayout ? (1.0 + 9.0 * 2.0) / 10.0 : 1.0));
    CHECK(averaged.report.format == FileFormat::fasttextBinary);
}

TEST_CASE("Supervised models of version 11 use no n-grams") {
    const FasttextParts parts{.version = 11, .model = 3, .labels = {"__label__a", "__label__b"}};
    const auto loaded = test::loadContent(test::fasttextModel(parts)).value();
    CHECK(loaded.wordCount() == 2);
    CHECK(loaded.vectors(0, 0) == 0.0F);
}

TEST_CASE("Limits and word lists keep the right vectors of a model") {
    const FasttextParts parts{.longest = 0, .words = {"ab", "cd", "ef"}};
    const test::TemporaryFolder folder;
    LoadOptions options;
    options.path = folder.file("model.bin", test::fasttextModel(parts));

    options.limitRows = 2;
    const auto first = loadEmbedding(options).value();
    CHECK(first.wordCount() == 2);
    CHECK(first.report.limitedTo == 2);
    CHECK(first.vectors(1, 0) == 1.0F);

    options.limitRows = 0;
    options.vocabularyPath = folder.file("words.txt", "ef\nzz\nab\n");
    const auto chosen = loadEmbedding(options).value();
    CHECK(chosen.wordCount() == 2);
    CHECK(chosen.vocabulary.word(1) == "ef");
    CHECK(chosen.vectors(1, 0) == 2.0F);
    REQUIRE(chosen.report.vocabulary);
    CHECK(chosen.report.vocabulary->kept == 2);
    CHECK(chosen.report.vocabulary->missing == 1);
}

TEST_CASE("Words that cannot be used are counted in a model, too") {
    const FasttextParts parts{.longest = 0, .words = {"ab", "z\xe9ro", "", "ab", "cd"}};
    const auto loaded = test::loadContent(test::fasttextModel(parts)).value();
    CHECK(loaded.wordCount() == 2);
    CHECK(loaded.report.invalidText.firstPositions == std::vector<std::int64_t>{2});
    CHECK(loaded.report.emptyWords.firstPositions == std::vector<std::int64_t>{3});
    CHECK(loaded.report.duplicates.firstPositions == std::vector<std::int64_t>{4});
    CHECK(loaded.vectors(1, 0) == 4.0F);
}

TEST_CASE("Vectors of a model that are not finite are counted and left out") {
    const FasttextParts parts{.buckets = 1, .words = {"ab", "cd", "</s>", "ef"}};
    const float bad =
        GENERATE(std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity());
    // Value j of row i is i + j / 4, first in the input matrix.
    const auto withBadRow = [&](float row) {
        std::string model = test::fasttextModel(parts);
        const std::size_t at = model.find(test::bytesOf(row) + test::bytesOf(row + 0.25F));
        REQUIRE(at != std::string::npos);
        return model.replace(at, sizeof bad, test::bytesOf(bad));
    };
    const auto word = test::loadContent(withBadRow(1.0F)).value();
    CHECK(word.wordCount() == 3);
    CHECK(word.report.notFinite.firstPositions == std::vector<std::int64_t>{2});
    CHECK(word.vectors.allFinite());

    // The n-grams of all words are in row 4; the end of a sentence has none.
    const auto ngrams = test::loadContent(withBadRow(4.0F)).value();
    CHECK(ngrams.wordCount() == 1);
    CHECK(ngrams.vocabulary.word(0) == "</s>");
    CHECK(ngrams.report.notFinite.firstPositions == std::vector<std::int64_t>{1, 2, 4});
}

TEST_CASE("A model that is cut off anywhere is refused") {
    const FasttextParts parts{.oldLayout = GENERATE(false, true)};
    const std::string whole = test::fasttextModel(parts);
    REQUIRE(test::loadContent(whole));
    const LoadOptions options{.inputFormat = InputFormat::fasttext};
    for (std::size_t size = 1; size < whole.size(); ++size) {
        CAPTURE(size);
        test::checkBadContent(std::string_view(whole).substr(0, size), "", options);
    }
}

TEST_CASE("Damaged and quantised models are refused with the reason") {
    checkRefused({.quantised = true}, "quantised");
    checkRefused({.pruned = 3}, "quantised");
    checkRefused({.version = 13}, "version 13");
    checkRefused({.buckets = 0}, "damaged");
    checkRefused({.model = 9}, "damaged");
    checkRefused({.behind = "x"}, "damaged");
    checkRefused({.announcedRows = 3}, "damaged");
    for (const bool oldLayout : {false, true}) {
        checkRefused({.oldLayout = oldLayout, .longest = 65},
                     "n-grams of up to 65 characters; allowed are 64");
        CHECK(test::loadContent(test::fasttextModel({.oldLayout = oldLayout, .longest = 64})));
    }
}

TEST_CASE("A model whose sizes lie takes no memory for them") {
    FasttextParts parts;
    if (GENERATE(false, true)) {
        parts.announcedWords = 2'000'000'000;
    } else {
        parts.announcedRows = 1'000'000'000'000;
    }
    const std::string model = test::fasttextModel(parts);
    const LoadOptions options{.memoryLimit = std::uint64_t{1} << 30};
    test::checkBadContent(model, "", options);
    // Compressed, the bytes left are not known beforehand.
    test::checkBadContent(test::compressed(model, "gzip"), "", options);
}

TEST_CASE("Room for the n-grams of a model is refused before it is taken") {
    const FasttextParts parts{.buckets = 100'000, .dimensions = 100};
    const LoadOptions options{.memoryLimit = std::uint64_t{80}
                                             << 20};  // 40 MB of n-grams beside 64 MB of buffers
    test::checkRefused(test::loadContent(test::fasttextModel(parts), options),
                       ErrorCode::resourceLimit);
}
