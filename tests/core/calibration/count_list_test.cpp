#include "core/calibration/count_list.h"

#include <limits>

#include <catch2/catch.hpp>

using epsilens::calibration::CountList;

TEST_CASE("Counts come back from as many bytes as the largest one takes") {
    constexpr int kMost = std::numeric_limits<int>::max();
    for (const auto& [largest, width] :
         {std::pair{1, 1U}, {255, 1U}, {256, 2U}, {65535, 2U}, {65536, 4U}, {kMost, 4U}}) {
        CAPTURE(largest);
        CHECK(CountList::widthFor(largest) == width);
        CountList counts(largest);
        counts.reserve(4);
        for (const int count : {0, largest, 1, largest / 3}) {
            counts.add(count);
        }
        REQUIRE(counts.size() == 4);
        CHECK(counts[0] == 0);
        CHECK(counts[1] == largest);
        CHECK(counts[2] == 1);
        CHECK(counts[3] == largest / 3);
    }
}
