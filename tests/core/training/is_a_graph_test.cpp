#include "core/training/is_a_graph.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include <catch2/catch.hpp>

#include "core/base/random_stream.h"

using namespace epsilens;
using namespace epsilens::training;

namespace {

/// Which node reaches which in one step or more, by Warshall's algorithm.
std::vector<std::vector<bool>> reachability(Row nodes, const std::vector<IsAPair>& pairs) {
    const auto count = static_cast<std::size_t>(nodes);
    std::vector reaches(count, std::vector<bool>(count, false));
    for (const IsAPair& pair : pairs) {
        reaches[static_cast<std::size_t>(pair.child)][static_cast<std::size_t>(pair.parent)] = true;
    }
    for (std::size_t via = 0; via < count; ++via) {
        for (std::size_t from = 0; from < count; ++from) {
            for (std::size_t to = 0; to < count; ++to) {
                reaches[from][to] = reaches[from][to] || (reaches[from][via] && reaches[via][to]);
            }
        }
    }
    return reaches;
}

std::vector<IsAPair> randomPairs(Row nodes, std::size_t count, std::uint64_t seed) {
    SeededStream stream({seed, StreamPurpose::wordSelection, 0, 0});
    std::vector<IsAPair> pairs;
    while (pairs.size() < count) {
        const auto draw = [&] {
            return static_cast<Row>(stream.below(static_cast<std::uint64_t>(nodes)));
        };
        const IsAPair pair{draw(), draw()};
        if (pair.child != pair.parent &&
            std::find(pairs.begin(), pairs.end(), pair) == pairs.end()) {
            pairs.push_back(pair);
        }
    }
    return pairs;
}

}  // namespace

TEST_CASE("A graph knows the parents and the degrees of its nodes") {
    const IsAGraph graph(5, std::vector<IsAPair>{{0, 3}, {0, 1}, {2, 1}, {1, 0}});
    CHECK(graph.nodeCount() == 5);
    CHECK(std::vector(graph.parentsOf(0).begin(), graph.parentsOf(0).end()) ==
          std::vector<Row>{1, 3});
    CHECK(graph.parentsOf(4).empty());
    CHECK(graph.isA(0, 3));
    CHECK_FALSE(graph.isA(3, 0));
    CHECK_FALSE(graph.isA(0, 2));
    // Node 1: child of 0, parent of 0 and 2.
    CHECK(graph.degree(0) == 3);
    CHECK(graph.degree(1) == 3);
    CHECK(graph.degree(4) == 0);
}

TEST_CASE("Cycles are counted and the smallest is shown") {
    // 0 -> 1 -> 2 -> 0, 3 <-> 4 on the way from it, 5 <-> 6 apart, 7 behind all.
    const std::vector<IsAPair> pairs{{0, 1}, {1, 2}, {2, 0}, {2, 3}, {3, 4},
                                     {4, 3}, {6, 5}, {5, 6}, {4, 7}};
    const Cycles cycles = findCycles(IsAGraph(8, pairs));
    CHECK(cycles.groups == 3);
    CHECK(cycles.nodes == 7);
    CHECK(cycles.example == std::vector<Row>{3, 4});
}

TEST_CASE("Cycles agree with reachability on random graphs") {
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
        constexpr Row kNodes = 30;
        const std::size_t count = 10 + 2 * seed;
        const std::vector<IsAPair> pairs = randomPairs(kNodes, count, seed);
        const auto reaches = reachability(kNodes, pairs);
        // Nodes that reach themselves; a group is counted at its first node.
        std::int64_t nodes = 0;
        std::int64_t groups = 0;
        for (std::size_t node = 0; node < kNodes; ++node) {
            nodes += reaches[node][node] ? 1 : 0;
            bool first = reaches[node][node];
            for (std::size_t other = 0; other < node; ++other) {
                first = first && !(reaches[node][other] && reaches[other][node]);
            }
            groups += first ? 1 : 0;
        }
        const Cycles cycles = findCycles(IsAGraph(kNodes, pairs));
        CAPTURE(seed);
        CHECK(cycles.nodes == nodes);
        CHECK(cycles.groups == groups);
    }
}

TEST_CASE("A chain of 300,000 nodes does not exhaust the stack") {
    constexpr Row kNodes = 300'000;
    std::vector<IsAPair> pairs;
    for (Row node = 0; node + 1 < kNodes; ++node) {
        pairs.push_back({node, node + 1});
    }
    CHECK(findCycles(IsAGraph(kNodes, pairs)).groups == 0);
    pairs.push_back({kNodes - 1, 0});
    const Cycles cycles = findCycles(IsAGraph(kNodes, pairs));
    CHECK(cycles.groups == 1);
    CHECK(cycles.nodes == kNodes);
}
