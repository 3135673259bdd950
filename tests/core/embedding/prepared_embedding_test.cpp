#include "core/embedding/prepared_embedding.h"

#include <catch2/catch.hpp>

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

TEST_CASE("A stopped job prepares nothing") {
    std::stop_source source;
    source.request_stop();
    Embedding embedding;
    embedding.vectors = test::anisotropicVectors(100, 3, 85);
    const auto prepared =
        prepareEmbedding(std::move(embedding), 1, JobContext{source.get_token(), {}});
    REQUIRE_FALSE(prepared);
    CHECK(prepared.error().code == ErrorCode::cancelled);
}
