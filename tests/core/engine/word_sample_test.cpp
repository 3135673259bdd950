#include "core/engine/word_sample.h"
#include "core/base/ordered.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <iterator>
#include <vector>

#include <catch2/catch.hpp>

#include "tests/support/audit.h"
#include "tests/support/statistical.h"

namespace epsilens::engine {

using embedding::Row;

TEST_CASE("A sample of words is rising, without repetition, and the same for a seed") {
    const std::vector<Row> rows = sampleWords(1'000, 40, 7);
    REQUIRE(rows.size() == 40);
    CHECK(std::ranges::adjacent_find(rows, std::greater_equal<>()) == rows.end());
    CHECK(rows.front() >= 0);
    CHECK(rows.back() < 1'000);
    CHECK(rows == sampleWords(1'000, 40, 7));
    CHECK(rows != sampleWords(1'000, 40, 8));
}

TEST_CASE("A sample of as many words as there are, or more, is all of them") {
    std::vector<Row> all = indicesBelow<Row>(5);
    CHECK(sampleWords(5, 5, 1) == all);
    CHECK(sampleWords(5, 9, 1) == all);
}

TEST_CASE("Every subset of the size asked for is drawn equally often") {
    // C(5, 2) = 10 subsets, counted over seeds; a subset {i < j} is numbered 5 i + j.
    std::array<int, 25> drawn{};
    for (std::uint64_t seed = 0; seed < 20'000; ++seed) {
        const std::vector<Row> rows = sampleWords(5, 2, seed);
        REQUIRE(rows.size() == 2);
        ++drawn.at(5 * static_cast<std::size_t>(rows[0]) + static_cast<std::size_t>(rows[1]));
    }
    std::vector<int> counts;
    std::ranges::copy_if(drawn, std::back_inserter(counts), [](int count) { return count > 0; });
    REQUIRE(counts.size() == 10);
    CHECK(test::misfit(counts, VectorD::Constant(10, 0.1), test::kFalseAlarmRate) < 1.0);
}

TEST_CASE("A sample among given rows takes the places that a sample of as many words has") {
    const std::vector<Row> eligible{90, 4, 31, 7, 12, 55};
    const std::vector<Row> places = sampleWords(6, 3, 5);
    const std::vector<Row> rows = sampleWords(eligible, 3, 5);
    REQUIRE(rows.size() == 3);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        CHECK(rows[i] == eligible[static_cast<std::size_t>(places[i])]);
    }
    CHECK(sampleWords(eligible, 6, 5) == eligible);
}

}  // namespace epsilens::engine
