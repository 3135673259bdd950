#include "core/embedding/prepared_embedding.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "core/embedding/load.h"
#include "core/embedding/pca_basis.h"
#include "core/embedding/vocabulary.h"
#include "tests/support/refusal.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/toy_embedding.h"

using namespace epsilens;
using namespace epsilens::embedding;

namespace {

VectorD squares(const std::vector<double>& norms) {
    VectorD result(static_cast<Eigen::Index>(norms.size()));
    for (std::size_t i = 0; i < norms.size(); ++i) {
        result[static_cast<Eigen::Index>(i)] = norms[i] * norms[i];
    }
    return result;
}

}  // namespace

TEST_CASE("Bit-identical rows form classes, minus zero equals zero") {
    RowMatrixF vectors(6, 2);
    vectors << 1, 2, 0.0F, 3, 1, 2, -0.0F, 3, 1, 2, 7, 8;
    const auto handle = test::toyEmbedding(vectors);
    CHECK(handle->duplicates.representative == std::vector<Row>{0, 1, 0, 1, 0, 5});
    CHECK(handle->duplicates.distinctRows == std::vector<Row>{0, 1, 5});
    CHECK(handle->duplicates.classes == 2);
    CHECK(handle->duplicates.extraRows == 3);
    CHECK(handle->squaredNorms[5] == 113.0);
}

TEST_CASE("Vectors too long or too short for float32 are refused with the longest word") {
    const float scale = GENERATE(1e-38F, 1e-20F, 1e20F, 1e30F, 1e37F);
    Embedding embedding;
    embedding.path = "folder/scaled.txt";
    for (const char* word : {"small", "long", "middle"}) {
        embedding.vocabulary.add(word);
    }
    embedding.vectors.resize(3, 2);
    embedding.vectors << 0, 1, 4, 3, 2, 2;
    embedding.vectors *= scale;
    const Error error =
        test::checkRefused(prepareEmbedding(std::move(embedding)), ErrorCode::badFile);
    CHECK(error.file == "folder/scaled.txt");
    CHECK_THAT(error.message, Catch::Contains("\"long\"") && Catch::Contains("1e-12 to 1e+18"));
}

TEST_CASE("The lengths that are allowed, and vectors that are all zero, are prepared") {
    const float scale = GENERATE(0.0F, 1.01e-12F, 1.0F, 0.99e18F);
    RowMatrixF vectors(2, 2);
    vectors << 0, 1, 0.6F, 0;
    vectors *= scale;
    CHECK(test::toyEmbedding(vectors)->squaredNorms[0] == Approx(double(scale) * double(scale)));
}

TEST_CASE("Reading and preparing a file are one progress that never goes back") {
    std::string text;
    for (int row = 0; row < 20'000; ++row) {
        text += "word" + std::to_string(row) + " 1 2 " + std::to_string(row % 7) + "\n";
    }
    const test::TemporaryFolder folder;
    const LoadOptions options{.path = folder.file("vectors.txt", text)};
    std::vector<double> fractions;
    const JobContext job{.report = [&fractions](const Progress& progress) {
        fractions.push_back(progress.fraction);
    }};
    REQUIRE(openAndPrepare(options, job));
    REQUIRE(fractions.size() > 2);
    CHECK(std::ranges::is_sorted(fractions));
    CHECK(fractions.front() >= 0.0);
    CHECK(fractions.back() == Approx(1.0));
}

TEST_CASE("A stopped job prepares nothing") {
    Embedding embedding;
    embedding.vectors = test::anisotropicVectors(100, 3, 85);
    test::checkRefused(prepareEmbedding(std::move(embedding), 1, test::stoppedJob()),
                       ErrorCode::cancelled);
}

TEST_CASE("Rows above 20 times the median of the norms above 0 are outlying, rising in norm") {
    // The median of 1, 2, 3, 4, 60, 61, 900 is 4: 20 times as long is 80.
    const auto outlying = outlyingNorms(squares({900.0, 3.0, 60.0, 0.0, 1.0, 2.0, 4.0, 61.0}));
    CHECK(outlying.median == 4.0);
    CHECK(outlying.rows == std::vector<Row>{0});
    CHECK(outlyingNorms(squares({1.0, 20.0, 1.0})).rows.empty());
    CHECK(outlyingNorms(squares({1.0, 500.0, 1.0, 21.0, 1.0, 0.5, 500.0})).rows ==
          std::vector<Row>{3, 1, 6});
}

TEST_CASE("Without norms above 0 there is no median and no outlying row") {
    const auto none = outlyingNorms(VectorD::Zero(3));
    CHECK(none.median == 0.0);
    CHECK(none.rows.empty());
    // At least half of the rows above 0 are regular, even among two.
    CHECK(outlyingNorms(squares({1.0, 1e6})).rows == std::vector<Row>{1});
    CHECK(outlyingNorms(squares({0.0, 0.0, 1e6})).rows.empty());
}

