#include "core/embedding/prepared_embedding.h"

#include <algorithm>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "core/embedding/load.h"
#include "tests/support/refusal.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/toy_embedding.h"

using namespace epsilens;
using namespace epsilens::embedding;

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
    CHECK(std::is_sorted(fractions.begin(), fractions.end()));
    CHECK(fractions.front() >= 0.0);
    CHECK(fractions.back() == Approx(1.0));
}

TEST_CASE("A stopped job prepares nothing") {
    Embedding embedding;
    embedding.vectors = test::anisotropicVectors(100, 3, 85);
    test::checkRefused(prepareEmbedding(std::move(embedding), 1, test::stoppedJob()),
                       ErrorCode::cancelled);
}
