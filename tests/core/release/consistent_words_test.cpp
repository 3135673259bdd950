#include "core/release/consistent_words.h"

#include <numeric>
#include <vector>

#include <catch2/catch.hpp>

using namespace epsilens;
using embedding::Row;
using release::ConsistentWords;

namespace {

/// Never gives the same output twice, so that outputs tell which draw they are of.
struct Counter {
    Row next = 100;

    ConsistentWords::Draw draw() {
        return [this](std::span<const Row> words, std::span<Row> outputs) {
            REQUIRE(words.size() == outputs.size());
            std::iota(outputs.begin(), outputs.end(), next);
            next += static_cast<Row>(outputs.size());
        };
    }
};

std::vector<Row> replaced(ConsistentWords& consistent, Counter& counter,
                          const std::vector<Row>& words,
                          const std::vector<std::int64_t>& documents) {
    std::vector<Row> outputs(words.size());
    consistent.replace(words, documents, outputs, counter.draw());
    return outputs;
}

}  // namespace

TEST_CASE("Equal words of a document get one draw, also where it goes on in the next piece") {
    ConsistentWords consistent;
    Counter counter;
    CHECK(replaced(consistent, counter, {1, 2, 1, 1, 3}, {0, 0, 0, 1, 1}) ==
          std::vector<Row>{100, 101, 100, 102, 103});
    CHECK(replaced(consistent, counter, {3, 4, 3, 1}, {1, 1, 2, 2}) ==
          std::vector<Row>{103, 104, 105, 106});
    CHECK(replaced(consistent, counter, {}, {}).empty());
    CHECK(consistent.drawn() == 7);
    CHECK(consistent.mostDrawn() == 3);
}