TEST_CASE("The basis diagonalises the sample covariance") {
    const RowMatrixF vectors = test::anisotropicVectors(3000, 6, 81);
    const PcaBasis basis = pcaBasis(vectors, 2).value();
    const RowMatrixD rows = vectors.cast<double>();
    const RowMatrixD centred = rows.rowwise() - rows.colwise().mean();
    const RowMatrixD covariance = centred.transpose() * centred / 2999.0;
    CHECK(basis.totalVariance == Approx(covariance.trace()).epsilon(1e-12));
    const RowMatrixD rebuilt = basis.axes * basis.spectrum.asDiagonal() * basis.axes.transpose() *
                               (basis.totalVariance / 6.0);
    CHECK((rebuilt - covariance).cwiseAbs().maxCoeff() < 1e-12);
    CHECK((basis.axes.transpose() * basis.axes - RowMatrixD::Identity(6, 6)).cwiseAbs().maxCoeff() <
          1e-12);
    CHECK(basis.spectrum.sum() == Approx(6.0).epsilon(1e-12));
    for (Eigen::Index k = 0; k + 1 < 6; ++k) {
        CHECK(basis.spectrum[k] >= basis.spectrum[k + 1]);
    }
    CHECK(basis.rank() == 6);
    double shares = 0.0;
    for (Eigen::Index k = 0; k < 6; ++k) {
        shares += basis.varianceShare(k);
    }
    CHECK(shares == Approx(1.0).epsilon(1e-12));
}

TEST_CASE("The basis does not depend on threads") {
    const RowMatrixF vectors = test::anisotropicVectors(1000, 5, 82);
    const PcaBasis one = pcaBasis(vectors, 1).value();
    const PcaBasis many = pcaBasis(vectors, 3).value();
    CHECK(one.axes == many.axes);
    CHECK(one.spectrum == many.spectrum);
}

TEST_CASE("Rank counts the directions the words span") {
    CHECK(pcaBasis(test::anisotropicVectors(5, 8, 83)).value().rank() == 4);
    CHECK(pcaBasis(RowMatrixF::Constant(7, 3, 2.0F)).value().rank() == 0);
    CHECK(pcaBasis(RowMatrixF::Constant(1, 3, 2.0F)).value().totalVariance == 0.0);
}

TEST_CASE("Coordinates on the axes are centred and have the axes' variances") {
    const RowMatrixF vectors = test::anisotropicVectors(500, 4, 84);
    const PcaBasis basis = pcaBasis(vectors).value();
    const RowMatrixD points = principalCoordinates(basis, vectors).cast<double>();
    // Rounded to float32.
    CHECK(points.colwise().mean().cwiseAbs().maxCoeff() < 1e-6);
    for (Eigen::Index axis = 0; axis < 4; ++axis) {
        CHECK(points.col(axis).squaredNorm() / 499.0 ==
              Approx(basis.spectrum[axis] * basis.totalVariance / 4.0).epsilon(1e-5));
    }
}

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

TEST_CASE("A list of words: blanks, blank lines and repetitions do not count") {
    const test::TemporaryFolder folder;
    const std::string path = folder.file("words.txt", "  sea \r\n\n\t\nnew york\nsea\nlast");
    const auto list = readWordList(path).value();
    REQUIRE(list.size() == 3);
    CHECK(list.word(0) == "sea");
    CHECK(list.word(1) == "new york");
    CHECK(list.word(2) == "last");
}

TEST_CASE("A list without a word is refused, with its name") {
    const test::TemporaryFolder folder;
    const std::string path = folder.file("none.txt", " \n\r\n");
    const Error error = test::checkRefused(readWordList(path), ErrorCode::badFile);
    CHECK(error.file == path);
}

TEST_CASE("A list of more words than memory has room for is refused, with its name") {
    const test::TemporaryFolder folder;
    std::string words;
    for (int word = 0; word < 100'000; ++word) {
        words += std::to_string(word) + "\n";
    }
    const std::string path = folder.file("words.txt", words);
    // Text, ends and slots of 100,000 words take more than 5 + 8 + 4 bytes each.
    const Error error = test::checkRefused(readWordList(path, {}, 1'700'000),
                                           ErrorCode::resourceLimit, "use a shorter list");
    CHECK(error.file == path);
    CHECK(readWordList(path, {}, 100'000'000));
}

TEST_CASE("Words of a list are looked up as they are written, in the order of the list") {
    Vocabulary vocabulary;
    for (const auto* word : {"sea", "lake", "pond", "river"}) {
        vocabulary.add(word);
    }
    const test::TemporaryFolder folder;
    const auto found =
        findListedWords(folder.file("words.txt", "river\nLake\nocean\nsea\nriver\n"), vocabulary)
            .value();
    CHECK(found.rows == std::vector<Row>{3, 0});
    CHECK(found.words == 4);
}

TEST_CASE("A list of which no word is known is no failure") {
    Vocabulary vocabulary;
    vocabulary.add("sea");
    const test::TemporaryFolder folder;
    const auto found = findListedWords(folder.file("words.txt", "ocean\n"), vocabulary).value();
    CHECK(found.rows.empty());
    CHECK(found.words == 1);
    CHECK_FALSE(findListedWords(folder.path("missing.txt"), vocabulary));
}
