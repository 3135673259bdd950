#include "core/corpus/split.h"

#include <vector>

#include <catch2/catch.hpp>

using namespace epsilens;
using namespace epsilens::corpus;

TEST_CASE("Documents with the same text stay on one side of a random split") {
    // Ten texts, each twice.
    DataSet data;
    for (std::int32_t i = 0; i < 20; ++i) {
        data.documents.emplace_back().twin = i % 10;
    }
    const auto splits = splitDocuments(data, 20, 5, false).value();
    REQUIRE(splits.size() == 20);
    for (const DocumentSplit& split : splits) {
        std::vector<int> side(20, 0);
        for (const std::size_t document : split.training) {
            side[document] += 1;
        }
        for (const std::size_t document : split.test) {
            side[document] += 2;
        }
        for (std::size_t text = 0; text < 10; ++text) {
            CHECK((side[text] == 1 || side[text] == 2));
            CHECK(side[text + 10] == side[text]);
        }
        // 0.7 of the texts.
        CHECK(split.training.size() == 14);
    }
    CHECK(splits[0].training != splits[1].training);
    CHECK(splitDocuments(data, 20, 6, false).value()[0].training != splits[0].training);
}

TEST_CASE("An own split leaves out what belongs to neither part") {
    DataSet data;
    for (const Split part : {Split::training, Split::none, Split::test}) {
        data.documents.emplace_back().split = part;
    }
    const DocumentSplit split = splitDocuments(data, 1, 5, false).value().front();
    CHECK(split.training == std::vector<std::size_t>{0});
    CHECK(split.test == std::vector<std::size_t>{2});
}
