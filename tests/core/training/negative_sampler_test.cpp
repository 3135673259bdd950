#include "core/training/negative_sampler.h"

#include <cmath>
#include <set>
#include <vector>

#include <catch2/catch.hpp>

#include "tests/support/audit.h"

using namespace epsilens;
using namespace epsilens::training;

namespace {

constexpr double kFalseAlarmRate = 1e-6;

IndexStream streamOf(std::uint32_t draw) {
    return IndexStream({5, StreamPurpose::trainingNegatives, 0, draw});
}

/// The first `count` nodes in two parts.
struct Nodes {
    explicit Nodes(Row count) {
        for (Row node = 0; node < count; ++node) {
            (node % 3 == 0 ? first : second).push_back(node);
        }
    }
    [[nodiscard]] Urn urn() const { return {first, second}; }

    std::vector<Row> first{};
    std::vector<Row> second{};
};

}  // namespace

TEST_CASE("Negatives are different, not the child and nothing that it is") {
    const IsAGraph graph(20, std::vector<IsAPair>{{0, 1}, {0, 2}, {3, 0}, {5, 6}});
    const Nodes nodes(20);
    NegativeSampler sampler(graph);
    IndexStream stream = streamOf(0);
    for (int i = 0; i < 500; ++i) {
        std::vector<Row> targets{1};
        sampler.draw(0, nodes.urn(), nodes.urn(), 10, stream, targets);
        REQUIRE(targets.size() == 11);
        REQUIRE(targets.front() == 1);
        const std::set<Row> drawn(targets.begin() + 1, targets.end());
        REQUIRE(drawn.size() == 10);
        for (const Row forbidden : {0, 1, 2}) {
            REQUIRE(drawn.count(forbidden) == 0);
        }
    }
}

TEST_CASE("All negatives are drawn when there are not enough") {
    // Of 6 nodes, 0 is itself, 1 and 2 are what it is: 3, 4 and 5 are left.
    const IsAGraph graph(6, std::vector<IsAPair>{{0, 1}, {0, 2}, {3, 0}});
    const Nodes nodes(6);
    NegativeSampler sampler(graph);
    IndexStream stream = streamOf(1);
    std::vector<Row> targets{2};
    sampler.draw(0, nodes.urn(), nodes.urn(), 10, stream, targets);
    CHECK(std::set<Row>(targets.begin() + 1, targets.end()) == std::set<Row>{3, 4, 5});
    CHECK(targets.size() == 4);
    // A node that is everything has none.
    const IsAGraph everything(2, std::vector<IsAPair>{{0, 1}});
    const Nodes two(2);
    targets = {1};
    NegativeSampler(everything).draw(0, two.urn(), two.urn(), 5, stream, targets);
    CHECK(targets == std::vector<Row>{1});
}

TEST_CASE("Negatives are drawn evenly, whether many or few are left") {
    // Draws of `wanted` out of the nodes that may be drawn; inclusion counts of sampling without
    // replacement vary less than the multinomial, so the chi-square limit is on the safe side.
    const int wanted = GENERATE(1, 3, 17);
    const IsAGraph graph(20, std::vector<IsAPair>{{0, 1}, {0, 2}});
    const Nodes nodes(20);
    NegativeSampler sampler(graph);
    IndexStream stream = streamOf(2);
    constexpr int kRuns = 20'000;
    std::vector<int> counts(17);
    for (int i = 0; i < kRuns; ++i) {
        std::vector<Row> targets;
        sampler.draw(0, nodes.urn(), nodes.urn(), wanted, stream, targets);
        for (const Row node : targets) {
            ++counts.at(static_cast<std::size_t>(node - 3));
        }
    }
    CHECK(test::misfit(counts, VectorD::Constant(17, 1.0 / 17.0), kFalseAlarmRate) < 1.0);
}

TEST_CASE("A node that is in the urn more often is drawn more often") {
    const IsAGraph graph(6, std::vector<IsAPair>{{0, 5}});
    const Nodes nodes(6);
    const std::vector<Row> first{1, 2, 2, 3, 3, 3};
    const std::vector<Row> second{4, 4, 4, 4, 5, 5, 0};
    NegativeSampler sampler(graph);
    IndexStream stream = streamOf(3);
    constexpr int kRuns = 50'000;
    std::vector<int> counts(4);
    for (int i = 0; i < kRuns; ++i) {
        std::vector<Row> targets;
        sampler.draw(0, {first, second}, nodes.urn(), 1, stream, targets);
        ++counts.at(static_cast<std::size_t>(targets.at(0) - 1));
    }
    CHECK(test::misfit(counts, test::vectorOf({0.1, 0.2, 0.3, 0.4}), kFalseAlarmRate) < 1.0);
}

TEST_CASE("Indices are uniform, also where a rejection is likely") {
    // Of four consecutive 32-bit numbers x, floor(3 x / 4) is 0, 0, 1, 2 modulo 3: without
    // rejection, indices that 3 divides would be drawn twice as often as the others.
    IndexStream stream = streamOf(4);
    constexpr std::uint32_t kThird = 1U << 30U;
    constexpr int kRuns = 90'000;
    std::vector<int> counts(3);
    for (int i = 0; i < kRuns; ++i) {
        const std::uint32_t index = stream.below(3 * kThird);
        REQUIRE(index < 3 * kThird);
        ++counts[index % 3];
    }
    CHECK(test::misfit(counts, VectorD::Constant(3, 1.0 / 3.0), kFalseAlarmRate) < 1.0);
    CHECK(stream.below(1) == 0);
}
