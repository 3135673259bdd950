#include "core/training/epoch_schedule.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>
#include <vector>

#include <catch2/catch.hpp>

#include "tests/core/training/toy_hierarchy.h"
#include "tests/support/statistical.h"

using namespace epsilens;
using namespace epsilens::training;

namespace {

std::vector<std::tuple<Row, Row>> sorted(std::span<const IsAPair> pairs) {
    std::vector<std::tuple<Row, Row>> rows;
    for (const IsAPair& pair : pairs) {
        rows.emplace_back(pair.child, pair.parent);
    }
    std::sort(rows.begin(), rows.end());
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
