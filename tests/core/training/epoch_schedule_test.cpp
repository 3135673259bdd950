#include "core/training/epoch_schedule.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>
#include <vector>

#include <catch2/catch.hpp>

#include "core/base/random_stream.h"
#include "tests/core/training/toy_hierarchy.h"
#include "tests/support/audit.h"
#include "tests/support/statistical.h"

using namespace epsilens;
using namespace epsilens::training;

namespace {

std::vector<std::tuple<Row, Row>> sorted(std::span<const IsAPair> pairs) {
    std::vector<std::tuple<Row, Row>> rows;
    for (const IsAPair& pair : pairs) {
        rows.emplace_back(pair.child, pair.parent);
    }
    std::ranges::sort(rows);
    return rows;
}

std::set<Row> nodesOf(const EpochSchedule& schedule, const EpochSchedule::Match& match) {
    std::set<Row> nodes;
    for (const int block : {match.firstBlock, match.secondBlock}) {
        for (std::size_t i = schedule.firstNodeOf(block); i < schedule.firstNodeOf(block + 1);
             ++i) {
            nodes.insert(schedule.nodes()[i]);
        }
    }
    return nodes;
}

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

TEST_CASE("An epoch has every pair once, in a match of its own nodes") {
    const IsAList list = test::treeClosure(3, 4);
    const int matches = GENERATE(1, 2, 4, 16);
    EpochSchedule schedule(static_cast<Row>(list.nodes.size()), list.pairs, matches, 3);
    for (std::uint32_t epoch = 0; epoch < 3; ++epoch) {
        schedule.deal(epoch);
        std::vector<IsAPair> all;
        std::set<std::pair<int, int>> meetings;
        for (int round = 0; round < schedule.rounds(); ++round) {
            std::set<Row> playing;
            for (int index = 0; index < schedule.matches(); ++index) {
                const EpochSchedule::Match match = schedule.match(round, index);
                const std::set<Row> nodes = nodesOf(schedule, match);
                for (const IsAPair& pair : match.pairs) {
                    REQUIRE(nodes.count(pair.child) == 1);
                    REQUIRE(nodes.count(pair.parent) == 1);
                }
                all.insert(all.end(), match.pairs.begin(), match.pairs.end());
                meetings.insert(std::minmax(match.firstBlock, match.secondBlock));
                const std::size_t before = playing.size();
                playing.insert(nodes.begin(), nodes.end());
                REQUIRE(playing.size() == before + nodes.size());  // no node plays twice
            }
            CHECK(static_cast<std::int64_t>(playing.size()) == list.nodes.size());
        }
        CHECK(sorted(all) == sorted(list.pairs));
        CHECK(static_cast<int>(meetings.size()) == matches * (2 * matches - 1));
    }
}

TEST_CASE("Dealing is a function of seed and epoch") {
    const IsAList list = test::treeClosure(3, 4);
    const auto dealt = [&](std::uint64_t seed, const std::vector<std::uint32_t>& epochs) {
        EpochSchedule schedule(static_cast<Row>(list.nodes.size()), list.pairs, 2, seed);
        for (const std::uint32_t epoch : epochs) {
            schedule.deal(epoch);
        }
        return std::vector(schedule.nodes().begin(), schedule.nodes().end());
    };
    CHECK(dealt(1, {5}) == dealt(1, {0, 1, 5}));
    CHECK(dealt(1, {5}) != dealt(1, {6}));
    CHECK(dealt(1, {5}) != dealt(2, {5}));
}

TEST_CASE("Every other node is as likely to play in the match of a pair") {
    // The 512 nodes are dealt by lot and a match has 128 of them: given the pair, each of the other
    // 510 is there with probability 126 / 510.
    constexpr Row kNodes = 512;
    constexpr int kEpochs = 3000;
    constexpr double kExpected = 126.0 / 510.0;
    const std::vector<IsAPair> pairs{{17, 400}};
    EpochSchedule schedule(kNodes, pairs, 4, 21);
    std::map<Row, int> seen;
    for (std::uint32_t epoch = 0; epoch < kEpochs; ++epoch) {
        schedule.deal(epoch);
        for (int round = 0; round < schedule.rounds(); ++round) {
            for (int index = 0; index < schedule.matches(); ++index) {
                const EpochSchedule::Match match = schedule.match(round, index);
                if (!match.pairs.empty()) {
                    for (const Row node : nodesOf(schedule, match)) {
                        ++seen[node];
                    }
                }
            }
        }
    }
    CHECK(seen[17] == kEpochs);
    CHECK(seen[400] == kEpochs);
    // Bonferroni over the 510 nodes; false alarm rate 1e-6.
    const double critical = test::normalCritical(1e-6 / 510);
    const double error = std::sqrt(kEpochs * kExpected * (1 - kExpected));
    for (Row node = 0; node < kNodes; ++node) {
        if (node != 17 && node != 400) {
            CAPTURE(node);
            CHECK(std::fabs(seen[node] - kEpochs * kExpected) < critical * error);
        }
    }
}

TEST_CASE("Long lists have more matches, short ones a single match") {
    CHECK(EpochSchedule::matchesFor(2, 1) == 1);
    CHECK(EpochSchedule::matchesFor(1181, 6541) == 4);
    CHECK(EpochSchedule::matchesFor(100'000, 1'000'000) == 16);
    CHECK(EpochSchedule::matchesFor(100, 1'000'000) == 1);
    CHECK(EpochSchedule::matchesFor(100'000, 100) == 1);
    for (std::size_t pairs = 1; pairs < 10'000'000; pairs *= 3) {
        const int matches = EpochSchedule::matchesFor(1'000'000, pairs);
        CHECK(matches >= 1);
        CHECK(matches <= 16);
        CHECK(matches >= EpochSchedule::matchesFor(1'000'000, pairs / 3));
    }
}

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
    CHECK(test::misfit(counts, VectorD::Constant(17, 1.0 / 17.0), test::kFalseAlarmRate) < 1.0);
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
    CHECK(test::misfit(counts, test::vectorOf({0.1, 0.2, 0.3, 0.4}), test::kFalseAlarmRate) < 1.0);
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
    CHECK(test::misfit(counts, VectorD::Constant(3, 1.0 / 3.0), test::kFalseAlarmRate) < 1.0);
    CHECK(stream.below(1) == 0);
}
